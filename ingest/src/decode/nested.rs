//! Columns of lists: access lists, authorizations, blob hashes, trace addresses, selectors.

use std::sync::Arc;

use alloy::eips::eip2930::AccessList;
use alloy::eips::eip7702::SignedAuthorization;
use alloy_primitives::B256;
use arrow::array::{ArrayRef, BinaryArray, Int32Array, Int64Array, ListArray, StructArray};
use arrow::buffer::{NullBuffer, OffsetBuffer};
use arrow::datatypes::Field;
use quarry_lake::tables::column::{access_fields, authorization_fields};

use super::columns::fixed;

/// Trace addresses.
pub(super) fn paths<'a>(rows: impl Iterator<Item = &'a [u32]> + Clone) -> ArrayRef {
    // Gas keeps child indices far below 2^31.
    let items = Int32Array::from_iter_values(rows.clone().flatten().map(|&index| index as i32));
    list(rows.map(|path| Some(path.len())), Arc::new(items))
}

/// Lists of byte strings, such as selectors.
pub(super) fn byte_lists<'a>(rows: impl Iterator<Item = &'a [[u8; 4]]> + Clone) -> ArrayRef {
    let items: Vec<&[u8; 4]> = rows.clone().flatten().collect();
    let items = BinaryArray::from_iter_values(items);
    list(rows.map(|row| Some(row.len())), Arc::new(items))
}

/// Lists of 32-byte words, with nulls.
pub(crate) fn hash_lists<'a>(rows: impl Iterator<Item = Option<&'a [B256]>> + Clone) -> ArrayRef {
    let items: Vec<_> = rows.clone().flatten().flatten().map(|hash| Some(hash.0)).collect();
    list(rows.map(|row| row.map(<[B256]>::len)), fixed(items.into_iter()))
}

pub(super) fn access_lists<'a>(rows: impl Iterator<Item = Option<&'a AccessList>> + Clone) -> ArrayRef {
    let entries: Vec<_> = rows.clone().flatten().flat_map(|list| list.0.iter()).collect();
    let addresses = fixed(entries.iter().map(|entry| Some(entry.address.0.0)));
    let keys: Vec<_> = entries.iter().flat_map(|entry| &entry.storage_keys).map(|key| Some(key.0)).collect();
    let keys = list(entries.iter().map(|entry| Some(entry.storage_keys.len())), fixed(keys.into_iter()));
    let items = StructArray::new(access_fields(), vec![addresses, keys], None);
    list(rows.map(|row| row.map(|list| list.0.len())), Arc::new(items))
}

pub(super) fn authorization_lists<'a>(
    rows: impl Iterator<Item = Option<&'a [SignedAuthorization]>> + Clone,
) -> ArrayRef {
    let entries: Vec<_> = rows.clone().flatten().flatten().collect();
    // An invalid authorization may have any 64-bit nonce. The column keeps the bits, so that hashes can be recomputed.
    let nonces = Int64Array::from_iter_values(entries.iter().map(|entry| entry.nonce as i64));
    let parities = Int32Array::from_iter_values(entries.iter().map(|entry| i32::from(entry.y_parity())));
    let columns: Vec<ArrayRef> = vec![
        fixed(entries.iter().map(|entry| Some(entry.chain_id.to_be_bytes::<32>()))),
        fixed(entries.iter().map(|entry| Some(entry.address.0.0))),
        Arc::new(nonces),
        Arc::new(parities),
        fixed(entries.iter().map(|entry| Some(entry.r().to_be_bytes::<32>()))),
        fixed(entries.iter().map(|entry| Some(entry.s().to_be_bytes::<32>()))),
    ];
    let items = StructArray::new(authorization_fields(), columns, None);
    list(rows.map(|row| row.map(<[SignedAuthorization]>::len)), Arc::new(items))
}

/// A list array of `items` from the length of each list; `None` for a null list.
fn list(lengths: impl Iterator<Item = Option<usize>>, items: ArrayRef) -> ArrayRef {
    let lengths: Vec<Option<usize>> = lengths.collect();
    let nulls = Some(NullBuffer::from_iter(lengths.iter().map(Option::is_some))).filter(|nulls| nulls.null_count() > 0);
    let offsets = OffsetBuffer::from_lengths(lengths.into_iter().map(Option::unwrap_or_default));
    let field = Arc::new(Field::new_list_field(items.data_type().clone(), false));
    Arc::new(ListArray::new(field, offsets, items, nulls))
}
