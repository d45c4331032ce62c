//! Log-in through an OpenID Connect provider: the authorization code flow with PKCE.
//!
//! The state of a pending log-in is kept on the server for a short time, is used once, and is bound to the browser that began it.
//! That prevents login CSRF.

mod entering;
mod http;
pub mod identities;
mod names;
pub mod options;
mod provider;

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use openidconnect::{Nonce, PkceCodeChallenge, PkceCodeVerifier};
use sha2::{Digest, Sha256};
use tokio::sync::Mutex as AsyncMutex;
use tokio_util::sync::CancellationToken;

use super::tickets::Tickets;
use super::token::random_key;
use crate::http::Network;
use http::Http;
use provider::{Exchanged, Provider, Refused, Registered};

pub use entering::enter;
pub use options::{OidcOptions, RoleMap};
pub use provider::Person;

/// How long somebody may take to log in at the provider.
pub const LIFETIME: Duration = Duration::from_secs(600);
/// Most pending log-ins; a new one beyond that replaces the oldest.
const MAX_PENDING: usize = 20_000;
/// Most pending log-ins of one network. An office behind one address begins many at once.
const MAX_PENDING_PER_NETWORK: usize = 1_000;
/// How often the discovery document and the signing keys are fetched.
const REFRESH: Duration = Duration::from_secs(3600);
/// The first and the longest wait after the provider did not answer.
const RETRY: (Duration, Duration) = (Duration::from_secs(5), Duration::from_secs(60));
/// Most bytes of an authorization code.
const LONGEST_CODE: usize = 4096;

/// The provider does not answer; why is in the log.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Away;

/// Why a log-in failed.
#[derive(Debug)]
pub enum Failed {
    /// It was never begun, took too long, was used, or was begun in another browser.
    Unknown,
    Away,
    /// The provider, or what it said, names nobody.
    Refused,
}

/// What a browser needs to log in at the provider.
#[derive(Debug)]
pub struct Start {
    /// The page of the provider.
    pub page: String,
    /// The key of this browser, for a cookie.
    pub browser: String,
}

/// What a log-in began with.
#[derive(Debug)]
struct Begun {
    /// Hash of the browser's key.
    browser: [u8; 32],
    nonce: Nonce,
    verifier: PkceCodeVerifier,
}

/// Logs people in at a provider.
pub struct Oidc {
    options: OidcOptions,
    registered: Registered,
    http: Http,
    /// The latest discovery document and keys.
    provider: Mutex<Option<Arc<Provider>>>,
    /// When discovery last ran and whether it succeeded. Locked while it runs.
    last_discovery: AsyncMutex<Option<(Instant, bool)>>,
    begun: Tickets<Begun, Network>,
}

impl fmt::Debug for Oidc {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Oidc").field("issuer", &self.options.issuer).finish_non_exhaustive()
    }
}

impl Oidc {
    pub fn new(options: OidcOptions) -> anyhow::Result<Oidc> {
        Ok(Oidc {
            registered: options.registered()?,
            options,
            http: Http::new()?,
            provider: Mutex::default(),
            last_discovery: AsyncMutex::default(),
            begun: Tickets::bounded(LIFETIME, MAX_PENDING, MAX_PENDING_PER_NETWORK),
        })
    }

    /// What the button of the log-in page says; the web has its own words without it.
    pub fn label(&self) -> Option<&str> {
        self.options.label.as_deref()
    }

    /// Whether cookies go over HTTPS only.
    pub fn is_secure(&self) -> bool {
        self.registered.redirect.url().scheme() == "https"
    }

    /// Whether discovery has succeeded at least once.
    pub fn is_known(&self) -> bool {
        self.known().is_some()
    }

    /// Runs discovery until it succeeds, and then every hour, because keys change. Ends when the server stops.
    pub async fn follow(self: Arc<Self>, stop: CancellationToken) {
        let following = async {
            let mut retry = RETRY.0;
            loop {
                let wait = match self.discover().await {
                    Ok(_) => {
                        retry = RETRY.0;
                        REFRESH
                    }
                    Err(Away) => {
                        let wait = retry;
                        retry = (retry * 2).min(RETRY.1);
                        wait
                    }
                };
                tokio::time::sleep(wait).await;
            }
        };
        stop.run_until_cancelled(following).await;
    }

    /// Begins a log-in of a browser.
    pub async fn begin(&self, place: Network) -> Result<Start, Away> {
        let provider = match self.known() {
            Some(provider) => provider,
            None => self.discover().await?,
        };
        let (challenge, verifier) = PkceCodeChallenge::new_random_sha256();
        let (nonce, browser) = (Nonce::new_random(), random_key());
        let begun = Begun { browser: Sha256::digest(&browser).into(), nonce: nonce.clone(), verifier };
        let state = self.begun.issue(place, begun);
        Ok(Start { page: provider.page(state, nonce, challenge, &self.registered.scopes), browser })
    }

    /// Identifies the person that the provider sent back with this state and code. `browser` is the key from the cookie.
    pub async fn finish(&self, state: &str, code: String, browser: Option<&str>) -> Result<Person, Failed> {
        let begun = self.begun.take(state).ok_or(Failed::Unknown)?;
        let browser: [u8; 32] = Sha256::digest(browser.unwrap_or_default()).into();
        if browser != begun.browser || code.len() > LONGEST_CODE {
            return Err(Failed::Unknown);
        }
        let provider = match self.known() {
            Some(provider) => provider,
            None => self.discover().await.map_err(|Away| Failed::Away)?,
        };
        let given = provider.exchange(&self.http, code, begun.verifier).await.map_err(failed)?;
        match self.identify(&provider, &given, &begun.nonce) {
            // The provider may have rotated its keys.
            Err(Refused::Signature(_)) => {
                let provider = self.discover().await.map_err(|Away| Failed::Away)?;
                self.identify(&provider, &given, &begun.nonce).map_err(failed)
            }
            other => other.map_err(failed),
        }
    }

    fn identify(&self, provider: &Provider, given: &Exchanged, nonce: &Nonce) -> Result<Person, Refused> {
        provider.identify(given, nonce, self.options.role_claim.as_deref())
    }

    /// Runs discovery. Concurrent callers share one run.
    async fn discover(&self) -> Result<Arc<Provider>, Away> {
        let since = Instant::now();
        let mut last = self.last_discovery.lock().await;
        if let Some((at, succeeded)) = *last
            && at >= since
        {
            return if succeeded { self.known().ok_or(Away) } else { Err(Away) };
        }
        let found = Provider::discover(&self.http, &self.registered).await;
        *last = Some((Instant::now(), found.is_ok()));
        match found {
            Ok(provider) => {
                let provider = Arc::new(provider);
                *self.provider.lock().unwrap_or_else(PoisonError::into_inner) = Some(provider.clone());
                Ok(provider)
            }
            Err(why) => {
                tracing::warn!(issuer = %self.options.issuer, %why, "the log-in provider does not answer as it should");
                Err(Away)
            }
        }
    }

    fn known(&self) -> Option<Arc<Provider>> {
        // Nothing panics while it is locked, so a poisoned lock is still good.
        self.provider.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

fn failed(refused: Refused) -> Failed {
    tracing::warn!(why = %refused, "a log-in at the provider failed");
    match refused {
        Refused::Away(_) => Failed::Away,
        _ => Failed::Refused,
    }
}
