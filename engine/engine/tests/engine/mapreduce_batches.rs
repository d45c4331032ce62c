//! MAPREDUCE jobs with mappers of batches.

use quarry_runtime::job::JobKind;
use serde_json::json;

use crate::fixture::Home;
use crate::mapreduce::{SUM, fails, request, rows, spec};

#[tokio::test]
async fn batches_are_typed_arrays_and_inputs_are_named() {
    let home = Home::chain().await;
    let driver = "{input: [{table: 'transactions', columns: ['from_address', 'receipt_gas_used', 'block_timestamp', 'to_address']},
        {table: 'blocks', name: 'b', columns: ['number']}], batch: true, output: {what: 'varchar', sum: 'uint256'}}";
    let mapper = "(batch, emit, input) => {
        if (input === 'b') return emit(batch.number.constructor.name, batch.length);
        const of = ['receipt_gas_used', 'block_timestamp', 'to_address'].map((name) => batch[name].constructor.name);
        for (let row = 0; row < batch.length; row++) emit(of.join(), batch.receipt_gas_used[row]);
    }";
    let found = rows(&home, "batches", spec(driver, mapper, SUM)).await;
    // Gas may be null, but has no nulls in this chain: it is a typed array too.
    let expected = [[json!("BigInt64Array"), json!("3")], [json!("BigInt64Array,Float64Array,Array"), json!("252000")]];
    assert_eq!(found, expected);
}

#[tokio::test]
async fn sums_and_counts_of_batches_equal_those_of_sql() {
    let home = Home::chain().await;
    let driver = "{input: 'transactions', columns: ['from_address', 'to_address', 'value', 'receipt_gas_used',
        'cast(receipt_gas_used as double) / 2 as half', 'cast(null as bigint) as nothing', '-value as below'],
        batch: true, output: {what: 'varchar', who: 'varchar', sum: 'varchar'}}";
    let mapper = "(batch, emit) => {
        for (const [key, sum] of batch.sums('from_address', 'value')) emit(['value', key], sum);
        for (const [key, sum] of batch.sums('from_address', 'below')) emit(['below', key], sum);
        for (const [key, sum] of batch.sums('from_address', 'nothing')) emit(['nothing', key], sum);
        for (const [key, sum] of batch.sums('from_address', 'half')) emit(['half', key], sum);
        for (const [key, sum] of batch.sums(['from_address', 'to_address'], 'receipt_gas_used')) emit(['gas', key.join()], sum);
        for (const [key, count] of batch.counts('from_address')) emit(['count', key], count);
    }";
    let reducer = "([what, who], values, emit) => emit(what, who, String(values.reduce((sum, value) => sum + value)))";
    let mut found = rows(&home, "sums", spec(driver, mapper, reducer)).await;
    let sql = "select 'value', cast(from_address as varchar), cast(sum(value) as varchar) from transactions group by 2
        union all select 'below', cast(from_address as varchar), '-' || cast(sum(value) as varchar) from transactions group by 2
        union all select 'nothing', cast(from_address as varchar), '0' from transactions group by 2
        union all select 'half', cast(from_address as varchar), cast(cast(sum(receipt_gas_used) / 2 as bigint) as varchar)
            from transactions group by 2
        union all select 'gas', cast(from_address as varchar) || ',' || coalesce(cast(to_address as varchar), ''),
            cast(sum(receipt_gas_used) as varchar) from transactions group by 2
        union all select 'count', cast(from_address as varchar), cast(count(*) as varchar) from transactions group by 2";
    let mut request = request("sql", json!({}));
    (request.kind, request.text, request.spec) = (JobKind::Sql, sql.to_string(), None);
    assert_eq!(home.engine.submit(request).unwrap().wait().await.error, None);
    let mut expected = home.engine.result("sql").unwrap().page(0, 1000).unwrap();
    let text = |row: &Vec<serde_json::Value>| row.iter().map(ToString::to_string).collect::<Vec<_>>();
    found.sort_by_key(text);
    expected.sort_by_key(text);
    assert_eq!(found, expected);
}

#[tokio::test]
async fn columns_of_a_batch_can_be_assigned_and_unknown_ones_are_errors() {
    let home = Home::chain().await;
    let driver = "{input: 'transactions', columns: ['from_address', 'to_address', 'value as sums'], batch: true,
        output: {n: 'varchar', m: 'varchar'}}";
    let emits = |mapper: &str| spec(driver, mapper, "(key, values, emit) => emit(key, values.toArray().join())");
    let written = "(batch, emit) => { batch.to_address = batch.to_address.length;
        emit(String(batch.to_address === batch.length), Object.keys(batch).join()) }";
    let found = rows(&home, "written", emits(written)).await;
    assert_eq!(found, [[json!("true"), json!("length,sums,from_address,to_address")]]);
    for (id, (mapper, message)) in [
        ("(batch, emit) => batch.counts('gas')", "the batch has no column gas"),
        ("(batch, emit) => batch.counts()", "expect column names"),
        ("(batch, emit) => batch.counts([])", "at least one column"),
        ("(batch, emit) => batch.counts(['from_address', 1])", "expect column names"),
    ]
    .into_iter()
    .enumerate()
    {
        let error = fails(&home, &format!("wrong{id}"), emits(mapper)).await;
        assert!(error.message.contains(message) && error.message.contains("mapper, line 1"), "{error:?}");
    }
    let other = "{input: 'transactions', columns: ['hash', 'block_timestamp'], batch: true, output: {n: 'varchar', m: 'varchar'}}";
    for (id, (mapper, message)) in [
        ("(batch, emit) => batch.sums('hash')", "expect column names"),
        ("(batch, emit) => batch.sums('hash', 'block_timestamp')", "block_timestamp has no integers"),
    ]
    .into_iter()
    .enumerate()
    {
        let error = fails(&home, &format!("sums{id}"), spec(other, mapper, SUM)).await;
        assert!(error.message.contains(message), "{error:?}");
    }
}

#[tokio::test]
async fn a_batch_is_only_valid_during_its_call() {
    let home = Home::empty();
    home.attach_numbers(1_500_000);
    let driver = "{input: 'numbers', columns: ['id'], batch: true, output: {n: 'bigint', m: 'bigint'}}";
    let mapper = "let kept; const mapper = (batch, emit) => { kept ??= batch; emit(1, kept.id.length) }; mapper";
    let found = rows(&home, "read", spec(driver, mapper, SUM)).await;
    assert_eq!(found.len(), 1, "a column that was read is the code's own");
    let mapper = "let kept; const mapper = (batch, emit) => { if (kept) kept.counts('id'); kept = batch }; mapper";
    let error = fails(&home, "asked", spec(driver, mapper, SUM)).await;
    assert!(error.message.contains("a batch is valid only during one call"), "{error:?}");
}
