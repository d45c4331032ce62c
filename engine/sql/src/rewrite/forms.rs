//! Documentation of the functions that are forms of others, which are rewritten before planning, and of those that every
//! query has its own of.

use quarry_functions::Doc;
use quarry_functions::now::{CLOCK_DOC, NOW_DOC, TODAY_DOC};

/// A name, whether it is `scalar` or `aggregate`, and what is said of it.
pub type Form = (&'static str, &'static str, Doc);

/// A scalar function, whose name is that of its signature.
pub(super) const fn scalar(signature: &'static str, text: &'static str, example: &'static str) -> Form {
    form("scalar", signature, text, example)
}

pub(super) const fn aggregate(signature: &'static str, text: &'static str, example: &'static str) -> Form {
    form("aggregate", signature, text, example)
}

const fn form(kind: &'static str, signature: &'static str, text: &'static str, example: &'static str) -> Form {
    let mut end = 0;
    while signature.as_bytes()[end] != b'(' {
        end += 1;
    }
    (signature.split_at(end).0, kind, Doc { signature, text, example })
}

/// Every such name.
pub(super) const FORMS: &[Form] = &[
    ("now", "scalar", NOW_DOC),
    ("current_date", "scalar", TODAY_DOC),
    ("current_time", "scalar", CLOCK_DOC),
    aggregate(
        "count_if(condition)",
        "Rows for which the condition is true.",
        "select count_if(receipt_status = 1) from transactions",
    ),
    aggregate(
        "max_by(value, key)",
        "The value of the row with the largest key; rows without a key don't count.",
        "select max_by(hash, value) from transactions",
    ),
    aggregate(
        "min_by(value, key)",
        "The value of the row with the smallest key; rows without a key don't count.",
        "select min_by(hash, block_timestamp) from transactions",
    ),
    aggregate("arbitrary(value)", "Any value that is not null.", "select arbitrary(miner) from blocks"),
    aggregate(
        "listagg(text, separator) within group (order by key)",
        "The texts of a group as one, in order, parted by the separator.",
        "select listagg(standard, ', ') within group (order by log_index) from token_transfers",
    ),
    aggregate(
        "group_concat(text order by key separator ',')",
        "The texts of a group as one, parted by a comma unless another separator is given.",
        "select group_concat(standard) from token_transfers",
    ),
    scalar(
        "if(condition, value, other)",
        "The value when the condition is true, else the other one, or null without it.",
        "select if(receipt_status = 1, 'ok', 'failed') from transactions limit 1",
    ),
    scalar("safe_divide(number, by)", "A division, with null where it would be by zero.", "select safe_divide(1, 0)"),
    scalar("slice(list, first, length)", "A part of a list, counted from 1.", "select slice([10, 20, 30, 40], 2, 2)"),
    scalar(
        "dateadd(unit, number, time)",
        "A time moved by a number of units; the same as date_add.",
        "select dateadd(day, -7, timestamp '2024-03-01 00:00:00')",
    ),
    scalar(
        "timestamp_add(time, interval)",
        "A time and an interval added, as BigQuery writes it.",
        "select timestamp_add(timestamp '2024-03-01 00:00:00', interval 1 hour)",
    ),
    scalar(
        "timestamp_sub(time, interval)",
        "A time moved back by an interval, as BigQuery writes it.",
        "select timestamp_sub(timestamp '2024-03-01 00:00:00', interval 1 day)",
    ),
    scalar(
        "timestamp_diff(later, earlier, unit)",
        "Whole units that passed between two times, as BigQuery writes it.",
        "select timestamp_diff(timestamp '2024-03-01 00:00:00', timestamp '2024-02-01 12:00:00', day)",
    ),
    scalar(
        "timestamp_trunc(time, unit)",
        "The start of the unit that a time lies in, as BigQuery writes it.",
        "select timestamp_trunc(block_timestamp, day) from transactions limit 1",
    ),
    scalar(
        "get_href(link, text)",
        "A link as Dune writes it, in HTML.",
        "select get_href('https://ethereum.org', 'Ethereum')",
    ),
    scalar(
        "get_chain_explorer(chain)",
        "The address of the site that shows blocks and transactions of a chain; null for chains not held here.",
        "select get_chain_explorer('ethereum')",
    ),
    scalar(
        "get_chain_explorer_address(chain, address)",
        "The page of an address on the chain's explorer.",
        "select get_chain_explorer_address('ethereum', to_address) from transactions limit 1",
    ),
    scalar(
        "get_chain_explorer_tx_hash(chain, hash)",
        "The page of a transaction on the chain's explorer.",
        "select get_chain_explorer_tx_hash('ethereum', hash) from transactions limit 1",
    ),
    aggregate(
        "map_agg(key, value)",
        "A map of the keys of a group to their values.",
        "select map_agg(number, gas_used) from blocks where number < 5",
    ),
    aggregate(
        "multimap_agg(key, value)",
        "A map of the keys of a group to the lists of their values.",
        "select multimap_agg(miner, number) from blocks where number < 5",
    ),
    aggregate(
        "map_union(map)",
        "One map of the maps of a group; of a key in more than one any value counts.",
        "select map_union(map([miner], [number])) from blocks",
    ),
    aggregate(
        "reduce_agg(value, first, (state, value) -> state, (state, state) -> state)",
        "One value of a group: the first lambda takes the state and each value in turn; the second puts states together, where there are several.",
        "select reduce_agg(number, 0, (s, x) -> s + x, (a, b) -> a + b) from blocks",
    ),
    aggregate(
        "approx_most_frequent(count, value, capacity)",
        "The values that a group has most often, so many at most, as a map to how often each is there; it is exact here.",
        "select approx_most_frequent(3, transaction_type, 100) from transactions",
    ),
    aggregate(
        "histogram(value)",
        "A map of the values of a group to how often each is there.",
        "select histogram(transaction_type) from transactions",
    ),
    aggregate(
        "geometric_mean(number)",
        "The geometric mean of numbers above zero.",
        "select geometric_mean(gas_used) from blocks where gas_used > 0",
    ),
    aggregate(
        "approx_quantiles(number, parts)",
        "The values that divide a group into so many parts, with the least and the greatest, as BigQuery writes it.",
        "select approx_quantiles(gas_used, 4) from blocks",
    ),
    aggregate(
        "every(condition)",
        "Whether the condition is true for all rows.",
        "select every(gas_used <= gas_limit) from blocks",
    ),
    scalar(
        "transform(list, item -> value)",
        "The list of what the lambda makes of each item.",
        "select transform([1, 2, 3], x -> x * 2)",
    ),
    scalar(
        "filter(list, item -> condition)",
        "The items of a list for which the condition is true.",
        "select filter([1, 2, 3], x -> x > 1)",
    ),
    scalar(
        "any_match(list, item -> condition)",
        "Whether the condition is true for an item of a list.",
        "select any_match([1, 2, 3], x -> x > 2)",
    ),
    scalar(
        "all_match(list, item -> condition)",
        "Whether the condition is true for every item of a list.",
        "select all_match([1, 2, 3], x -> x > 0)",
    ),
    scalar(
        "none_match(list, item -> condition)",
        "Whether the condition is true for no item of a list.",
        "select none_match([1, 2, 3], x -> x > 3)",
    ),
    scalar("shuffle(list)", "The items of a list in another order each time.", "select shuffle([1, 2, 3])"),
    scalar(
        "width_bucket(number, low, high, count)",
        "Which of so many equal parts between two bounds a number lies in, from 1; 0 below them and count + 1 above.",
        "select width_bucket(gas_used, 0, 30000000, 10) from blocks limit 1",
    ),
    scalar(
        "url_encode(text)",
        "The text with the letters escaped that have a meaning in a web address.",
        "select url_encode('a b&c')",
    ),
    scalar("url_decode(text)", "The text that was escaped for a web address.", "select url_decode('a%20b%26c')"),
    scalar(
        "soundex(text)",
        "A letter and three digits that texts share which sound alike in English.",
        "select soundex('Robert'), soundex('Rupert')",
    ),
    scalar(
        "zip(list, list, …)",
        "The list of rows of the items that stand at the same place in several lists; a shorter one goes on with nulls.",
        "select zip([1, 2], ['a', 'b'])",
    ),
    ("format", "scalar", format_doc("format(pattern, values…)", "select format('%s: %d', 'blocks', 5)")),
    ("printf", "scalar", format_doc("printf(pattern, values…)", "select printf('%05d', 42)")),
    ("format_string", "scalar", format_doc("format_string(pattern, values…)", "select format_string('%.2f', 1.5e0)")),
];

/// Three names of one function.
const fn format_doc(signature: &'static str, example: &'static str) -> Doc {
    Doc {
        signature,
        text: "The pattern with values in the places of %s, %d, %x, %.2f …, as Java formats them.",
        example,
    }
}
