//! Batch verification of transaction signatures.
//!
//! Recovering a sender takes two multiplications on the curve. Most senders are known: with the public key Q, a
//! signature (r, s) of the hash z is valid if R = (z/s)·G + (r/s)·Q, where r and the parity determine the point R. A
//! random linear combination of these equations is cheap for each transaction, and holds for an invalid signature with
//! probability 2^-64 (Bellare, Garay, Rabin: Fast batch verification for modular exponentiation and digital signatures,
//! 1998). Failed batches are checked one by one, by recovery.

use std::collections::HashMap;
use std::sync::{LazyLock, Mutex, PoisonError};

use alloy_primitives::{Address, B256, Signature};
use k256::elliptic_curve::PrimeField;
use k256::elliptic_curve::ops::{BatchInvert, Reduce};
use k256::elliptic_curve::sec1::FromEncodedPoint;
use k256::{AffinePoint, EncodedPoint, ProjectivePoint, Scalar, U256};
use secp256k1::PublicKey;

use super::multi_scalar::{Digits, sum_of_multiples, sum_of_products, value};
use super::sender::{recovered, sender};
use crate::chain::BlockData;

/// Maximum cached public keys of 108 bytes each. A full cache is cleared.
const KEYS: usize = 500_000;
/// Minimum signatures for batch verification.
const ENOUGH: usize = 32;

/// Cached keys of recovered senders. The key of an address never changes.
static KNOWN: LazyLock<Mutex<HashMap<Address, AffinePoint>>> = LazyLock::new(Mutex::default);

/// Whether all transactions are signed by their senders. `false` does not say which one is not.
pub(super) fn signed_by_senders(blocks: &[BlockData]) -> bool {
    let mut sent = blocks.iter().flat_map(|block| &block.transactions);
    if sent.clone().count() < ENOUGH {
        return sent.all(|sent| sender(&sent.tx) == Some(sent.from));
    }
    let mut batch = Batch::default();
    sent.all(|sent| batch.add(sent.from, sent.tx.signature_hash(), sent.tx.signature())) && batch.holds()
}

/// A batch of signatures.
#[derive(Default)]
struct Batch {
    claims: Vec<Claim>,
    keys: Vec<AffinePoint>,
    places: HashMap<Address, usize>,
}

/// A signature that is valid for the key at an index of the batch.
struct Claim {
    hash: B256,
    /// The point with x = `r`.
    nonce: AffinePoint,
    r: Scalar,
    s: Scalar,
    key: usize,
}

impl Batch {
    /// Adds a signature; `false` if it can't be the sender's.
    fn add(&mut self, sender: Address, hash: B256, signature: &Signature) -> bool {
        let Some(key) = self.key(sender) else { return self.learn(sender, hash, signature) };
        let (r, s) = (signature.r().to_be_bytes::<32>(), signature.s().to_be_bytes::<32>());
        let scalars = (scalar(r), scalar(s));
        let (Some(nonce), (Some(r), Some(s))) = (point(r, signature.v()), scalars) else { return false };
        self.claims.push(Claim { hash, nonce, r, s, key });
        true
    }

    /// The index of a sender's key.
    fn key(&mut self, sender: Address) -> Option<usize> {
        if let Some(place) = self.places.get(&sender) {
            return Some(*place);
        }
        let key = *known().get(&sender)?;
        self.keep(sender, key);
        self.places.get(&sender).copied()
    }

    fn keep(&mut self, sender: Address, key: AffinePoint) {
        self.places.insert(sender, self.keys.len());
        self.keys.push(key);
    }

    /// Recovers the key of a new sender, which also verifies the signature.
    fn learn(&mut self, sender: Address, hash: B256, signature: &Signature) -> bool {
        let Some(key) = recovered(hash, signature) else { return false };
        let named = Address::from_raw_public_key(&key.serialize_uncompressed()[1..]) == sender;
        let (Some(point), true) = (affine(&key), named) else { return false };
        let mut known = known();
        if known.len() >= KEYS {
            known.clear();
        }
        known.insert(sender, point);
        drop(known);
        self.keep(sender, point);
        true
    }

