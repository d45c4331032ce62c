//! `farm_fingerprint` of BigQuery: FarmHash's Fingerprint64, as a whole number with a sign. It never changes, so that
//! samples and shards taken by it are the same ones here.

use super::hashes::data;
use crate::prelude::*;

const K0: u64 = 0xc3a5_c85c_97cb_3127;
const K1: u64 = 0xb492_b66f_be98_f273;
const K2: u64 = 0x9ae1_6a3b_2f90_404f;

/// Bytes that one round takes.
const ROUND: usize = 64;

pub(super) fn udf() -> ScalarUDF {
    doc(
        "farm_fingerprint(text or bytes)",
        "The 64-bit fingerprint of a string or bytes, the same as BigQuery's.",
        "select mod(abs(farm_fingerprint('1footrue')), 10)",
    )
    .udf(
        1..=1,
        takes([|from| is_text(from) || is_bytes(from)], "farm_fingerprint expects a string or bytes.", DataType::Int64),
        |args, _| map_rows::<Int64Array, _, _>(data(&args[0])?, |data| Ok(fingerprint(data).cast_signed())),
    )
}

/// Eight bytes from an offset. Offsets are within the bytes: each length has its own formula below.
fn word(bytes: &[u8], at: usize) -> u64 {
    bytes[at..at + 8].iter().rev().fold(0, |word, byte| word << 8 | u64::from(*byte))
}

fn half_word(bytes: &[u8], at: usize) -> u64 {
    bytes[at..at + 4].iter().rev().fold(0, |word, byte| word << 8 | u64::from(*byte))
}

fn mixed(value: u64) -> u64 {
    value ^ (value >> 47)
}

fn joined(left: u64, right: u64, by: u64) -> u64 {
    let first = mixed((left ^ right).wrapping_mul(by));
    mixed((right ^ first).wrapping_mul(by)).wrapping_mul(by)
}

/// Sums with wrap-around.
fn sum(parts: &[u64]) -> u64 {
    parts.iter().fold(0, |sum, part| sum.wrapping_add(*part))
}

fn fingerprint(bytes: &[u8]) -> u64 {
    let length = bytes.len();
    let by = K2.wrapping_add(length as u64 * 2);
    match length {
        0 => K2,
        1..4 => {
            let first = u64::from(bytes[0]) + (u64::from(bytes[length >> 1]) << 8);
            let second = length as u64 + (u64::from(bytes[length - 1]) << 2);
            mixed(first.wrapping_mul(K2) ^ second.wrapping_mul(K0)).wrapping_mul(K2)
        }
        4..8 => joined(length as u64 + (half_word(bytes, 0) << 3), half_word(bytes, length - 4), by),
        8..=16 => {
            let (a, b) = (word(bytes, 0).wrapping_add(K2), word(bytes, length - 8));
            let c = b.rotate_right(37).wrapping_mul(by).wrapping_add(a);
            let d = a.rotate_right(25).wrapping_add(b).wrapping_mul(by);
            joined(c, d, by)
        }
        17..=32 => {
            let (a, b) = (word(bytes, 0).wrapping_mul(K1), word(bytes, 8));
            let (left, right) = ends(bytes, a, b, by);
            joined(left, right, by)
        }
        33..=ROUND => {
            let (a, b) = (word(bytes, 0).wrapping_mul(K2), word(bytes, 8));
            let (left, right) = ends(bytes, a, b, by);
            let whole = joined(left, right, by);
            let (e, f) = (word(bytes, 16).wrapping_mul(by), word(bytes, 24));
            let g = left.wrapping_add(word(bytes, length - 32)).wrapping_mul(by);
            let h = whole.wrapping_add(word(bytes, length - 24)).wrapping_mul(by);
            let left = sum(&[e.wrapping_add(f).rotate_right(43), g.rotate_right(30), h]);
            joined(left, sum(&[e, f.wrapping_add(a).rotate_right(18), g]), by)
        }
        _ => fingerprint_of_rounds(bytes),
    }
}

