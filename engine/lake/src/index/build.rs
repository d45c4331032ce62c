//! Builds the index while a file is written.

use std::collections::BTreeMap;

use arrow::array::{Array, AsArray, RecordBatch};

use super::super::tables::Table;
use super::{BLOCK, COMMON_ONE_IN, ColumnIndex, ENTRY, IndexLocation, KEY_BITS, VERSIONS, key};

/// Bits of the slot while a file grows.
const SLOT_BITS: u32 = u64::BITS - KEY_BITS;
const SLOTS: usize = 1 << SLOT_BITS;
/// Numbers that are collected before duplicates are removed for the first time.
const MIN_DEDUP: usize = 64 << 10;

/// Keys of the indexed columns of one file.
pub(crate) struct Builder {
    slot_rows: usize,
    /// Slots that a file may have.
    pub(super) max_slots: usize,
    rows: usize,
    columns: Vec<Keys>,
}

struct Keys {
    name: &'static str,
    column: usize,
    /// Key and slot as one number each.
    numbers: Vec<u64>,
    /// Length at which duplicates are removed again.
    dedup_at: usize,
}

impl Keys {
    fn add(&mut self, value: &[u8], slot: usize) {
        let number = key(value) << SLOT_BITS | slot as u64;
        if self.numbers.last() != Some(&number) {
            self.numbers.push(number);
        }
        if self.numbers.len() >= self.dedup_at {
            self.sort();
            self.dedup_at = MIN_DEDUP.max(self.numbers.len() * 2);
        }
    }

    fn sort(&mut self) {
        self.numbers.sort_unstable();
        self.numbers.dedup();
    }

    /// Merges pairs of slots.
    fn coarsen(&mut self) {
        let halved = |number: u64| (number >> SLOT_BITS << SLOT_BITS) | (slot(number) / 2);
        self.numbers.iter_mut().for_each(|number| *number = halved(*number));
        self.sort();
    }

    /// Removes and returns the common keys, except those that fit into a block.
    fn take_common(&mut self, slots: usize) -> Vec<u64> {
        let same_key = |one: &u64, other: &u64| one >> SLOT_BITS == other >> SLOT_BITS;
        let frequent = self.numbers.chunk_by(same_key).filter(|chunk| chunk.len() > BLOCK.max(slots / COMMON_ONE_IN));
        let common: Vec<u64> = frequent.map(|chunk| chunk[0] >> SLOT_BITS).collect();
        self.numbers.retain(|number| !common.contains(&(number >> SLOT_BITS)));
        common
    }
}

impl Builder {
    pub(crate) fn new(table: Table, slot_rows: usize) -> Builder {
        let indexed = table.def().columns.iter().enumerate().filter(|(_, column)| column.indexed);
        let columns = indexed.map(|(number, column)| Keys {
            name: column.name,
            column: number,
            numbers: Vec::new(),
            dedup_at: MIN_DEDUP,
        });
        Builder { slot_rows, max_slots: SLOTS, rows: 0, columns: columns.collect() }
    }

    pub(crate) fn add(&mut self, batch: &RecordBatch) {
        while (self.rows + batch.num_rows()).div_ceil(self.slot_rows) > self.max_slots {
            self.slot_rows *= 2;
            self.columns.iter_mut().for_each(Keys::coarsen);
        }
        for keys in &mut self.columns {
            let Some(values) = batch.column(keys.column).as_fixed_size_binary_opt() else { continue };
            for row in (0..values.len()).filter(|row| values.is_valid(*row)) {
                keys.add(values.value(row), (self.rows + row) / self.slot_rows);
            }
        }
        self.rows += batch.num_rows();
    }

    /// The bytes of the index, to be written at `offset` of the file, and its location. `None` if the file is too small for one.
    pub(crate) fn finish(&mut self, offset: u64) -> Option<(Vec<u8>, IndexLocation)> {
        let slots = self.rows.div_ceil(self.slot_rows);
        let slot_bits = u32::try_from(slots).ok()?.next_power_of_two().trailing_zeros();
        if slots < 2 {
            return None;
        }
        let mut bytes = Vec::new();
        let mut columns = BTreeMap::new();
        for keys in &mut self.columns {
            keys.sort();
            let common = keys.take_common(slots);
            keys.numbers.iter_mut().for_each(|n| *n = *n >> SLOT_BITS << slot_bits | slot(*n));
            let offset = offset + bytes.len() as u64;
            let blocks = write(&keys.numbers, &mut bytes)?;
            columns.insert(keys.name.to_string(), ColumnIndex { offset, blocks, slot_bits, common });
        }
        Some((bytes, IndexLocation { version: *VERSIONS.end(), slot_rows: self.slot_rows, columns }))
    }
}

/// The slot of a number while a file grows.
fn slot(number: u64) -> u64 {
    number & (SLOTS as u64 - 1)
}

fn write(numbers: &[u64], bytes: &mut Vec<u8>) -> Option<u32> {
    let blocks = numbers.len().div_ceil(BLOCK);
    let directory = bytes.len();
    bytes.resize(directory + blocks * ENTRY, 0);
    for (number, block) in numbers.chunks(BLOCK).enumerate() {
        let start = bytes.len();
        for pair in block.windows(2) {
            varint(pair[1] - pair[0], bytes);
        }
        let length = u32::try_from(bytes.len() - start).ok()?;
        let entry = &mut bytes[directory + number * ENTRY..][..ENTRY];
        entry[..8].copy_from_slice(&block[0].to_le_bytes());
        entry[8..].copy_from_slice(&length.to_le_bytes());
    }
    u32::try_from(blocks).ok()
}

fn varint(mut number: u64, bytes: &mut Vec<u8>) {
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}
