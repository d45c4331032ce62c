//! What the settings say about logging in at a provider.

use openidconnect::{ClientId, ClientSecret, IssuerUrl, RedirectUrl, Scope};
use reqwest::Url;

use super::provider::Registered;
use crate::auth::rules;
use crate::config::Secret;

/// The page of the web app that the provider sends people back to.
pub const CALLBACK: &str = "/auth/provider";
/// Longest label of the button, in characters.
const LABEL: usize = 40;

/// Logging in at a provider.
#[derive(Debug, Clone)]
pub struct OidcOptions {
    /// Address of the provider, exactly as its tokens name it.
    pub issuer: String,
    pub client_id: String,
    /// Absent for a client that the provider knows as public.
    pub client_secret: Option<Secret>,
    /// Where people reach this server.
    pub public_url: String,
    /// Separated by spaces.
    pub scopes: String,
    /// What the button of the log-in page says.
    pub label: Option<String>,
    /// The claim that holds roles; Quarry's own roles stay as they are without it.
    pub role_claim: Option<String>,
    pub roles: RoleMap,
    /// Whether somebody without an account gets one at their first log-in.
    pub create_accounts: bool,
    /// Whether somebody without an account gets the one with their email address, if the provider has verified that.
    pub link_email: bool,
}

impl OidcOptions {
    /// Whether each setting can be used; asks nobody.
    pub fn check(&self) -> anyhow::Result<()> {
        self.registered().map(|_| ())
    }

    /// The same as the protocol needs it, or which setting can't be used.
    pub(super) fn registered(&self) -> anyhow::Result<Registered> {
        let address = |setting: &str, text: &str| {
            let url: Option<Url> = text.parse().ok();
            let url = url.filter(|url| url.scheme() == "https" || url.scheme() == "http" && is_local(url));
            anyhow::ensure!(url.is_some(), "the setting {setting} must be an address with https://");
            Ok(())
        };
        address("oidc_issuer", &self.issuer)?;
        address("public_url", &self.public_url)?;
        if let Some(label) = &self.label {
            let fits = rules::one_line(label) && label.chars().count() <= LABEL;
            anyhow::ensure!(fits, "the setting oidc_label must be one line of at most {LABEL} characters");
        }
        let scopes = self.scopes.split_whitespace().filter(|scope| *scope != "openid");
        Ok(Registered {
            issuer: IssuerUrl::new(self.issuer.clone())?,
            client: ClientId::new(self.client_id.clone()),
            secret: self.client_secret.as_ref().map(|secret| ClientSecret::new(secret.0.clone())),
            redirect: RedirectUrl::new(format!("{}{CALLBACK}", self.public_url.trim_end_matches('/')))?,
            scopes: scopes.map(|scope| Scope::new(scope.to_string())).collect(),
        })
    }
}

/// Whether it is this machine, where nobody listens in between.
fn is_local(url: &Url) -> bool {
    let host = url.host_str().unwrap_or_default().trim_matches(['[', ']']);
    host == "localhost" || host.parse::<std::net::IpAddr>().is_ok_and(|address| address.is_loopback())
}

/// Maps values of the provider's role claim to roles of Quarry. The first match wins.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RoleMap(pub Vec<(String, String)>);

impl RoleMap {
    /// The roles for these claim values, in the order of the map.
    pub fn roles_for<'a>(&'a self, values: &'a [String]) -> impl Iterator<Item = &'a str> {
        let held = |(value, role): &'a (String, String)| values.contains(value).then_some(role.as_str());
        self.0.iter().filter_map(held)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn options(issuer: &str, public_url: &str) -> OidcOptions {
        OidcOptions {
            issuer: issuer.to_string(),
            client_id: "quarry".to_string(),
            client_secret: Some(Secret("s3cret".to_string())),
            public_url: public_url.to_string(),
            scopes: "openid email".to_string(),
            label: None,
            role_claim: None,
            roles: RoleMap::default(),
            create_accounts: false,
            link_email: false,
        }
    }

    #[test]
    fn addresses_are_https_but_on_this_machine() {
        let good = options("https://login.example.org/realms/one", "https://quarry.example.org/").registered().unwrap();
        assert_eq!(good.redirect.as_str(), "https://quarry.example.org/auth/provider");
        assert_eq!(good.issuer.as_str(), "https://login.example.org/realms/one");
        assert_eq!(good.scopes.len(), 1, "openid goes without saying");
        for local in ["http://localhost:8080", "http://127.0.0.1:8080", "http://[::1]:8080"] {
            assert!(options(local, local).registered().is_ok(), "{local}");
        }
        for bad in ["", "login.example.org", "http://login.example.org", "http://localhost.example.org", "file:///x"] {
            assert!(options(bad, "https://quarry.example.org").registered().is_err(), "{bad}");
            assert!(options("https://login.example.org", bad).registered().is_err(), "{bad}");
        }
    }

    #[test]
    fn the_first_mapping_that_somebody_has_counts() {
        let pair = |value: &str, role: &str| (value.to_string(), role.to_string());
        let map = RoleMap(vec![pair("admins", "admin"), pair("staff", "analyst"), pair("all", "reader")]);
        let held = ["all", "staff", "other"].map(str::to_string);
        assert_eq!(map.roles_for(&held).collect::<Vec<_>>(), ["analyst", "reader"]);
        assert_eq!(map.roles_for(&[]).count(), 0);
    }

    #[test]
    fn the_secret_is_never_shown() {
        let text = format!("{:?}", options("https://login.example.org", "https://quarry.example.org"));
        assert!(!text.contains("s3cret"), "{text}");
    }
}
