//! Encrypts what the platform database keeps of secrets that must be read again: whoever has a copy of the database alone reads
//! none of them.

use aws_lc_rs::aead::{AES_256_GCM, Aad, LessSafeKey, NONCE_LEN, Nonce, UnboundKey};
use aws_lc_rs::error::Unspecified;
use aws_lc_rs::hmac;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use super::token::fill_random;

/// Encrypts with a key made from the secret that signs the tokens.
pub struct Seal {
    key: LessSafeKey,
}

impl std::fmt::Debug for Seal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Seal")
    }
}

impl Seal {
    pub fn new(secret: &str) -> Result<Seal, Unspecified> {
        let signing = hmac::Key::new(hmac::HMAC_SHA256, secret.as_bytes());
        let key = hmac::sign(&signing, b"quarry: secrets of second factors");
        Ok(Seal { key: LessSafeKey::new(UnboundKey::new(&AES_256_GCM, key.as_ref())?) })
    }

    /// What to keep of `secret`; it can be opened for the same owner only.
    pub fn close(&self, owner: i64, secret: &[u8]) -> Result<String, Unspecified> {
        let mut nonce = [0; NONCE_LEN];
        fill_random(&mut nonce);
        let mut closed = secret.to_vec();
        let unique = Nonce::assume_unique_for_key(nonce);
        self.key.seal_in_place_append_tag(unique, Aad::from(owner.to_be_bytes()), &mut closed)?;
        Ok(STANDARD.encode([&nonce[..], &closed].concat()))
    }

    /// The secret again; an error where another key or owner closed it, or it was changed.
    pub fn open(&self, owner: i64, closed: &str) -> Result<Vec<u8>, Unspecified> {
        let bytes = STANDARD.decode(closed).map_err(|_| Unspecified)?;
        let (nonce, closed) = bytes.split_at_checked(NONCE_LEN).ok_or(Unspecified)?;
        let nonce = Nonce::try_assume_unique_for_key(nonce)?;
        let mut closed = closed.to_vec();
        Ok(self.key.open_in_place(nonce, Aad::from(owner.to_be_bytes()), &mut closed)?.to_vec())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_same_key_and_owner_read_it() {
        let seal = Seal::new("one secret").unwrap();
        let closed = seal.close(7, b"twenty bytes, random").unwrap();
        assert_ne!(closed, seal.close(7, b"twenty bytes, random").unwrap());
        assert_eq!(seal.open(7, &closed).unwrap(), b"twenty bytes, random");
        assert!(seal.open(8, &closed).is_err());
        assert!(Seal::new("another secret").unwrap().open(7, &closed).is_err());
        for bad in ["", "AAAA", "no base64", &closed[4..]] {
            assert!(seal.open(7, bad).is_err(), "{bad}");
        }
    }
}
