//! The settings of logging in at a provider, which belong together.

use super::{BadSetting, Settings, Value};
use crate::auth::oidc::{OidcOptions, RoleMap};

impl Settings {
    /// Logging in at a provider, where the settings name one.
    pub fn oidc(&self) -> Result<Option<OidcOptions>, BadSetting> {
        let Some(issuer) = self.oidc_issuer.0.clone() else {
            if !self.password_login {
                let why = "The setting password_login can only be false where oidc_issuer names a provider.";
                return Err(BadSetting(why.to_string()));
            }
            return Ok(None);
        };
        let missing = |key: &str| BadSetting(format!("The setting oidc_issuer needs the setting {key} beside it."));
        let options = OidcOptions {
            issuer,
            client_id: self.oidc_client_id.0.clone().ok_or_else(|| missing("oidc_client_id"))?,
            client_secret: self.oidc_client_secret.0.clone(),
            public_url: self.public_url.0.clone().ok_or_else(|| missing("public_url"))?,
            scopes: self.oidc_scopes.clone(),
            label: self.oidc_label.0.clone(),
            role_claim: self.oidc_role_claim.0.clone(),
            roles: self.oidc_roles.clone(),
            create_accounts: self.oidc_create_accounts,
            link_email: self.oidc_link_email,
        };
        options.check().map_err(|error| BadSetting(format!("The log-in provider can't be used: {error}.")))?;
        Ok(Some(options))
    }
}

impl Value for RoleMap {
    fn parse(text: &str) -> Result<RoleMap, String> {
        let pairs = text.split(',').map(str::trim).filter(|pair| !pair.is_empty());
        let pair = |pair: &str| {
            // A value may have an equals sign, a role has none.
            let (value, role) = pair.rsplit_once('=')?;
            let (value, role) = (value.trim(), role.trim());
            (!value.is_empty() && !role.is_empty()).then(|| (value.to_string(), role.to_string()))
        };
        let all: Option<Vec<_>> = pairs.map(pair).collect();
        all.map(RoleMap).ok_or_else(|| "a list such as `quarry-admins=admin, staff=analyst`".to_string())
    }

    fn show(&self) -> String {
        self.0.iter().map(|(value, role)| format!("{value}={role}")).collect::<Vec<_>>().join(", ")
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Optional, defaults};
    use super::*;

    #[test]
    fn a_mapping_is_read_and_shown() {
        let map = RoleMap::parse("cn=admins=admin,  staff = analyst ,").unwrap();
        assert_eq!(map.show(), "cn=admins=admin, staff=analyst");
        assert_eq!(map.0[0], ("cn=admins".to_string(), "admin".to_string()));
        assert_eq!(RoleMap::parse("").unwrap(), RoleMap::default());
        for bad in ["admins", "=admin", "admins=", "a=b,c"] {
            assert!(RoleMap::parse(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn a_provider_needs_its_other_settings_and_passwords_a_provider() {
        let mut settings = defaults();
        assert!(settings.oidc().unwrap().is_none());
        settings.password_login = false;
        assert!(settings.oidc().unwrap_err().0.contains("oidc_issuer"));
        settings.oidc_issuer = Optional(Some("https://login.example.org".to_string()));
        assert!(settings.oidc().unwrap_err().0.contains("oidc_client_id"));
        settings.oidc_client_id = Optional(Some("quarry".to_string()));
        assert!(settings.oidc().unwrap_err().0.contains("public_url"));
        settings.public_url = Optional(Some("https://quarry.example.org".to_string()));
        let options = settings.oidc().unwrap().unwrap();
        settings.public_url = Optional(Some("quarry.example.org".to_string()));
        assert!(settings.oidc().unwrap_err().0.contains("the setting public_url must be an address with https://"));
        assert!(!options.create_accounts && !options.link_email, "nobody gets in unless the operator says so");
        assert_eq!(options.scopes, "openid email profile");
    }
}
