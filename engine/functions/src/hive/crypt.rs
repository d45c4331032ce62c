//! `aes_encrypt` and `aes_decrypt`: AES block by block, filled up after PKCS #7. A key of another length than 16, 24 or 32
//! bytes, and bytes that no such key made, answer null. And `md5`, whose digits Hive gives for bytes too.

use aes::cipher::{Block, BlockCipherDecrypt, BlockCipherEncrypt, KeyInit};
use aes::{Aes128, Aes192, Aes256};
use md5::{Digest, Md5};

use super::rows::Kind::{Bytes, Text};
use super::rows::{Def, Value, def};

/// Bytes of a block.
const BLOCK: usize = 16;

pub(super) const FUNCTIONS: &[Def] = &[
    def("md5", &[Bytes], Text, |row| Some(Value::Text(hex::encode(Md5::digest(row.bytes(0)?))))),
    def("aes_encrypt", &[Bytes, Bytes], Bytes, |row| {
        let (bytes, key) = (row.bytes(0)?, row.bytes(1)?);
        Some(Value::Bytes(match key.len() {
            16 => encrypt::<Aes128>(bytes, key)?,
            24 => encrypt::<Aes192>(bytes, key)?,
            32 => encrypt::<Aes256>(bytes, key)?,
            _ => return None,
        }))
    }),
    def("aes_decrypt", &[Bytes, Bytes], Bytes, |row| {
        let (bytes, key) = (row.bytes(0)?, row.bytes(1)?);
        Some(Value::Bytes(match key.len() {
            16 => decrypt::<Aes128>(bytes, key)?,
            24 => decrypt::<Aes192>(bytes, key)?,
            32 => decrypt::<Aes256>(bytes, key)?,
            _ => return None,
        }))
    }),
];

fn encrypt<C: KeyInit + BlockCipherEncrypt>(bytes: &[u8], key: &[u8]) -> Option<Vec<u8>> {
    let cipher = C::new_from_slice(key).ok()?;
    let missing = BLOCK - bytes.len() % BLOCK;
    let mut out = bytes.to_vec();
    out.resize(bytes.len() + missing, missing as u8);
    for part in out.chunks_exact_mut(BLOCK) {
        let mut block = Block::<C>::try_from(&*part).ok()?;
        cipher.encrypt_block(&mut block);
        part.copy_from_slice(&block);
    }
    Some(out)
}

fn decrypt<C: KeyInit + BlockCipherDecrypt>(bytes: &[u8], key: &[u8]) -> Option<Vec<u8>> {
    let cipher = C::new_from_slice(key).ok()?;
    if !bytes.len().is_multiple_of(BLOCK) {
        return None;
    }
    let mut out = bytes.to_vec();
    for part in out.chunks_exact_mut(BLOCK) {
        let mut block = Block::<C>::try_from(&*part).ok()?;
        cipher.decrypt_block(&mut block);
        part.copy_from_slice(&block);
    }
    // The last byte tells how many were filled in, and all of them are the same.
    let filled = usize::from(*out.last()?);
    let kept = out.len().checked_sub(filled)?;
    if !(1..=BLOCK).contains(&filled) || out[kept..].iter().any(|byte| usize::from(*byte) != filled) {
        return None;
    }
    out.truncate(kept);
    Some(out)
}
