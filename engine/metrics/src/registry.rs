//! The list of all metrics.

use std::sync::LazyLock;

use super::metric::Metric;
use super::{address, blockchain, fees, market, mining, protocols, supply, tokens, transactions};

static ALL: LazyLock<Vec<&'static Metric>> = LazyLock::new(|| {
    let groups: [&[&Metric]; 9] = [
        &address::ALL,
        &blockchain::ALL,
        &fees::ALL,
        &market::ALL,
        &mining::ALL,
        &protocols::ALL,
        &supply::ALL,
        &tokens::ALL,
        &transactions::ALL,
    ];
    groups.concat()
});

/// All metrics, in the order of the documentation.
pub fn all() -> &'static [&'static Metric] {
    &ALL
}

impl Metric {
    /// Its index among all metrics.
    pub fn index(&self) -> Option<usize> {
        all().iter().position(|one| std::ptr::eq(*one, self))
    }
}

/// Finds a metric by the names of a request. Ignores letter case, and `_` equals `-`.
pub fn find(category: &str, name: &str) -> Option<&'static Metric> {
    let normalize = |text: &str| text.to_ascii_lowercase().replace('_', "-");
    let (category, name) = (normalize(category), normalize(name));
    let in_category = all().iter().filter(|metric| metric.category.name() == category);
    in_category.copied().find(|metric| metric.name == name || metric.aliases.contains(&name.as_str()))
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn names_are_unique() {
        let mut names = HashSet::new();
        for metric in all() {
            for name in [&metric.name].into_iter().chain(metric.aliases) {
                let path = format!("{}/{name}", metric.category.name());
                assert!(names.insert(path.clone()), "{path} is there twice");
                assert!(std::ptr::eq(find(metric.category.name(), name).unwrap(), *metric));
                assert!(
                    name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || "-.".contains(c)),
                    "{path}"
                );
            }
            for text in [metric.title, metric.definition] {
                assert!(!text.en.is_empty() && !text.zh.is_ascii(), "{}", metric.path());
            }
        }
        assert!(find("Address", "BALANCE_1K").is_some());
        assert!(find("fees", "new").is_none());
    }
}
