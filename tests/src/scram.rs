//! SCRAM-SHA-256 from the client's side (RFC 7677).

use std::num::NonZeroU32;

use aws_lc_rs::{digest, hmac, pbkdf2};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;

/// What the client says first, without the header in front of it.
const BARE: &str = "n=,r=a-nonce-of-the-tests";

/// The client's first message.
pub fn first() -> String {
    format!("n,,{BARE}")
}

/// The client's second message, for what the server answered; `None` when that is no such answer.
pub fn last(answer: &str, password: &str) -> Option<String> {
    let part = |name: &str| answer.split(',').find_map(|part| part.strip_prefix(name));
    let salt = STANDARD.decode(part("s=")?).ok()?;
    let rounds = NonZeroU32::new(part("i=")?.parse().ok()?)?;
    let mut salted = [0; digest::SHA256_OUTPUT_LEN];
    pbkdf2::derive(pbkdf2::PBKDF2_HMAC_SHA256, rounds, &salt, password.as_bytes(), &mut salted);
    let key = mac(&salted, b"Client Key");
    let stored = digest::digest(&digest::SHA256, &key);
    let unproven = format!("c=biws,r={}", part("r=")?);
    let signature = mac(stored.as_ref(), format!("{BARE},{answer},{unproven}").as_bytes());
    let proof: Vec<u8> = key.iter().zip(&signature).map(|(one, other)| one ^ other).collect();
    Some(format!("{unproven},p={}", STANDARD.encode(proof)))
}

fn mac(key: &[u8], text: &[u8]) -> Vec<u8> {
    hmac::sign(&hmac::Key::new(hmac::HMAC_SHA256, key), text).as_ref().to_vec()
}
