//! What is kept of a password: enough to check a proof and to answer it, not enough to make one.

use std::borrow::Cow;
use std::fmt;
use std::num::NonZeroU32;
use std::str::FromStr;

use aws_lc_rs::{digest, hmac, pbkdf2};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use crate::auth::token::fill_random;

/// Rounds of hashing. RFC 7677 asks for 4,096 or more; each log-in costs the client this many, the server none.
const ITERATIONS: NonZeroU32 = NonZeroU32::MIN.saturating_add(16_383);
const SALT: usize = 16;
pub(super) const KEY: usize = digest::SHA256_OUTPUT_LEN;

const FORM: &str = "SCRAM-SHA-256";

/// The verifier of a password; its text is the one that PostgreSQL keeps in `pg_authid`.
#[derive(Clone, PartialEq, Eq)]
pub struct Verifier {
    pub(super) salt: Vec<u8>,
    pub(super) iterations: u32,
    pub(super) stored_key: [u8; KEY],
    pub(super) server_key: [u8; KEY],
}

impl Verifier {
    /// A new one, with a salt of its own.
    pub fn of(password: &str) -> Verifier {
        let mut salt = [0; SALT];
        fill_random(&mut salt);
        // As PostgreSQL and its clients do: what can't be normalized is used as it is.
        let normal = stringprep::saslprep(password).unwrap_or(Cow::Borrowed(password));
        let mut salted = [0; KEY];
        pbkdf2::derive(pbkdf2::PBKDF2_HMAC_SHA256, ITERATIONS, &salt, normal.as_bytes(), &mut salted);
        Verifier {
            salt: salt.to_vec(),
            iterations: ITERATIONS.get(),
            stored_key: sha256(&mac(&salted, b"Client Key")),
            server_key: mac(&salted, b"Server Key"),
        }
    }

    /// One that no password fits, for a user who is unknown or has none: the same at every try, as a real one is.
    pub fn mock(secret: &[u8], user_name: &str) -> Verifier {
        let salt = mac(secret, format!("salt of {user_name}").as_bytes());
        let (mut stored_key, mut server_key) = ([0; KEY], [0; KEY]);
        fill_random(&mut stored_key);
        fill_random(&mut server_key);
        Verifier { salt: salt[..SALT].to_vec(), iterations: ITERATIONS.get(), stored_key, server_key }
    }
}

pub(super) fn mac(key: &[u8], text: &[u8]) -> [u8; KEY] {
    bytes(hmac::sign(&hmac::Key::new(hmac::HMAC_SHA256, key), text).as_ref())
}

pub(super) fn sha256(text: &[u8]) -> [u8; KEY] {
    bytes(digest::digest(&digest::SHA256, text).as_ref())
}

/// SHA-256 gives as many bytes as a key has.
fn bytes(of: &[u8]) -> [u8; KEY] {
    let mut key = [0; KEY];
    key.copy_from_slice(of);
    key
}

impl fmt::Display for Verifier {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [salt, stored, server] =
            [&self.salt[..], &self.stored_key, &self.server_key].map(|part| STANDARD.encode(part));
        write!(f, "{FORM}${}:{salt}${stored}:{server}", self.iterations)
    }
}

impl FromStr for Verifier {
    type Err = String;

    fn from_str(text: &str) -> Result<Verifier, String> {
        parse(text).ok_or_else(|| "what is kept of a password for SCRAM-SHA-256 can't be read".to_string())
    }
}

fn parse(text: &str) -> Option<Verifier> {
    let mut parts = text.split('$');
    if parts.next()? != FORM {
        return None;
    }
    let (iterations, salt) = parts.next()?.split_once(':')?;
    let (stored, server) = parts.next()?.split_once(':')?;
    Some(Verifier {
        salt: STANDARD.decode(salt).ok()?,
        iterations: iterations.parse().ok()?,
        stored_key: STANDARD.decode(stored).ok()?.try_into().ok()?,
        server_key: STANDARD.decode(server).ok()?.try_into().ok()?,
    })
}

impl fmt::Debug for Verifier {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Whoever has the keys can guess passwords at leisure.
        f.debug_struct("Verifier").field("iterations", &self.iterations).finish_non_exhaustive()
    }
}
