//! Bearer tokens: JWTs signed with a secret of this home, each tied to a session row that logging out revokes.

use std::collections::HashSet;
use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;
use std::time::Duration;

use aws_lc_rs::hmac;
use jsonwebtoken::errors::ErrorKind;
use jsonwebtoken::{Algorithm, DecodingKey, EncodingKey, Header, Validation};
use rand::TryRngCore;
use rand::rngs::OsRng;
use serde::{Deserialize, Serialize};

use crate::time::now_ms;

const ISSUER: &str = "quarry";
const SECRET_FILE: &str = "jwt.secret";
/// No token begins like this.
const FINGERPRINTED: &[u8] = b"fingerprint of the secret of Quarry's tokens";

/// Makes and checks tokens.
pub struct Tokens {
    encoding: EncodingKey,
    decoding: DecodingKey,
    validation: Validation,
    mock_secret: Vec<u8>,
    lifetime: Duration,
    fingerprint: String,
}

#[derive(Debug, Serialize, Deserialize)]
struct Claims {
    iss: String,
    /// Id of the session.
    jti: String,
    /// Id of the account.
    sub: String,
    /// Seconds since 1970.
    iat: i64,
    exp: i64,
}

/// A new token and what its session row needs.
#[derive(Debug)]
pub struct NewToken {
    pub token: String,
    pub session: String,
    /// Milliseconds since 1970.
    pub expires_at: i64,
}

/// Why a token is refused.
#[derive(Debug, PartialEq, Eq)]
pub enum Refused {
    /// Ours, but too old.
    Expired,
    /// Not made here, or altered.
    Forged,
}

impl std::fmt::Debug for Tokens {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Tokens").field("lifetime", &self.lifetime).finish_non_exhaustive()
    }
}

impl Tokens {
    /// Uses the secret of the settings, or the one kept in `keys`, which the first start makes; only its owner may read
    /// that. A secret of the settings that could be guessed is refused.
    pub fn open(keys: &Path, set: Option<&str>, lifetime: Duration) -> io::Result<Tokens> {
        let secret = signing_secret(keys, set)?;
        Tokens::new(secret.as_bytes(), lifetime).map_err(io::Error::other)
    }

    fn new(secret: &[u8], lifetime: Duration) -> Result<Tokens, jsonwebtoken::errors::Error> {
        let mut validation = Validation::new(Algorithm::HS256);
        validation.leeway = 0;
        validation.set_issuer(&[ISSUER]);
        validation.set_required_spec_claims(&["exp", "iss", "sub"]);
        let encoding = EncodingKey::from_secret(secret);
        Ok(Tokens {
            fingerprint: jsonwebtoken::crypto::sign(FINGERPRINTED, &encoding, Algorithm::HS256)?,
            encoding,
            decoding: DecodingKey::from_secret(secret),
            validation,
            mock_secret: hmac::sign(&hmac::Key::new(hmac::HMAC_SHA256, secret), b"unknown users").as_ref().to_vec(),
            lifetime,
        })
    }

    /// The same for the same secret, which can't be found from it: an HMAC of a fixed text.
    pub fn fingerprint(&self) -> &str {
        &self.fingerprint
    }

    /// A secret, the same on every server with this one's, that what unknown users are answered is made from.
    pub fn mock_secret(&self) -> &[u8] {
        &self.mock_secret
    }

    pub fn issue(&self, account: i64) -> Result<NewToken, jsonwebtoken::errors::Error> {
        let now = now_ms();
        let expires_at = now.saturating_add(i64::try_from(self.lifetime.as_millis()).unwrap_or(i64::MAX));
        let session = random_key();
        let claims = Claims {
            iss: ISSUER.to_string(),
            jti: session.clone(),
            sub: account.to_string(),
            iat: now / 1000,
            exp: expires_at / 1000,
        };
        let token = jsonwebtoken::encode(&Header::new(Algorithm::HS256), &claims, &self.encoding)?;
        Ok(NewToken { token, session, expires_at })
    }

