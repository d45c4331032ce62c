//! Jobs of every kind that would take all memory, or all time.

use quarry_tests::server::Server;
use serde_json::{Value, json};

/// Patterns of half a million states each, one a row.
const PATTERN: &str = "concat('(', hash::varchar, '|x{500}){1,50}')";

/// Of SQL.
pub fn sql() -> Vec<String> {
    let columns = "hash, block_number, from_address, to_address, value, gas, gas_price, nonce, transaction_index, input, \
        block_timestamp, receipt_gas_used";
    let pairs = "transactions a cross join transactions b";
    let matched = [
        format!("regexp_like(hash::varchar, {PATTERN})"),
        format!("hash::varchar ~ {PATTERN}"),
        format!("hash::varchar !~* {PATTERN}"),
        format!("hash::varchar similar to {PATTERN}"),
        format!("regexp_count(hash::varchar, {PATTERN}) > 1"),
        format!("regexp_instr(hash::varchar, {PATTERN}) > 1"),
        format!("cardinality(regexp_match(hash::varchar, {PATTERN})) > 1"),
        format!("regexp_extract(hash::varchar, {PATTERN}) = ''"),
        format!("regexp_replace(hash::varchar, {PATTERN}, '') = ''"),
    ];
    let mut all: Vec<String> =
        matched.iter().map(|condition| format!("select count(*) from transactions where {condition}")).collect();
    all.extend([
        // Grouping sets.
        format!("select count(*) from (select {columns}, count(*) from transactions group by cube({columns}))"),
        format!("select count(*) from (select count(*) from {pairs} group by rollup(a.hash, b.hash))"),
        // Joins.
        "select count(*) from transactions a, transactions b, transactions c where a.value + b.value + c.value = 7"
            .into(),
        "select count(*) from transactions a join transactions b on a.receipt_status = b.receipt_status \
            join transactions c on b.receipt_status = c.receipt_status where a.value + b.value + c.value = 7"
            .into(),
        // Aggregates that collect.
        format!("select cardinality(array_agg(a.hash)) from {pairs}"),
        format!("select length(string_agg(a.hash::varchar || repeat('x', 1000), ',')) from {pairs}"),
        format!("select cardinality(map_agg(a.hash::varchar || b.hash::varchar, 1)) from {pairs}"),
        format!("select count(distinct a.hash::varchar || b.hash::varchar) from {pairs}"),
        "select count(distinct x * y) from unnest(sequence(1, 5000000)) t(x), unnest(sequence(1, 5000000)) s(y)".into(),
        // Texts, lists and JSON that double.
        "with recursive t as (select 'x' as a union all select a || a from t) select max(length(a)) from t".into(),
        "with recursive t as (select array[1] as a union all select array_concat(a, a) from t) \
            select max(cardinality(a)) from t"
            .into(),
        "with recursive t as (select 1 as a union all select a + 1 from t, transactions) select count(*) from t".into(),
        "with recursive t as (select '[1' as a union all select a || ',' || a from t) \
            select max(length(json_format(json_parse(a || ']')))) from t"
            .into(),
        format!("select max(length(json_format(cast(array_repeat(a.hash::varchar, 500) as json)))) from {pairs}"),
        // Windows and sorts.
        format!(
            "select max(r) from (select row_number() over (order by a.hash::varchar || b.hash::varchar || \
                a.input::varchar) r from {pairs})"
        ),
        format!(
            "select max(l) from (select cardinality(array_agg(a.hash) over (order by a.block_number, b.nonce \
                rows between unbounded preceding and current row)) l from {pairs})"
        ),
    ]);
    all
}

/// Of the other kinds.
pub fn others() -> Vec<Value> {
    let mapper = "(row, emit) => { const all = []; for (;;) all.push('x'.repeat(1000) + all.length); }";
    let reducer = "(key, values, emit) => { emit({ key: key + [...values].length }); }";
    let driver = "({ input: 'transactions', columns: ['hash'], output: { key: 'varchar' } })";
    let repeat = "(row, emit) => { for (;;) emit(row.hash, 'x'.repeat(1000)); }";
    let map_reduce = |mapper: &str| {
        let spec = json!({"tableName": "bomb", "driver": driver, "mapper": mapper, "reducer": reducer});
        json!({"kind": "MAPREDUCE", "spec": spec})
    };
    let collected = "select size(collect_list(concat(a.hash, b.hash))) from transactions a cross join transactions b";
    let matched = PATTERN.replace("::varchar", "");
    let matched = format!("select count(*) from transactions where cast(hash as string) rlike {matched}");
    vec![
        json!({"kind": "HIVE", "text": collected}),
        json!({"kind": "HIVE", "text": matched}),
        json!({"kind": "GRAPH", "text": "match p = (a)-[*1..9]->(b) return count(p)"}),
        json!({"kind": "GRAPH", "text": "match (a), (b), (c) return collect(a.address + b.address + c.address)"}),
        map_reduce(mapper),
        map_reduce(repeat),
    ]
}

/// Every label rule with the most of each of its parameters. What they need of the chain bounds them, so they may succeed.
pub fn label_rules(server: &Server, token: &str) -> Vec<Value> {
    let catalogue = server.data("GET", "/api/label/catalogue", Some(token), None);
    let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
    let rules = list(&catalogue["categories"]).iter().flat_map(|category| list(&category["rules"])).collect::<Vec<_>>();
    assert!(!rules.is_empty(), "{catalogue}");
    let with_inputs = |rule: &&Value| list(&rule["inputs"]).iter().any(|input| input["required"] == true);
    let spec = |rule: &Value| {
        let most = list(&rule["parameters"])
            .into_iter()
            .map(|parameter| (parameter["name"].as_str().unwrap_or_default().to_string(), parameter["max"].clone()));
        json!({"kind": "LABEL", "spec": {"label": rule["name"], "parameters": Value::Object(most.collect())}})
    };
    rules.iter().filter(|rule| !with_inputs(rule)).map(spec).collect()
}
