//! Cases made at random, each from a seed of its own, and changes to valid messages.

use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;

use crate::asked::asked;
use crate::dice::Dice;

/// How many cases run: `make soak` asks for many more than `usual`.
pub fn cases(usual: u64) -> u64 {
    asked("QUARRY_TEST_FUZZ").unwrap_or(usual)
}

/// Runs so many cases on a few threads, with the seeds from `first` on. A case that fails names its seed: running one case
/// with that first seed repeats it.
pub fn run(first: u64, count: u64, threads: u64, case: impl Fn(&mut Dice) + Sync) {
    let next = AtomicU64::new(0);
    let (next, case) = (&next, &case);
    thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(move || {
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    if number >= count {
                        return;
                    }
                    let _running = Running { seed: first.wrapping_add(number), next, count };
                    case(&mut Dice::new(first.wrapping_add(number)));
                }
            });
        }
    });
}

struct Running<'a> {
    seed: u64,
    next: &'a AtomicU64,
    count: u64,
}

impl Drop for Running<'_> {
    fn drop(&mut self) {
        if thread::panicking() {
            eprintln!("it failed with QUARRY_TEST_SEED={} QUARRY_TEST_FUZZ=1", self.seed);
            // No further case begins.
            self.next.fetch_max(self.count, Ordering::Relaxed);
        }
    }
}

/// Numbers that lengths and counts go wrong at.
const EDGES: [u32; 12] = [0, 1, 3, 4, 5, 0x7f, 0x7fff, 0x8000, 0xffff, 0x7fff_ffff, 0x8000_0000, u32::MAX];

/// A length or count at random, often one that programs get wrong.
pub fn edge(dice: &mut Dice) -> u32 {
    match dice.below(3) {
        0 => dice.below(1 << 32) as u32,
        _ => EDGES[dice.index(EDGES.len())],
    }
}

/// Changes a message in one to four places.
pub fn mutate(dice: &mut Dice, bytes: &mut Vec<u8>) {
    for _ in 0..=dice.below(4) {
        let at = dice.index(bytes.len() + 1);
        let length = dice.index(40).min(bytes.len() - at);
        match dice.below(8) {
            0 => bytes.truncate(at),
            1 => drop(bytes.drain(at..at + length)),
            2 => {
                let again = bytes[at..at + length].to_vec();
                bytes.splice(at..at, again);
            }
            3 => {
                let count = dice.index(30);
                bytes.splice(at..at, dice.bytes(count));
            }
            4 => overwrite(bytes, at, &edge(dice).to_be_bytes()),
            5 => overwrite(bytes, at, &(edge(dice) as u16).to_be_bytes()),
            6 => overwrite(bytes, at, &[dice.below(256) as u8]),
            _ => {
                let bit = 1 << dice.below(8);
                if let Some(byte) = bytes.get_mut(at) {
                    *byte ^= bit;
                }
            }
        }
    }
}

fn overwrite(bytes: &mut [u8], at: usize, with: &[u8]) {
    bytes[at..].iter_mut().zip(with).for_each(|(byte, new)| *byte = *new);
}
