//! What `serve` and `worker` have in common: the settings of a cluster.

use std::net::SocketAddr;
use std::path::PathBuf;

use quarry_cluster::{Access, TlsFiles};
use url::Url;

use super::CliError;
use crate::config::Settings;

/// How the processes of the cluster know each other. `secret`: the file of this command in place of the setting.
pub fn access(settings: &Settings, secret: Option<PathBuf>) -> Result<Access, CliError> {
    let secret = secret.or_else(|| settings.cluster_secret_file.0.as_ref().map(PathBuf::from));
    let tls = match (&settings.tls_ca.0, &settings.tls_cert.0, &settings.tls_key.0) {
        (None, ..) => None,
        (Some(authority), Some(certificate), Some(key)) => Some(TlsFiles {
            certificate: PathBuf::from(certificate),
            key: PathBuf::from(key),
            authority: PathBuf::from(authority),
        }),
        _ => return Err(CliError::Usage("The setting tls_ca needs tls_cert and tls_key.".to_string())),
    };
    Ok(Access::read(secret.as_deref(), tls.as_ref())?)
}

/// The address at which others reach a listener: the given one, or that of the listener.
///
/// # Errors
///
/// The listener has all addresses of the machine, so nobody knows which of them others reach.
pub fn advertised(given: Option<Url>, listening: SocketAddr, access: &Access, flag: &str) -> Result<Url, CliError> {
    if let Some(url) = given {
        return if url.scheme() == access.scheme() {
            Ok(url)
        } else {
            let message =
                format!("The address of --{flag} must begin with {}://, as all of this cluster.", access.scheme());
            Err(CliError::Usage(message))
        };
    }
    if listening.ip().is_unspecified() {
        let message = format!("Name the address at which others reach {listening} with --{flag}.");
        return Err(CliError::Usage(message));
    }
    let url = Url::parse(&format!("{}://{listening}", access.scheme()));
    url.map_err(|error| CliError::Failed(error.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_listener_on_all_addresses_needs_a_name() {
        let access = Access::default();
        let of = |given: Option<&str>, listening: &str| {
            let given = given.map(|url| Url::parse(url).unwrap());
            advertised(given, listening.parse().unwrap(), &access, "advertise").map(|url| url.to_string())
        };
        assert_eq!(of(None, "127.0.0.1:8790").unwrap(), "http://127.0.0.1:8790/");
        assert_eq!(of(Some("http://10.0.0.5:1"), "0.0.0.0:1").unwrap(), "http://10.0.0.5:1/");
        assert!(matches!(of(None, "0.0.0.0:8790"), Err(CliError::Usage(_))));
        assert!(matches!(of(Some("https://10.0.0.5:1"), "0.0.0.0:1"), Err(CliError::Usage(_))));
    }
}
