use quarry_lake::Head;

use super::super::values::ModelId;
use super::*;

const ADDRESS: &str = "0x00000000000000000000000000000000000000aB";

fn values(model: ModelId) -> ModelValues {
    ModelValues {
        model,
        largest: None,
        blocks: None,
        days: None,
        similarity: None,
        poor: None,
        hops: None,
        direction: None,
        least: None,
        address: None,
        token: None,
        day: None,
        month: None,
    }
}

fn text(values: &ModelValues) -> String {
    let head = Head { number: 100, hash: Default::default(), time: 1_793_000_000_000_000 };
    let queries = queries(values, head).unwrap();
    queries.nodes + &queries.links.unwrap_or_default()
}

fn refused(values: &ModelValues) -> bool {
    queries(values, Head { number: 100, hash: Default::default(), time: 0 }).is_err()
}

#[test]
fn the_text_of_a_model_follows_its_values() {
    let realtime = text(&values(ModelId::Realtime));
    assert!(realtime.contains("number > 100 - 24 AND number <= 100"), "{realtime}");
    let uniswap = text(&ModelValues { days: Some("7".into()), ..values(ModelId::Uniswap) });
    assert!(uniswap.contains("TIMESTAMP '2026-10-26 07:33:20' - INTERVAL '7' DAY"), "{uniswap}");
    let december = text(&ModelValues { month: Some("2026-12".into()), ..values(ModelId::DappUser) });
    assert!(
        december.contains("TIMESTAMP '2026-12-01 00:00:00'") && december.contains("TIMESTAMP '2027-01-01 00:00:00'")
    );
    let token = text(&ModelValues { token: Some(ADDRESS.into()), ..values(ModelId::Token) });
    assert!(token.contains(&format!("token_address = {}", ADDRESS.to_lowercase())), "{token}");
    let hops = ModelValues { hops: Some("2".into()), direction: Some("in".into()), ..values(ModelId::ThreeHop) };
    let hops = text(&ModelValues { least: Some("0.1".into()), address: Some(ADDRESS.into()), ..hops });
    assert!(hops.contains("(a)<-[ts:TRANSFERS*1..2]-(b)") && hops.contains(">= 100000000000000000"), "{hops}");
}

#[test]
fn nothing_but_an_offered_value_gets_into_a_text() {
    for wrong in ["", "501", "500; select 1", "500\n", "5e2", "٥٠٠", "' OR 1 = 1"] {
        let given = Some(wrong.to_string());
        assert!(refused(&ModelValues { largest: given.clone(), ..values(ModelId::Overview) }), "{wrong}");
        assert!(refused(&ModelValues { blocks: given.clone(), ..values(ModelId::Realtime) }), "{wrong}");
        assert!(refused(&ModelValues { days: given.clone(), ..values(ModelId::Uniswap) }), "{wrong}");
        assert!(refused(&ModelValues { similarity: given.clone(), ..values(ModelId::Airdrop) }), "{wrong}");
        assert!(refused(&ModelValues { poor: given.clone(), ..values(ModelId::Airdrop) }), "{wrong}");
        assert!(refused(&ModelValues { hops: given.clone(), ..values(ModelId::ThreeHop) }), "{wrong}");
        assert!(refused(&ModelValues { direction: given.clone(), ..values(ModelId::ThreeHop) }), "{wrong}");
        assert!(refused(&ModelValues { least: given.clone(), ..values(ModelId::ThreeHop) }), "{wrong}");
    }
    for wrong in
        ["", "0x12", "0x00000000000000000000000000000000000000a' OR", "00000000000000000000000000000000000000000b"]
    {
        let given = Some(wrong.to_string());
        assert!(refused(&ModelValues { token: given.clone(), ..values(ModelId::Token) }), "{wrong}");
        assert!(refused(&ModelValues { address: given.clone(), ..values(ModelId::ThreeHop) }), "{wrong}");
    }
    for wrong in ["", "2026-02-30", "2026-1-05", "+2026-01-5", "2026-01-01'", " 2026-01-01", "202-01-011", "2026-01"] {
        let given = Some(wrong.to_string());
        for model in [ModelId::NetworkCurve, ModelId::NetworkCurve3d, ModelId::DappRelation] {
            assert!(refused(&ModelValues { day: given.clone(), ..values(model) }), "{wrong}");
        }
    }
    for wrong in ["", "2026-13", "2026-1", "2026-01-01", "2026-01'", "20260-1"] {
        assert!(refused(&ModelValues { month: Some(wrong.to_string()), ..values(ModelId::DappUser) }), "{wrong}");
    }
    for dated in [ModelId::NetworkCurve, ModelId::NetworkCurve3d, ModelId::DappRelation, ModelId::DappUser] {
        assert!(refused(&values(dated)), "a date is needed");
    }
}