    /// Id of the session of a token.
    pub fn check(&self, token: &str) -> Result<String, Refused> {
        match jsonwebtoken::decode::<Claims>(token, &self.decoding, &self.validation) {
            Ok(data) => Ok(data.claims.jti),
            Err(error) if matches!(error.kind(), ErrorKind::ExpiredSignature) => Err(Refused::Expired),
            Err(_) => Err(Refused::Forged),
        }
    }
}

/// The secret of the settings, or the one kept in `keys`, which the first start makes.
pub fn signing_secret(keys: &Path, set: Option<&str>) -> io::Result<String> {
    match set {
        Some(set) => Ok(strong(set)?.to_string()),
        None => secret(keys),
    }
}

/// Removes the secret that the first start made, so that the next start makes another one.
pub fn forget_secret(keys: &Path) -> io::Result<()> {
    match fs::remove_file(keys.join(SECRET_FILE)) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

/// 256 random bits in hexadecimal.
pub fn random_key() -> String {
    let mut bytes = [0; 32];
    fill_random(&mut bytes);
    hex::encode(bytes)
}

/// A password of 20 letters and digits, without those that look alike.
pub fn random_password() -> String {
    const LETTERS: &[u8; 32] = b"abcdefghijkmnpqrstuvwxyz23456789";
    let mut bytes = [0; 20];
    fill_random(&mut bytes);
    // 256 is a multiple of 32, so every letter is as likely.
    bytes.iter().map(|byte| char::from(LETTERS[usize::from(byte % 32)])).collect()
}

/// Fills `bytes` from the operating system's generator.
#[expect(
    clippy::expect_used,
    reason = "without random numbers no secret can be made, and there is nothing to go on with"
)]
pub fn fill_random(bytes: &mut [u8]) {
    OsRng.try_fill_bytes(bytes).expect("the operating system gives random numbers");
}

/// Words that samples of settings have in the place of a secret.
const SAMPLES: [&str; 8] = ["secret", "changeme", "change-me", "change_me", "example", "password", "sample", "quarry"];

/// A secret of at least 32 characters that is no sample and does not repeat a few letters.
fn strong(secret: &str) -> io::Result<&str> {
    let weak =
        |why: &str| Err(io::Error::other(format!("the setting token_secret {why}; `openssl rand -hex 32` makes one")));
    let lower = secret.to_lowercase();
    let letters: HashSet<char> = secret.chars().collect();
    if secret.chars().count() < 32 {
        return weak("must have at least 32 characters");
    }
    if SAMPLES.iter().any(|sample| lower.contains(sample)) {
        return weak("looks like a sample");
    }
    if letters.len() < 10 {
        return weak("repeats too few letters");
    }
    Ok(secret)
}

