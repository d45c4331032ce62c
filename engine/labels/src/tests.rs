use super::*;
use quarry_runtime::job::Schemas;

fn said(address: u8, label: &str) -> KnownLabel {
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

fn of(owner: &str) -> Schemas {
    Schemas { own: Some(format!("user_{owner}")), ..Schemas::default() }
}

async fn words(labels: &Labels, schemas: &Schemas, address: u8) -> Vec<String> {
    labels.index(schemas).await.unwrap().of(&[address; 20]).map(str::to_string).collect()
}

#[tokio::test]
async fn what_an_owner_says_only_the_owner_sees() {
    let home = tempfile::tempdir().unwrap();
    let labels = Labels::new(home.path(), u64::MAX);
    assert_eq!(words(&labels, &Schemas::default(), 1).await, Vec::<String>::new());
    labels.put(None, "said", &[said(1, "exchange"), said(2, "bridge")]).unwrap();
    labels.put(Some("user_ada"), "said", &[said(1, "my cold wallet")]).unwrap();
    assert_eq!(words(&labels, &Schemas::default(), 1).await, ["exchange"]);
    assert_eq!(words(&labels, &of("eve"), 1).await, ["exchange"]);
    assert_eq!(words(&labels, &of("ada"), 1).await, ["exchange", "my cold wallet"]);
}

#[tokio::test]
async fn a_set_takes_the_place_of_the_one_before() {
    let home = tempfile::tempdir().unwrap();
    let labels = Labels::new(home.path(), u64::MAX);
    labels.put(None, "said", &[said(1, "exchange")]).unwrap();
    let before = labels.version(&Schemas::default()).unwrap();
    labels.put(None, "said", &[said(2, "bridge")]).unwrap();
    assert_ne!(labels.version(&Schemas::default()).unwrap(), before);
    assert_eq!(words(&labels, &Schemas::default(), 1).await, Vec::<String>::new());
    assert_eq!(words(&labels, &Schemas::default(), 2).await, ["bridge"]);
    labels.put(None, "said", &[]).unwrap();
    assert_eq!(words(&labels, &Schemas::default(), 2).await, Vec::<String>::new());
}
