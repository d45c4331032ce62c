//! Private keys of the sample chain, derived from the seed.

use alloy_primitives::{Address, B256, Signature, U256, keccak256};
use secp256k1::{All, Message, PublicKey, Secp256k1, SecretKey};

use super::Id;

/// Signs for every account of a seed.
#[derive(Clone)]
pub struct Keys {
    seed: u64,
    curve: Secp256k1<All>,
}

impl Keys {
    pub fn new(seed: u64) -> Keys {
        Keys { seed, curve: Secp256k1::new() }
    }

    /// The private key of an account; an invalid one (with probability 2^-128) is hashed again.
    fn secret(&self, id: Id) -> SecretKey {
        let mut text = b"quarry sample key".to_vec();
        text.extend_from_slice(&self.seed.to_be_bytes());
        text.extend_from_slice(&id.to_be_bytes());
        let mut hash = keccak256(text);
        loop {
            match SecretKey::from_slice(hash.as_slice()) {
                Ok(secret) => return secret,
                Err(_) => hash = keccak256(hash),
            }
        }
    }

    pub fn address(&self, id: Id) -> Address {
        let point = PublicKey::from_secret_key(&self.curve, &self.secret(id)).serialize_uncompressed();
        Address::from_raw_public_key(&point[1..])
    }

    /// A deterministic (RFC 6979) low-s signature of a hash.
    pub fn sign(&self, id: Id, hash: B256) -> Signature {
        let (recovery, bytes) =
            self.curve.sign_ecdsa_recoverable(&Message::from_digest(hash.0), &self.secret(id)).serialize_compact();
        let (r, s) = bytes.split_at(32);
        Signature::new(U256::from_be_slice(r), U256::from_be_slice(s), i32::from(recovery) % 2 == 1)
    }
}
