//! Addresses of other processes as a setting.

use url::Url;

use super::Value;

/// The address of a process: `http://HOST:PORT` or `https://HOST:PORT`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Address(pub Url);

impl Value for Address {
    fn parse(text: &str) -> Result<Address, String> {
        let expected = || format!("an address such as http://10.0.0.5:8790, unlike `{text}`");
        let url = Url::parse(text.trim()).map_err(|_| expected())?;
        let is_plain = matches!(url.scheme(), "http" | "https") && url.has_host() && url.path() == "/";
        if is_plain && url.username().is_empty() && url.query().is_none() { Ok(Address(url)) } else { Err(expected()) }
    }

    fn show(&self) -> String {
        self.0.as_str().trim_end_matches('/').to_string()
    }
}

/// Addresses separated by commas.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Addresses(pub Vec<Url>);

impl Value for Addresses {
    fn parse(text: &str) -> Result<Addresses, String> {
        let parts = text.split(',').map(str::trim).filter(|part| !part.is_empty());
        parts.map(|part| Address::parse(part).map(|address| address.0)).collect::<Result<_, _>>().map(Addresses)
    }

    fn show(&self) -> String {
        self.0.iter().map(|url| Address(url.clone()).show()).collect::<Vec<_>>().join(", ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_of_processes() {
        let addresses = Addresses::parse("http://10.0.0.5:8790, https://worker.internal:8790/").unwrap();
        assert_eq!(addresses.show(), "http://10.0.0.5:8790, https://worker.internal:8790");
        assert!(Addresses::parse("").unwrap().0.is_empty());
        for wrong in ["10.0.0.5:8790", "ftp://a:1", "http://user@a:1", "http://a:1/path", "http://a:1?x=1"] {
            assert!(Address::parse(wrong).is_err(), "{wrong}");
        }
    }
}