    /// Whether all signatures are valid.
    fn holds(&self) -> bool {
        if self.claims.is_empty() {
            return true;
        }
        let divisors: Vec<Scalar> = self.claims.iter().map(|claim| claim.s).collect();
        let inverses: Option<Vec<Scalar>> = Scalar::batch_invert(divisors.as_slice()).into();
        let Some(inverses) = inverses else { return false };
        let mut base = Scalar::ZERO;
        let mut by_key = vec![Scalar::ZERO; self.keys.len()];
        let mut shares = Vec::with_capacity(self.claims.len());
        for (claim, inverse) in self.claims.iter().zip(inverses) {
            // Uniform digits make the 2^64 numbers equally likely.
            let share: Digits<8> = rand::random();
            let weight = value(&share) * inverse;
            base += weight * <Scalar as Reduce<U256>>::reduce_bytes(&claim.hash.0.into());
            by_key[claim.key] += weight * claim.r;
            shares.push(share);
        }
        let nonces: Vec<AffinePoint> = self.claims.iter().map(|claim| claim.nonce).collect();
        let by_key: Vec<(AffinePoint, Scalar)> = self.keys.iter().copied().zip(by_key).collect();
        ProjectivePoint::GENERATOR * base + sum_of_products(&by_key) == sum_of_multiples(&nonces, &shares)
    }
}

/// A scalar from 1 below the order of the curve.
fn scalar(bytes: [u8; 32]) -> Option<Scalar> {
    let scalar: Option<Scalar> = Scalar::from_repr(bytes.into()).into();
    scalar.filter(|scalar| !bool::from(scalar.is_zero()))
}

/// The curve point with this x and parity of y. Its square root dominates the time of a signature; libsecp256k1 takes
/// three quarters of the time of k256, conversions included.
fn point(x: [u8; 32], odd: bool) -> Option<AffinePoint> {
    let mut compressed = [2 + u8::from(odd); 33];
    compressed[1..].copy_from_slice(&x);
    affine(&PublicKey::from_slice(&compressed).ok()?)
}

fn affine(key: &PublicKey) -> Option<AffinePoint> {
    let point = EncodedPoint::from_bytes(key.serialize_uncompressed()).ok()?;
    AffinePoint::from_encoded_point(&point).into()
}

fn known() -> std::sync::MutexGuard<'static, HashMap<Address, AffinePoint>> {
    // Each change is a single call of the map, so a poisoned lock is harmless.
    KNOWN.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use alloy_primitives::U256 as Number;

    use super::*;
    use crate::testing::{address, sign};

    const SIGNERS: u8 = 5;

    /// A sender, a signed hash, and the signature.
    type Signed = (Address, B256, Signature);

    /// Signatures of a few senders, enough for a batch.
    fn signatures() -> Vec<Signed> {
        let one = |number: u8| {
            let (signer, hash) = (number % SIGNERS + 1, B256::repeat_byte(number.wrapping_mul(7).wrapping_add(1)));
            (address(signer), hash, sign(signer, hash))
        };
        (0..3 * ENOUGH as u8).map(one).collect()
    }

    fn holds(signatures: &[Signed]) -> bool {
        let mut batch = Batch::default();
        let taken = signatures.iter().all(|(sender, hash, signature)| batch.add(*sender, *hash, signature));
        taken && batch.holds()
    }

    #[test]
    fn valid_signatures_pass_alone_and_in_batches() {
        assert!(holds(&[]));
        let mut right = signatures();
        assert!(holds(&right[..1]) && holds(&right));
        // The other s is valid with the other parity: later forks forbid high s.
        let order = Number::from_be_slice(&(-Scalar::ONE).to_repr()) + Number::from(1);
        let (r, s, odd) = (right[9].2.r(), right[9].2.s(), right[9].2.v());
        right[9].2 = Signature::new(r, order - s, !odd);
        assert!(holds(&right));
    }

    #[test]
    fn one_invalid_signature_fails_the_batch() {
        let right = signatures();
        assert!(holds(&right), "the senders are known from here on");
        let wrong: [fn(&mut Signed); 7] = [
            |claim| claim.0 = address(SIGNERS + 1),
            |claim| claim.0 = Address::ZERO,
            |claim| claim.1.0[31] ^= 1,
            |claim| claim.2 = Signature::new(claim.2.r() ^ Number::from(1), claim.2.s(), claim.2.v()),
            |claim| claim.2 = Signature::new(claim.2.r(), claim.2.s() ^ Number::from(1), claim.2.v()),
            |claim| claim.2 = Signature::new(claim.2.r(), claim.2.s(), !claim.2.v()),
            |claim| claim.2 = Signature::new(Number::MAX, Number::ZERO, false),
        ];
        for (number, change) in wrong.iter().enumerate() {
            for at in [0, 40, right.len() - 1] {
                let mut changed = right.clone();
                change(&mut changed[at]);
                assert!(!holds(&changed), "change {number} of signature {at}");
            }
        }
    }

    #[test]
    fn errors_of_two_signatures_do_not_cancel_out() {
        let mut swapped = signatures();
        let (first, second) = (swapped[0].2, swapped[5].2);
        assert_eq!(swapped[0].0, swapped[5].0);
        (swapped[0].2, swapped[5].2) = (second, first);
        assert!(!holds(&swapped));
    }
}
