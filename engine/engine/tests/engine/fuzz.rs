//! Fuzzing: random texts give rows or an error of the user, never an internal error. The texts are the same in every run.

use rand::rngs::StdRng;
use rand::seq::IndexedRandom;
use rand::{Rng, SeedableRng};

use quarry_runtime::job::JobSnapshot;

use crate::fixture::Home;

/// Texts of each test.
const TEXTS: usize = 150;

/// Queries to mutate.
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

/// Scripts of HiveQL to mutate.
const SCRIPTS: [&str; 8] = [
    "from transactions t insert overwrite table a select t.hash where t.value > 1 insert into b select count(*)",
    "select a.x, b.y from ( select explode( array( 1 , 2 ) ) as x ) a left semi join ( select 1 as y ) b on a.x = b.y sort by x",
    "select g, grouping__id, sum( value ) over ( distribute by g sort by value ) from token_transfers lateral view outer posexplode( split( 'a,b' , ',' ) ) e as p, g group by g with rollup",
    "create table t ( a int, b array<struct<x:int>> ) partitioned by ( d string ) ; insert into t partition ( d = {{x}} ) values ( 1 , null ) ; select b.x from t",
    "select map( 'a' , value )['a'] , struct( hash , 1 ).col2 , value div 2 , value <=> null from token_transfers where from_address rlike 'a' limit 3",
    "select * from blocks intersect all select * from blocks union all select * from blocks limit 2 , 1",
    "select date '2024-01-01' + interval '1-2' year to month , 5 days , date '2024-01-01' - date '2023-01-01' < interval ( 1 + 2 ) day",
    "with q as ( select from_address as f , collect_set( value ) as s from token_transfers group by from_address ) select f , s[0] , size( s ) from q where ( f , 1 ) in ( ( '0x0a' , 1 ) , ( null , 2 ) )",
];

/// Words, operators and values to insert.
const WORDS: &str = "\
    select | from | where | group by | order by | ( | ) | , | * | transactions | token_transfers | value | \
    hash | null | 0 | 1e77 | -1 | 0x | 0xff | '0xZZ' | 'text' | '' | interval '1' day | cast(1 as uint256) | \
    coalesce(value, 'x') | sum(value) | case when | then | else | end | in | between | and | not | like | \
    over () | :: | date '2024-01-01' | [1, 2] | [[ | {{x}} | {{ | }} | ' | \" | `a.b` | -- | %";

/// Arguments of functions, mostly of unexpected types.
const VALUES: &str = "\
    null | '' | '0x' | 0 | -1 | 9223372036854775807 | 1e76 | 1.5 | true | 0x00 | value | hash | [] | [null] | \
    date '0001-01-01' | 115792089237316195423570985008687907853269984665640564039457584007913129639935";

fn check(job: JobSnapshot, text: &str) {
    if let Some(error) = job.error {
        assert_ne!(error.code, "internal_error", "{text}\n{}", error.message);
        assert!(!error.message.is_empty(), "{text}");
    }
}

#[tokio::test]
async fn mutated_queries_have_no_internal_errors() {
    let home = Home::chain().await;
    let mut random = StdRng::seed_from_u64(4);
    for _ in 0..TEXTS {
        let text = mutated(&QUERIES, &mut random);
        check(home.run(&text).await, &text);
    }
}

#[tokio::test]
async fn mutated_scripts_have_no_internal_errors() {
    let home = Home::chain().await;
    let mut random = StdRng::seed_from_u64(6);
    for _ in 0..TEXTS {
        let text = mutated(&SCRIPTS, &mut random);
        check(home.hive("fuzz", &text).await, &text);
    }
}

/// One of the texts, with words removed, inserted and replaced.
fn mutated(texts: &[&'static str], random: &mut StdRng) -> String {
    let inserted: Vec<&str> = WORDS.split(" | ").collect();
    let mut words: Vec<&str> = texts.choose(random).unwrap().split(' ').collect();
    for _ in 0..random.random_range(1..4) {
        let place = random.random_range(0..words.len());
        match random.random_range(0..3) {
            0 => drop(words.remove(place)),
            1 => words.insert(place, inserted.choose(random).unwrap()),
            _ => words[place] = inserted.choose(random).unwrap(),
        }
        if words.is_empty() {
            break;
        }
    }
    words.join(" ")
}

#[tokio::test]
async fn functions_with_random_arguments_have_no_internal_errors() {
    let home = Home::chain().await;
    let mut random = StdRng::seed_from_u64(5);
    let functions = home.engine.catalog().await.unwrap().functions;
    let arguments: Vec<&str> = VALUES.split(" | ").collect();
    let ours: Vec<_> = functions.iter().filter(|function| function.example.starts_with("select")).collect();
    for _ in 0..TEXTS {
        let function = ours.choose(&mut random).unwrap();
        let count = random.random_range(0..4);
        let values: Vec<&str> = (0..count).map(|_| *arguments.choose(&mut random).unwrap()).collect();
        let text = format!("select {}({}) from token_transfers limit 2", function.name, values.join(", "));
        check(home.run(&text).await, &text);
    }
}
