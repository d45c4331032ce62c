//! Texts nobody would write: parser and planner answer each with rows or with an error a person can act on, never with a
//! failure of their own. The texts are the same in every run.

use rand::rngs::StdRng;
use rand::seq::IndexedRandom;
use rand::{Rng, SeedableRng};

use crate::fixture::Home;

/// Texts of each kind.
const TEXTS: usize = 150;

/// Whole queries, to be cut and mixed.
const QUERIES: [&str; 8] = [
    "select case when value > 1 then value else 0 end as v, -value from token_transfers where from_address = 0x0a order by 1",
    "with a as (select block_number, sum(value) as s from transactions group by 1) select * from a where s / 1e18 > 2 qualify row_number() over (order by s) = 1",
    "select count_if(receipt_status = 1), max_by(hash, value) from transactions group by all having count(*) > 1",
    "select day from unnest(sequence(date '2024-01-01', date '2024-01-05', interval '1' day)) as t(day)",
    "select decode_input('f(uint256 a)', input)['a'], bytearray_substring(hash, 1, 4) from transactions limit 3",
    "select date_diff('day', block_timestamp, now()), date_format(block_timestamp, '%Y') from transactions",
    "select value from token_transfers union all select 0 union all select -1.5",
    "select * from transactions t join token_transfers f on t.hash = f.transaction_hash where t.value in (1, {{x}}) [[ and 1 = {{y}} ]]",
];

/// Words, signs and values a query may have anywhere.
const WORDS: [&str; 48] = [
    "select",
    "from",
    "where",
    "group by",
    "order by",
    "(",
    ")",
    ",",
    "*",
    "transactions",
    "token_transfers",
    "value",
    "hash",
    "null",
    "0",
    "1e77",
    "-1",
    "0x",
    "0xff",
    "'0xZZ'",
    "'text'",
    "''",
    "interval '1' day",
    "cast(1 as uint256)",
    "coalesce(value, 'x')",
    "sum(value)",
    "case when",
    "then",
    "else",
    "end",
    "in",
    "between",
    "and",
    "not",
    "like",
    "over ()",
    "::",
    "date '2024-01-01'",
    "[1, 2]",
    "[[",
    "{{x}}",
    "{{",
    "}}",
    "'",
    "\"",
    "`a.b`",
    "--",
    "%",
];

/// Values that functions get in the place of those they want.
const VALUES: [&str; 16] = [
    "null",
    "''",
    "'0x'",
    "0",
    "-1",
    "9223372036854775807",
    "1e76",
    "1.5",
    "true",
    "0x00",
    "value",
    "hash",
    "[]",
    "[null]",
    "date '0001-01-01'",
    "115792089237316195423570985008687907853269984665640564039457584007913129639935",
];

async fn ends_well(home: &Home, text: &str) {
    let job = home.run(text).await;
    if let Some(error) = job.error {
        assert_ne!(error.code, "internal_error", "{text}\n{}", error.message);
        assert!(!error.message.is_empty(), "{text}");
    }
}

#[tokio::test]
async fn cut_and_mixed_queries_end_well() {
    let home = Home::chain().await;
    let mut random = StdRng::seed_from_u64(4);
    for _ in 0..TEXTS {
        let mut words: Vec<&str> = QUERIES.choose(&mut random).unwrap().split(' ').collect();
        for _ in 0..random.random_range(1..4) {
            let place = random.random_range(0..words.len());
            match random.random_range(0..3) {
                0 => drop(words.remove(place)),
                1 => words.insert(place, WORDS.choose(&mut random).unwrap()),
                _ => words[place] = WORDS.choose(&mut random).unwrap(),
            }
            if words.is_empty() {
                break;
            }
        }
        ends_well(&home, &words.join(" ")).await;
    }
}

#[tokio::test]
async fn functions_with_any_values_end_well() {
    let home = Home::chain().await;
    let mut random = StdRng::seed_from_u64(5);
    let functions = home.engine.catalogue().await.unwrap().functions;
    let ours: Vec<_> = functions.iter().filter(|function| function.example.starts_with("select")).collect();
    for _ in 0..TEXTS {
        let function = ours.choose(&mut random).unwrap();
        let count = random.random_range(0..4);
        let values: Vec<&str> = (0..count).map(|_| *VALUES.choose(&mut random).unwrap()).collect();
        let text = format!("select {}({}) from token_transfers limit 2", function.name, values.join(", "));
        ends_well(&home, &text).await;
    }
}
