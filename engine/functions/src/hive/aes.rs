//! `aes_encrypt` and `aes_decrypt`: AES block by block (ECB), padded by PKCS #7. A key of another length than 16, 24 or 32 bytes, and
//! bytes that no such key made, answer null. And `md5`, which Hive has for bytes too.

use aes::cipher::{Block, BlockCipherDecrypt, BlockCipherEncrypt, KeyInit};
use aes::{Aes128, Aes192, Aes256};
use md5::{Digest, Md5};

use super::row_functions::Kind::{Bytes, Text};
use super::row_functions::udf;
use crate::prelude::*;

/// Bytes of a block.
const BLOCK: usize = 16;

pub(super) fn functions() -> Vec<ScalarUDF> {
    vec![
        udf("md5", &[Bytes], Text, |row| Some(hex::encode(Md5::digest(row.bytes(0)?)).into())),
        by_key_length("aes_encrypt", [encrypt::<Aes128>, encrypt::<Aes192>, encrypt::<Aes256>]),
        by_key_length("aes_decrypt", [decrypt::<Aes128>, decrypt::<Aes192>, decrypt::<Aes256>]),
    ]
}

type Cipher = fn(&[u8], &[u8]) -> Option<Vec<u8>>;

fn by_key_length(name: &'static str, [of_16, of_24, of_32]: [Cipher; 3]) -> ScalarUDF {
    udf(name, &[Bytes, Bytes], Bytes, move |row| {
        let (bytes, key) = (row.bytes(0)?, row.bytes(1)?);
        let cipher = match key.len() {
            16 => of_16,
            24 => of_24,
            32 => of_32,
            _ => return None,
        };
        Some(cipher(bytes, key)?.into())
    })
}

fn encrypt<C: KeyInit + BlockCipherEncrypt>(bytes: &[u8], key: &[u8]) -> Option<Vec<u8>> {
    let cipher = C::new_from_slice(key).ok()?;
    let padding = BLOCK - bytes.len() % BLOCK;
    let mut out = bytes.to_vec();
    out.resize(bytes.len() + padding, padding as u8);
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
    // The padding has as many bytes as each of them says.
    let padding = usize::from(*out.last()?);
    let length = out.len().checked_sub(padding)?;
    if !(1..=BLOCK).contains(&padding) || out[length..].iter().any(|byte| usize::from(*byte) != padding) {
        return None;
    }
    out.truncate(length);
    Some(out)
}
