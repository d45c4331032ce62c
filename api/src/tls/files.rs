//! A certificate and its key in files.

use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use tokio::signal::unix::{SignalKind, signal};
use tokio::time::{MissedTickBehavior, interval};
use tokio_rustls::rustls::Error;
use tokio_rustls::rustls::crypto::aws_lc_rs;
use tokio_rustls::rustls::pki_types::pem::{self, PemObject};
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer};
use tokio_rustls::rustls::sign::CertifiedKey;
use tokio_util::sync::CancellationToken;

use super::Certificate;

/// How often the files are looked at.
const LOOK: Duration = Duration::from_secs(3);

/// Where a certificate and its key are, both as PEM.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Files {
    pub certificate: PathBuf,
    pub key: PathBuf,
}

/// What changes when a file is written or replaced: its time of modification and its number.
type Stamp = [Option<(i64, i64, u64)>; 2];

impl Files {
    /// The certificate in these files, or a sentence that says why it can't be used.
    pub fn load(&self) -> Result<Certificate, String> {
        self.read().map(Certificate::new)
    }

    fn read(&self) -> Result<CertifiedKey, String> {
        let (certificate, key) = (self.certificate.display(), self.key.display());
        let chain = chain(&self.certificate).map_err(|error| match error {
            pem::Error::NoItemsFound => format!("The file {certificate} holds no certificate in PEM format."),
            error => format!("The certificate {certificate} can't be read: {}.", why(error)),
        })?;
        let private = PrivateKeyDer::from_pem_file(&self.key).map_err(|error| match error {
            pem::Error::NoItemsFound => format!("The file {key} holds no private key in PEM format."),
            error => format!("The private key {key} can't be read: {}.", why(error)),
        })?;
        CertifiedKey::from_der(chain, private, &aws_lc_rs::default_provider()).map_err(|error| match error {
            Error::InconsistentKeys(_) => {
                format!("The private key {key} does not belong to the certificate {certificate}.")
            }
            error => format!("The certificate {certificate} can't be used with the private key {key}: {error}."),
        })
    }

    /// Reads the files again whenever they change, and on SIGHUP; what can't be used is logged, and the last one stays.
    pub async fn watch(self, certificate: Certificate, stop: CancellationToken) {
        let mut hangup = match signal(SignalKind::hangup()) {
            Ok(hangup) => hangup,
            Err(error) => {
                tracing::warn!(%error, "SIGHUP is not listened for, so a new certificate takes a restart");
                return;
            }
        };
        let mut look = interval(LOOK);
        look.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut seen = self.stamp();
        loop {
            tokio::select! {
                _ = look.tick() => {
                    let now = self.stamp();
                    if now == seen {
                        continue;
                    }
                    seen = now;
                }
                _ = hangup.recv() => seen = self.stamp(),
                () = stop.cancelled() => return,
            }
            self.reload(&certificate);
        }
    }

    fn reload(&self, certificate: &Certificate) {
        match self.read() {
            Ok(key) => {
                certificate.replace(key);
                tracing::info!(file = %self.certificate.display(), "the TLS certificate was read again");
            }
            Err(why) => tracing::error!(why, "the new TLS certificate can't be used; the last one stays in use"),
        }
    }

    fn stamp(&self) -> Stamp {
        [&self.certificate, &self.key].map(|file| {
            let about = std::fs::metadata(file).ok()?;
            Some((about.mtime(), about.mtime_nsec(), about.ino()))
        })
    }
}

fn chain(file: &Path) -> Result<Vec<CertificateDer<'static>>, pem::Error> {
    let chain: Vec<_> = CertificateDer::pem_file_iter(file)?.collect::<Result<_, _>>()?;
    if chain.is_empty() { Err(pem::Error::NoItemsFound) } else { Ok(chain) }
}

fn why(error: pem::Error) -> String {
    match error {
        pem::Error::Io(error) => error.to_string(),
        // Never a part of the file, which may be a key.
        _ => "it is not in PEM format".to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tls::self_made;

    fn pair(dir: &Path, name: &str) -> Files {
        let file = dir.join(format!("{name}.pem"));
        self_made(&file).unwrap();
        Files { certificate: file.clone(), key: file }
    }

    #[test]
    fn a_pair_that_cannot_be_used_is_refused_in_a_sentence() {
        let dir = tempfile::tempdir().unwrap();
        let (one, other) = (pair(dir.path(), "one"), pair(dir.path(), "other"));
        one.load().unwrap();
        let mixed = Files { certificate: one.certificate.clone(), key: other.key };
        assert!(mixed.load().unwrap_err().contains("does not belong to the certificate"));
        let missing = Files { certificate: dir.path().join("none.pem"), ..one.clone() };
        assert!(missing.load().unwrap_err().contains("none.pem can't be read: No such file"));
        let empty = dir.path().join("empty.pem");
        std::fs::write(&empty, "").unwrap();
        let keyless = Files { key: empty.clone(), ..one.clone() };
        assert!(keyless.load().unwrap_err().contains("holds no private key"));
        let bare = Files { certificate: empty, ..one };
        assert!(bare.load().unwrap_err().contains("holds no certificate"));
    }

    #[test]
    fn a_new_pair_is_taken_and_a_bad_one_is_not() {
        let dir = tempfile::tempdir().unwrap();
        let (files, other) = (pair(dir.path(), "one"), pair(dir.path(), "other"));
        let certificate = files.load().unwrap();
        let shown = || certificate.0.read().unwrap().cert.clone();
        let (first, before) = (shown(), files.stamp());
        std::fs::write(&files.certificate, "no certificate").unwrap();
        files.reload(&certificate);
        assert_eq!(shown(), first);
        std::fs::rename(&other.certificate, &files.certificate).unwrap();
        assert_ne!(files.stamp(), before);
        files.reload(&certificate);
        assert_ne!(shown(), first);
    }
}
