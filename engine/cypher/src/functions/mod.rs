//! Functions of the language: a list of scalar ones for each subject, and one of aggregates.

mod aggregates;
mod convert;
mod elements;
mod function;
mod lists;
mod math;
mod strings;
mod temporal;

use function::{INTEGERS, LISTS, LISTS_OR_TEXTS, NUMBERS, TEXTS, function, wrong};

pub(super) use aggregates::{Accumulator, Aggregator};
pub(super) use convert::text_of;
pub(super) use function::{Arguments, Context, Function};

const GROUPS: &[&[Function]] = &[
    convert::FUNCTIONS,
    elements::FUNCTIONS,
    lists::FUNCTIONS,
    math::FUNCTIONS,
    strings::FUNCTIONS,
    temporal::DATE,
    temporal::DATE_TIME,
    temporal::LOCAL_DATE_TIME,
    temporal::LOCAL_TIME,
    temporal::OTHERS,
    temporal::TIME,
];

/// A scalar function by its name, in any case.
pub(super) fn find_function(name: &str) -> Option<&'static Function> {
    GROUPS.iter().flat_map(|group| group.iter()).find(|function| function.name.eq_ignore_ascii_case(name))
}

/// An aggregate by its name, in any case.
pub(super) fn find_aggregator(name: &str) -> Option<&'static Aggregator> {
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
        let mut seen = std::collections::HashSet::new();
        for name in names() {
            assert!(seen.insert(name.to_lowercase()), "{name}");
        }
    }
}
