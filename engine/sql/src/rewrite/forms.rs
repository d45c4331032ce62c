//! Documentation of the functions that are forms of others, which are rewritten before planning, and of those that every
//! query has its own of.

use quarry_functions::Doc;
use quarry_functions::now::{CLOCK_DOC, NOW_DOC, TODAY_DOC};

/// A name, whether it is `scalar` or `aggregate`, and what is said of it.
pub type Form = (&'static str, &'static str, Doc);

/// Every such name.
pub(super) const FORMS: [Form; 44] = [
    ("now", "scalar", NOW_DOC),
    ("current_date", "scalar", TODAY_DOC),
    ("current_time", "scalar", CLOCK_DOC),
    (
        "count_if",
        "aggregate",
        Doc {
            signature: "count_if(condition)",
            text: "Rows for which the condition is true.",
            example: "select count_if(receipt_status = 1) from transactions",
        },
    ),
    (
        "max_by",
        "aggregate",
        Doc {
            signature: "max_by(value, key)",
            text: "The value of the row with the largest key; rows without a key don't count.",
            example: "select max_by(hash, value) from transactions",
        },
    ),
    (
        "min_by",
        "aggregate",
        Doc {
            signature: "min_by(value, key)",
            text: "The value of the row with the smallest key; rows without a key don't count.",
            example: "select min_by(hash, block_timestamp) from transactions",
        },
    ),
    (
        "arbitrary",
        "aggregate",
        Doc {
            signature: "arbitrary(value)",
            text: "Any value that is not null.",
            example: "select arbitrary(miner) from blocks",
        },
    ),
    (
        "listagg",
        "aggregate",
        Doc {
            signature: "listagg(text, separator) within group (order by key)",
            text: "The texts of a group as one, in order, parted by the separator.",
            example: "select listagg(standard, ', ') within group (order by log_index) from token_transfers",
        },
    ),
    (
        "group_concat",
        "aggregate",
        Doc {
            signature: "group_concat(text order by key separator ',')",
            text: "The texts of a group as one, parted by a comma unless another separator is given.",
            example: "select group_concat(standard) from token_transfers",
        },
    ),
    (
        "if",
        "scalar",
        Doc {
            signature: "if(condition, value, other)",
            text: "The value when the condition is true, else the other one, or null without it.",
            example: "select if(receipt_status = 1, 'ok', 'failed') from transactions limit 1",
        },
    ),
    (
        "safe_divide",
        "scalar",
        Doc {
            signature: "safe_divide(number, by)",
            text: "A division, with null where it would be by zero.",
            example: "select safe_divide(1, 0)",
        },
    ),
    (
        "slice",
        "scalar",
        Doc {
            signature: "slice(list, first, length)",
            text: "A part of a list, counted from 1.",
            example: "select slice([10, 20, 30, 40], 2, 2)",
        },
    ),
    (
        "dateadd",
        "scalar",
        Doc {
            signature: "dateadd(unit, number, time)",
            text: "A time moved by a number of units; the same as date_add.",
            example: "select dateadd(day, -7, timestamp '2024-03-01 00:00:00')",
        },
    ),
    (
        "timestamp_add",
        "scalar",
        Doc {
            signature: "timestamp_add(time, interval)",
            text: "A time and an interval added, as BigQuery writes it.",
            example: "select timestamp_add(timestamp '2024-03-01 00:00:00', interval 1 hour)",
        },
    ),
    (
        "timestamp_sub",
        "scalar",
        Doc {
            signature: "timestamp_sub(time, interval)",
            text: "A time moved back by an interval, as BigQuery writes it.",
            example: "select timestamp_sub(timestamp '2024-03-01 00:00:00', interval 1 day)",
        },
    ),
    (
        "timestamp_diff",
        "scalar",
        Doc {
            signature: "timestamp_diff(later, earlier, unit)",
            text: "Whole units that passed between two times, as BigQuery writes it.",
            example: "select timestamp_diff(timestamp '2024-03-01 00:00:00', timestamp '2024-02-01 12:00:00', day)",
        },
    ),
    (
        "timestamp_trunc",
        "scalar",
        Doc {
            signature: "timestamp_trunc(time, unit)",
            text: "The start of the unit that a time lies in, as BigQuery writes it.",
            example: "select timestamp_trunc(block_timestamp, day) from transactions limit 1",
        },
    ),
    (
        "get_href",
        "scalar",
        Doc {
            signature: "get_href(link, text)",
            text: "A link as Dune writes it, in HTML.",
            example: "select get_href('https://ethereum.org', 'Ethereum')",
        },
    ),
    (
        "get_chain_explorer",
        "scalar",
        Doc {
            signature: "get_chain_explorer(chain)",
            text: "The address of the site that shows blocks and transactions of a chain; null for chains not held here.",
            example: "select get_chain_explorer('ethereum')",
        },
    ),
    (
        "get_chain_explorer_address",
        "scalar",
        Doc {
            signature: "get_chain_explorer_address(chain, address)",
            text: "The page of an address on the chain's explorer.",
            example: "select get_chain_explorer_address('ethereum', to_address) from transactions limit 1",
        },
    ),
    (
        "get_chain_explorer_tx_hash",
        "scalar",
        Doc {
            signature: "get_chain_explorer_tx_hash(chain, hash)",
            text: "The page of a transaction on the chain's explorer.",
            example: "select get_chain_explorer_tx_hash('ethereum', hash) from transactions limit 1",
        },
    ),
    (
        "map_agg",
        "aggregate",
        Doc {
            signature: "map_agg(key, value)",
            text: "A map of the keys of a group to their values.",
            example: "select map_agg(number, gas_used) from blocks where number < 5",
        },
    ),
    (
        "multimap_agg",
        "aggregate",
        Doc {
            signature: "multimap_agg(key, value)",
            text: "A map of the keys of a group to the lists of their values.",
            example: "select multimap_agg(miner, number) from blocks where number < 5",
        },
    ),
    (
        "map_union",
        "aggregate",
        Doc {
            signature: "map_union(map)",
            text: "One map of the maps of a group; of a key in more than one any value counts.",
            example: "select map_union(map([miner], [number])) from blocks",
        },
    ),
    (
        "reduce_agg",
        "aggregate",
        Doc {
            signature: "reduce_agg(value, first, (state, value) -> state, (state, state) -> state)",
            text: "One value of a group: the first lambda takes the state and each value in turn; the second puts states together, where there are several.",
            example: "select reduce_agg(number, 0, (s, x) -> s + x, (a, b) -> a + b) from blocks",
        },
    ),
    (
        "approx_most_frequent",
        "aggregate",
        Doc {
            signature: "approx_most_frequent(count, value, capacity)",
            text: "The values that a group has most often, so many at most, as a map to how often each is there; it is exact here.",
            example: "select approx_most_frequent(3, transaction_type, 100) from transactions",
        },
    ),
    (
        "histogram",
        "aggregate",
        Doc {
            signature: "histogram(value)",
            text: "A map of the values of a group to how often each is there.",
            example: "select histogram(transaction_type) from transactions",
        },
    ),
    (
        "geometric_mean",
        "aggregate",
        Doc {
            signature: "geometric_mean(number)",
            text: "The geometric mean of numbers above zero.",
            example: "select geometric_mean(gas_used) from blocks where gas_used > 0",
        },
    ),
    (
        "approx_quantiles",
        "aggregate",
        Doc {
            signature: "approx_quantiles(number, parts)",
            text: "The values that divide a group into so many parts, with the least and the greatest, as BigQuery writes it.",
            example: "select approx_quantiles(gas_used, 4) from blocks",
        },
    ),
    (
        "every",
        "aggregate",
        Doc {
            signature: "every(condition)",
            text: "Whether the condition is true for all rows.",
            example: "select every(gas_used <= gas_limit) from blocks",
        },
    ),
    (
        "transform",
        "scalar",
        Doc {
            signature: "transform(list, item -> value)",
            text: "The list of what the lambda makes of each item.",
            example: "select transform([1, 2, 3], x -> x * 2)",
        },
    ),
    (
        "filter",
        "scalar",
        Doc {
            signature: "filter(list, item -> condition)",
            text: "The items of a list for which the condition is true.",
            example: "select filter([1, 2, 3], x -> x > 1)",
        },
    ),
    (
        "any_match",
        "scalar",
        Doc {
            signature: "any_match(list, item -> condition)",
            text: "Whether the condition is true for an item of a list.",
            example: "select any_match([1, 2, 3], x -> x > 2)",
        },
    ),
    (
        "all_match",
        "scalar",
        Doc {
            signature: "all_match(list, item -> condition)",
            text: "Whether the condition is true for every item of a list.",
            example: "select all_match([1, 2, 3], x -> x > 0)",
        },
    ),
    (
        "none_match",
        "scalar",
        Doc {
            signature: "none_match(list, item -> condition)",
            text: "Whether the condition is true for no item of a list.",
            example: "select none_match([1, 2, 3], x -> x > 3)",
        },
    ),
    (
        "shuffle",
        "scalar",
        Doc {
            signature: "shuffle(list)",
            text: "The items of a list in another order each time.",
            example: "select shuffle([1, 2, 3])",
        },
    ),
    (
        "width_bucket",
        "scalar",
        Doc {
            signature: "width_bucket(number, low, high, count)",
            text: "Which of so many equal parts between two bounds a number lies in, from 1; 0 below them and count + 1 above.",
            example: "select width_bucket(gas_used, 0, 30000000, 10) from blocks limit 1",
        },
    ),
    (
        "url_encode",
        "scalar",
        Doc {
            signature: "url_encode(text)",
            text: "The text with the letters escaped that have a meaning in a web address.",
            example: "select url_encode('a b&c')",
        },
    ),
    (
        "url_decode",
        "scalar",
        Doc {
            signature: "url_decode(text)",
            text: "The text that was escaped for a web address.",
            example: "select url_decode('a%20b%26c')",
        },
    ),
    (
        "soundex",
        "scalar",
        Doc {
            signature: "soundex(text)",
            text: "A letter and three digits that texts share which sound alike in English.",
            example: "select soundex('Robert'), soundex('Rupert')",
        },
    ),
    (
        "zip",
        "scalar",
        Doc {
            signature: "zip(list, list, …)",
            text: "The list of rows of the items that stand at the same place in several lists; a shorter one goes on with nulls.",
            example: "select zip([1, 2], ['a', 'b'])",
        },
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