/// The two halves that the first and the last sixteen bytes make.
fn ends(bytes: &[u8], a: u64, b: u64, by: u64) -> (u64, u64) {
    let c = word(bytes, bytes.len() - 8).wrapping_mul(by);
    let d = word(bytes, bytes.len() - 16).wrapping_mul(K2);
    let left = sum(&[a.wrapping_add(b).rotate_right(43), c.rotate_right(30), d]);
    (left, sum(&[a, b.wrapping_add(K2).rotate_right(18), c]))
}

/// The state between rounds.
struct State {
    x: u64,
    y: u64,
    z: u64,
    v: (u64, u64),
    w: (u64, u64),
}

impl State {
    /// Takes 64 bytes; `times` is the weight of two of the words.
    fn round(&mut self, bytes: &[u8], by: u64, times: u64) {
        let State { x, y, z, v, w } = self;
        *x = sum(&[*x, *y, v.0, word(bytes, 8)]).rotate_right(37).wrapping_mul(by);
        *y = sum(&[*y, v.1, word(bytes, 48)]).rotate_right(42).wrapping_mul(by);
        *x ^= w.1.wrapping_mul(times);
        *y = sum(&[*y, v.0.wrapping_mul(times), word(bytes, 40)]);
        *z = z.wrapping_add(w.0).rotate_right(33).wrapping_mul(by);
        *v = halved(bytes, v.1.wrapping_mul(by), x.wrapping_add(w.0));
        *w = halved(&bytes[32..], z.wrapping_add(w.1), y.wrapping_add(word(bytes, 16)));
        std::mem::swap(z, x);
    }
}

/// 32 bytes as two words.
fn halved(bytes: &[u8], a: u64, b: u64) -> (u64, u64) {
    let (first, last) = (word(bytes, 0), word(bytes, 24));
    let a = a.wrapping_add(first);
    let b = sum(&[b, a, last]).rotate_right(21);
    let inner = sum(&[a, word(bytes, 8), word(bytes, 16)]);
    (inner.wrapping_add(last), sum(&[b, inner.rotate_right(44), a]))
}

fn fingerprint_of_rounds(bytes: &[u8]) -> u64 {
    const SEED: u64 = 81;
    let y = SEED.wrapping_mul(K1).wrapping_add(113);
    let z = mixed(y.wrapping_mul(K2).wrapping_add(113)).wrapping_mul(K2);
    let x = SEED.wrapping_mul(K2).wrapping_add(word(bytes, 0));
    let mut state = State { x, y, z, v: (0, 0), w: (0, 0) };
    let last = bytes.len() - 1;
    for round in bytes[..last / ROUND * ROUND].chunks_exact(ROUND) {
        state.round(round, K1, 1);
    }
    let by = K1.wrapping_add((state.z & 0xff) << 1);
    state.w.0 = state.w.0.wrapping_add((last % ROUND) as u64);
    state.v.0 = state.v.0.wrapping_add(state.w.0);
    state.w.0 = state.w.0.wrapping_add(state.v.0);
    state.round(&bytes[bytes.len() - ROUND..], by, 9);
    let State { x, y, z, v, w } = state;
    let left = sum(&[joined(v.0, w.0, by), mixed(y).wrapping_mul(K0), z]);
    joined(left, joined(v.1, w.1, by).wrapping_add(x), by)
}

#[cfg(test)]
mod tests {
    use super::fingerprint;

    #[test]
    fn fingerprints_are_those_of_bigquery() {
        let signed = |bytes: &[u8]| fingerprint(bytes).cast_signed();
        // From BigQuery's documentation.
        assert_eq!(signed(b"1footrue"), -1541654101129638711);
        assert_eq!(signed(b"2applefalse"), 2794438866806483259);
        assert_eq!(signed(b"3true"), -4880158226897771312);
        // From the reference implementation, each by another way.
        let counted = |length: usize| (0..length).map(|at| (at % 251) as u8).collect::<Vec<u8>>();
        let known = [
            (20, -8225851168889855767),
            (50, -6112631403246204428),
            (100, 4395248839964844437),
            (300, 5075016621822370037),
        ];
        for (length, wanted) in known {
            assert_eq!(signed(&counted(length)), wanted, "{length}");
        }
    }
}
