//! Where a key may be used, and for what. An empty list allows everything.

use std::net::IpAddr;

use quarry_metrics as metrics;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::http::ApiError;

/// Entries of each list.
const MOST: usize = 50;
/// Characters of an entry.
const LONGEST: usize = 255;

/// What a key is restricted to; an empty list restricts nothing.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Restrictions {
    /// Hosts of the pages that may use it, such as `example.org`; `*.example.org` means all below it.
    pub referrers: Vec<String>,
    /// Addresses it may be used from, such as `192.0.2.7` or `2001:db8::/32`.
    pub addresses: Vec<String>,
    /// Metrics it may read: `category` or `category/metric`.
    pub metrics: Vec<String>,
}

impl Restrictions {
    /// The same without blanks and in lower case, or what is wrong with it.
    pub fn checked(self) -> Result<Restrictions, ApiError> {
        let tidy = |list: Vec<String>, param: &'static str, good: &dyn Fn(&str) -> bool| {
            if list.len() > MOST {
                return Err(ApiError::invalid(param, format!("A list of restrictions has at most {MOST} entries.")));
            }
            let list: Vec<String> = list.iter().map(|entry| entry.trim().to_lowercase()).collect();
            match list.iter().find(|entry| entry.len() > LONGEST || !good(entry)) {
                Some(bad) if param == "metrics" => {
                    let msg = format!("There is no metric and no category of metrics called {bad:?}.");
                    Err(ApiError::invalid(param, msg))
                }
                Some(bad) => Err(ApiError::invalid(param, format!("{bad:?} can't be restricted to."))),
                None => Ok(list),
            }
        };
        Ok(Restrictions {
            referrers: tidy(self.referrers, "referrers", &is_host)?,
            addresses: tidy(self.addresses, "addresses", &|entry| Net::parse(entry).is_some())?,
            metrics: tidy(self.metrics.iter().map(|entry| named(entry)).collect(), "metrics", &is_metric)?,
        })
    }

    pub fn allow_address(&self, address: IpAddr) -> bool {
        let mut nets = self.addresses.iter().filter_map(|entry| Net::parse(entry));
        self.addresses.is_empty() || nets.any(|net| net.holds(address))
    }

    /// A request that does not say where it comes from is not from an allowed page.
    pub fn allow_referrer(&self, referrer: Option<&str>) -> bool {
        if self.referrers.is_empty() {
            return true;
        }
        let Some(host) = referrer.and_then(host_of) else { return false };
        self.referrers.iter().any(|allowed| match allowed.strip_prefix("*.") {
            Some(parent) => host.strip_suffix(parent).is_some_and(|rest| rest.ends_with('.')),
            None => host == *allowed,
        })
    }

    pub fn allow_metric(&self, metric: &str) -> bool {
        let category = metric.split('/').next().unwrap_or_default();
        self.metrics.is_empty() || self.metrics.iter().any(|allowed| allowed == metric || allowed == category)
    }
}

/// Host of a web address in lower case, without its port.
fn host_of(referrer: &str) -> Option<String> {
    let (_, rest) = referrer.split_once("://")?;
    let authority = rest.split(['/', '?', '#']).next()?;
    let host = authority.rsplit('@').next()?;
    let host = match host.strip_prefix('[') {
        Some(rest) => rest.split(']').next()?,
        None => host.split(':').next()?,
    };
    (!host.is_empty()).then(|| host.to_lowercase())
}

fn is_host(entry: &str) -> bool {
    let name = entry.strip_prefix("*.").unwrap_or(entry);
    let label = |label: &str| !label.is_empty() && label.chars().all(|c| c.is_alphanumeric() || c == '-');
    name.split('.').all(label)
}

/// The metric by its own name, where it is called by another one that it answers to.
fn named(entry: &str) -> String {
    let metric = entry.trim().split_once('/').and_then(|(category, name)| metrics::find(category, name));
    metric.map_or_else(|| entry.to_string(), |metric| metric.path())
}

/// A metric that goes later allows nothing, which does no harm.
fn is_metric(entry: &str) -> bool {
    metrics::all().iter().any(|metric| {
        let path = metric.path();
        path == entry || path.split('/').next() == Some(entry)
    })
}

/// An address, or all whose first bits are the same.
#[derive(Debug, Clone, Copy)]
struct Net {
    address: IpAddr,
    bits: u32,
}

