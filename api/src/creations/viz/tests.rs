use serde_json::{Value, json};

use super::Viz;

const TYPES: [&str; 19] = [
    "table",
    "counter",
    "pie",
    "bar",
    "line",
    "area",
    "scatter",
    "radar",
    "funnel",
    "heatmap",
    "bar3d",
    "boxplot",
    "parallel",
    "tree",
    "sankey",
    "sunburst",
    "themeRiver",
    "graph",
    "gauge",
];

fn read(value: Value) -> Result<Viz, serde_json::Error> {
    serde_json::from_value(value)
}

#[test]
fn an_option_that_a_type_does_not_name_is_refused_and_still_read() {
    for name in TYPES {
        let sent = json!({"type": name, "options": {"zzz": {"of": ["an", "earlier", "day"]}}});
        let viz = read(sent.clone()).unwrap();
        let refused = viz.check().unwrap_err();
        assert_eq!(refused.msg, format!("There is no option zzz of the type {name}."));
        let (stored, options) = viz.parts().unwrap();
        assert_eq!(stored, name);
        let again = Viz::stored(&stored, &options).unwrap();
        assert_eq!(serde_json::to_value(&again).unwrap(), sent);
        read(json!({"type": name, "options": {}})).unwrap().check().unwrap();
    }
    assert!(read(json!({"type": "hologram", "options": {}})).is_err());
}

#[test]
fn a_known_option_of_another_kind_is_refused() {
    assert!(read(json!({"type": "bar", "options": {"y": "value"}})).is_err());
    assert!(read(json!({"type": "line", "options": {"missing": "guess"}})).is_err());
}

#[test]
fn a_radar_needs_three_indicators_and_a_gauge_a_scale() {
    let radar = |names: &[&str]| read(json!({"type": "radar", "options": {"indicators": names}})).unwrap().check();
    assert!(radar(&[]).is_ok());
    assert!(radar(&["a", "b"]).is_err());
    assert!(radar(&["a", "b", "c"]).is_ok());
    let gauge =
        |min: &str, max: &str| read(json!({"type": "gauge", "options": {"min": min, "max": max}})).unwrap().check();
    assert!(gauge("0", "100").is_ok());
    assert!(gauge("5", "5").is_err());
    assert!(gauge("5", "").is_ok());
}

#[test]
fn options_are_bounded() {
    let long = json!({"type": "counter", "options": {"label": "x".repeat(501)}});
    assert!(read(long).unwrap().check().is_err());
    let large = json!({"type": "table", "options": {"columns": vec![json!({"name": "x".repeat(400)}); 200]}});
    assert!(read(large).unwrap().check().is_err());
    let deep = (0..40).fold(json!(1), |inner, _| json!([inner]));
    assert!(read(json!({"type": "table", "options": {"deep": deep}})).unwrap().check().is_err());
    assert!(read(json!({"type": "funnel", "options": {"limit": -1}})).unwrap().check().is_err());
}
