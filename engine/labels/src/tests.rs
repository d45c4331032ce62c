use super::*;
use quarry_runtime::job::Schemas;

fn label(address: u8, label: &str) -> KnownLabel {
    KnownLabel {
        address: [address; 20],
        label: label.to_string(),
        label_type: "EOA".to_string(),
        entity: String::new(),
        note: "seen on a forum".to_string(),
        source: Source::Hand,
        author: "ada".to_string(),
        created: 0,
    }
}

fn owner(name: &str) -> Schemas {
    Schemas { own: Some(format!("user_{name}")), ..Schemas::default() }
}

async fn words(labels: &Labels, schemas: &Schemas, address: u8) -> Vec<String> {
    labels.index(schemas).await.unwrap().labels_of(&[address; 20]).map(str::to_string).collect()
}

#[tokio::test]
async fn labels_of_an_owner_are_private() {
    let home = tempfile::tempdir().unwrap();
    let labels = Labels::new(home.path(), u64::MAX);
    assert_eq!(words(&labels, &Schemas::default(), 1).await, Vec::<String>::new());
    labels.put(None, "said", &[label(1, "exchange"), label(2, "bridge")]).unwrap();
    labels.put(Some("user_ada"), "said", &[label(1, "my cold wallet")]).unwrap();
    assert_eq!(words(&labels, &Schemas::default(), 1).await, ["exchange"]);
    assert_eq!(words(&labels, &owner("eve"), 1).await, ["exchange"]);
    assert_eq!(words(&labels, &owner("ada"), 1).await, ["exchange", "my cold wallet"]);
}

#[tokio::test]
async fn sets_replace_previous_ones() {
    let home = tempfile::tempdir().unwrap();
    let labels = Labels::new(home.path(), u64::MAX);
    labels.put(None, "said", &[label(1, "exchange")]).unwrap();
    let before = labels.version(&Schemas::default()).unwrap();
    labels.put(None, "said", &[label(2, "bridge")]).unwrap();
    assert_ne!(labels.version(&Schemas::default()).unwrap(), before);
    assert_eq!(words(&labels, &Schemas::default(), 1).await, Vec::<String>::new());
    assert_eq!(words(&labels, &Schemas::default(), 2).await, ["bridge"]);
    labels.put(None, "said", &[]).unwrap();
    assert_eq!(words(&labels, &Schemas::default(), 2).await, Vec::<String>::new());
}
