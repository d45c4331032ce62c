//! Recovers the sender of a transaction from its signature.

use std::sync::LazyLock;

use alloy::consensus::TxEnvelope;
use alloy_primitives::{Address, B256, Signature};
use secp256k1::ecdsa::{RecoverableSignature, RecoveryId};
use secp256k1::{Message, PublicKey, Secp256k1, VerifyOnly};

static CURVE: LazyLock<Secp256k1<VerifyOnly>> = LazyLock::new(Secp256k1::verification_only);

/// The sender of a transaction; `None` for an invalid signature.
pub(crate) fn sender(tx: &TxEnvelope) -> Option<Address> {
    signer(tx.signature_hash(), tx.signature())
}

/// Recovers the address that signed a hash.
pub(crate) fn signer(hash: B256, signature: &Signature) -> Option<Address> {
    let key = recovered(hash, signature)?;
    Some(Address::from_raw_public_key(&key.serialize_uncompressed()[1..]))
}

/// Recovers the public key that signed a hash. High s values are valid: Frontier did not forbid them yet (EIP-2).
pub(super) fn recovered(hash: B256, signature: &Signature) -> Option<PublicKey> {
    let mut bytes = [0; 64];
    bytes[..32].copy_from_slice(&signature.r().to_be_bytes::<32>());
    bytes[32..].copy_from_slice(&signature.s().to_be_bytes::<32>());
    let id = RecoveryId::try_from(i32::from(signature.v())).ok()?;
    let signature = RecoverableSignature::from_compact(&bytes, id).ok()?;
    CURVE.recover_ecdsa(&Message::from_digest(hash.0), &signature).ok()
}