fn secret(keys: &Path) -> io::Result<String> {
    fs::create_dir_all(keys)?;
    let file = keys.join(SECRET_FILE);
    match fs::read_to_string(&file) {
        Ok(secret) if secret.trim().len() >= 64 => Ok(secret.trim().to_string()),
        Ok(_) => Err(io::Error::other(format!("{} is not a secret that Quarry made", file.display()))),
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            let secret = random_key();
            let mut new = OpenOptions::new().write(true).create_new(true).mode(0o600).open(&file)?;
            new.write_all(secret.as_bytes())?;
            new.sync_all()?;
            Ok(secret)
        }
        Err(error) => Err(error),
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use base64::Engine as _;
    use base64::engine::general_purpose::URL_SAFE_NO_PAD;

    use super::*;

    const HOUR: Duration = Duration::from_secs(3600);

    fn with_parts(token: &str, change: impl Fn(&mut Vec<String>)) -> String {
        let mut parts: Vec<String> = token.split('.').map(str::to_string).collect();
        change(&mut parts);
        parts.join(".")
    }

    #[test]
    fn a_token_leads_to_its_session() {
        let tokens = Tokens::new(b"secret", HOUR).unwrap();
        let new = tokens.issue(7).unwrap();
        assert_eq!(tokens.check(&new.token), Ok(new.session));
    }

    #[test]
    fn what_we_did_not_make_is_forged() {
        let tokens = Tokens::new(b"secret", HOUR).unwrap();
        let token = tokens.issue(7).unwrap().token;
        let none = URL_SAFE_NO_PAD.encode(r#"{"typ":"JWT","alg":"none"}"#);
        let other_user = URL_SAFE_NO_PAD
            .encode(format!(r#"{{"iss":"quarry","jti":"x","sub":"1","iat":0,"exp":{}}}"#, now_ms() / 1000 + 3600));
        let forged = [
            String::new(),
            "a.b.c".to_string(),
            Tokens::new(b"other secret", HOUR).unwrap().issue(7).unwrap().token,
            with_parts(&token, |parts| parts[0] = none.clone()),
            with_parts(&token, |parts| {
                parts[0] = none.clone();
                parts[2] = String::new();
            }),
            with_parts(&token, |parts| parts[1] = other_user.clone()),
            with_parts(&token, |parts| parts[2] = parts[2].to_lowercase()),
        ];
        for token in forged {
            assert_eq!(tokens.check(&token), Err(Refused::Forged), "{token}");
        }
    }

    #[test]
    fn another_issuer_and_another_algorithm_are_forged() {
        let tokens = Tokens::new(b"secret", HOUR).unwrap();
        let claims = |issuer: &str| Claims {
            iss: issuer.to_string(),
            jti: "x".to_string(),
            sub: "1".to_string(),
            iat: 0,
            exp: now_ms() / 1000 + 3600,
        };
        let key = EncodingKey::from_secret(b"secret");
        let other = jsonwebtoken::encode(&Header::new(Algorithm::HS256), &claims("other"), &key).unwrap();
        assert_eq!(tokens.check(&other), Err(Refused::Forged));
        let longer = jsonwebtoken::encode(&Header::new(Algorithm::HS512), &claims(ISSUER), &key).unwrap();
        assert_eq!(tokens.check(&longer), Err(Refused::Forged));
    }

    #[test]
    fn an_old_token_is_expired() {
        let tokens = Tokens::new(b"secret", HOUR).unwrap();
        let claims = Claims {
            iss: ISSUER.to_string(),
            jti: "x".to_string(),
            sub: "1".to_string(),
            iat: 0,
            exp: now_ms() / 1000 - 1,
        };
        let key = EncodingKey::from_secret(b"secret");
        let token = jsonwebtoken::encode(&Header::new(Algorithm::HS256), &claims, &key).unwrap();
        assert_eq!(tokens.check(&token), Err(Refused::Expired));
    }

    #[test]
    fn the_secret_is_kept_and_only_for_its_owner() {
        let home = tempfile::tempdir().unwrap();
        let keys = home.path().join("keys");
        let token = Tokens::open(&keys, None, HOUR).unwrap().issue(7).unwrap();
        assert_eq!(Tokens::open(&keys, None, HOUR).unwrap().check(&token.token), Ok(token.session));
        let mode = fs::metadata(keys.join(SECRET_FILE)).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
    }
    #[test]
    fn a_secret_that_could_be_guessed_is_refused() {
        let home = tempfile::tempdir().unwrap();
        let open = |set: &str| Tokens::open(home.path(), Some(set), HOUR);
        for weak in ["", "short", "thisismysecretthisismysecretthisismy", "change-me-0123456789abcdefghijklmnop"] {
            assert!(open(weak).is_err(), "{weak}");
        }
        assert!(open(&"ab".repeat(40)).is_err());
        let good = random_key();
        let token = open(&good).unwrap().issue(7).unwrap();
        assert_eq!(open(&good).unwrap().check(&token.token), Ok(token.session));
        assert!(!home.path().join(SECRET_FILE).exists(), "a secret of the settings is not written down");
    }
}