impl Net {
    fn parse(text: &str) -> Option<Net> {
        let (address, bits) = match text.split_once('/') {
            Some((address, bits)) => (address, Some(bits.parse::<u32>().ok()?)),
            None => (text, None),
        };
        let address: IpAddr = address.parse().ok()?;
        let most = if address.is_ipv4() { 32 } else { 128 };
        let bits = bits.unwrap_or(most);
        (bits <= most).then_some(Net { address, bits })
    }

    fn holds(self, address: IpAddr) -> bool {
        let same = |ours: u128, theirs: u128, width: u32| {
            let rest = width - self.bits;
            rest == width || ours >> rest == theirs >> rest
        };
        match (self.address, address.to_canonical()) {
            (IpAddr::V4(ours), IpAddr::V4(theirs)) => same(ours.to_bits().into(), theirs.to_bits().into(), 32),
            (IpAddr::V6(ours), IpAddr::V6(theirs)) => same(ours.to_bits(), theirs.to_bits(), 128),
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn restricted(referrers: &[&str], addresses: &[&str], metrics: &[&str]) -> Restrictions {
        let list = |entries: &[&str]| entries.iter().map(ToString::to_string).collect();
        Restrictions { referrers: list(referrers), addresses: list(addresses), metrics: list(metrics) }
    }

    #[test]
    fn nothing_is_restricted_by_empty_lists() {
        let free = Restrictions::default();
        assert!(free.allow_address([1, 2, 3, 4].into()) && free.allow_referrer(None) && free.allow_metric("fees/x"));
    }

    #[test]
    fn addresses_are_compared_by_their_first_bits() {
        let rules = restricted(&[], &["192.0.2.0/24", "2001:db8::/32", "10.0.0.1"], &[]);
        for (address, allowed) in [
            ("192.0.2.255", true),
            ("192.0.3.0", false),
            ("::ffff:192.0.2.1", true),
            ("2001:db8:1::1", true),
            ("2001:db9::1", false),
            ("10.0.0.1", true),
            ("10.0.0.2", false),
        ] {
            assert_eq!(rules.allow_address(address.parse().unwrap()), allowed, "{address}");
        }
        assert!(restricted(&[], &["0.0.0.0/0"], &[]).allow_address([9, 9, 9, 9].into()));
    }

    #[test]
    fn a_page_is_known_by_its_host_alone() {
        let rules = restricted(&["example.org", "*.example.net"], &[], &[]);
        for (referrer, allowed) in [
            ("https://example.org/page?x", true),
            ("https://EXAMPLE.org:8443", true),
            ("https://example.org.evil.com/", false),
            ("https://evil.com/example.org", false),
            ("https://example.org@evil.com/", false),
            ("https://a.b.example.net", true),
            ("https://example.net", false),
            ("https://badexample.net", false),
            ("example.org", false),
        ] {
            assert_eq!(rules.allow_referrer(Some(referrer)), allowed, "{referrer}");
        }
        assert!(!rules.allow_referrer(None));
    }

    #[test]
    fn a_category_allows_its_metrics() {
        let rules = restricted(&[], &[], &["fees", "address/balance-0.1"]);
        assert!(rules.allow_metric("fees/gas-used-mean") && rules.allow_metric("address/balance-0.1"));
        assert!(!rules.allow_metric("address/new") && !rules.allow_metric("feeser/x"));
    }

    #[test]
    fn nonsense_is_refused() {
        for bad in [
            restricted(&["https://example.org"], &[], &[]),
            restricted(&["a..b"], &[], &[]),
            restricted(&[], &["192.0.2.0/33"], &[]),
            restricted(&[], &["here"], &[]),
            restricted(&[], &[], &["a/b/c"]),
            restricted(&[], &[], &["nope/x"]),
            restricted(&[], &[], &["fees/no-such-metric"]),
            restricted(&[], &[], &["fee"]),
            restricted(&[""], &[], &[]),
        ] {
            assert!(bad.clone().checked().is_err(), "{bad:?}");
        }
        let good = restricted(&[" Example.ORG "], &["::1"], &["Fees"]).checked().unwrap();
        assert_eq!(good, restricted(&["example.org"], &["::1"], &["fees"]));
        let renamed = restricted(&[], &[], &[" Address/new_addresses", "market/marketcap"]).checked().unwrap();
        assert_eq!(renamed.metrics, ["address/new", "market/market-cap"], "by the names that requests are compared by");
    }
}
