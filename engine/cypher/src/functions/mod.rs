//! Functions of the language: one list of scalar ones, one of aggregates.

mod aggregates;
mod convert;
mod elements;
mod function;
mod lists;
mod maths;
mod temporal;
mod texts;

use function::{INTEGERS, LISTS, LISTS_OR_TEXTS, NUMBERS, TEXTS, plain, whole, wrong};

pub(super) use aggregates::{Accumulator, Aggregator};
pub(super) use convert::text_of;
pub(super) use function::{Context, Function};

const GROUPS: &[&[Function]] = &[
    convert::FUNCTIONS,
    elements::FUNCTIONS,
    lists::FUNCTIONS,
    maths::FUNCTIONS,
    temporal::FUNCTIONS,
    texts::FUNCTIONS,
];

/// A scalar function by its name, in any case.
pub(super) fn function(name: &str) -> Option<&'static Function> {
    GROUPS.iter().flat_map(|group| group.iter()).find(|function| function.name.eq_ignore_ascii_case(name))
}

/// An aggregate by its name, in any case.
pub(super) fn aggregator(name: &str) -> Option<&'static Aggregator> {
    aggregates::AGGREGATORS.iter().find(|one| one.name.eq_ignore_ascii_case(name))
}

/// The names of all functions, for suggestions and documentation.
pub(super) fn names() -> impl Iterator<Item = &'static str> {
    let scalar = GROUPS.iter().flat_map(|group| group.iter()).map(|function| function.name);
    scalar.chain(aggregates::AGGREGATORS.iter().map(|one| one.name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_name_is_taken_twice() {
        let mut all: Vec<String> = names().map(str::to_lowercase).collect();
        let count = all.len();
        all.sort();
        all.dedup();
        assert_eq!(all.len(), count);
    }
}
