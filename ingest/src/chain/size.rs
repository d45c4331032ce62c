//! Estimates the size of blocks.

use alloy::consensus::Transaction;
use alloy::eips::eip7702::SignedAuthorization;
use alloy_primitives::{Address, B256};

use super::{BlockData, TraceData, TransactionData};

impl BlockData {
    /// Bytes of all variable-length fields, close to the size of its rows. No column has more.
    pub(crate) fn bytes(&self) -> usize {
        let sent: usize = self.transactions.iter().map(transaction).sum();
        let traces: usize = self.traces.iter().flatten().map(trace).sum();
        let withdrawals = self.withdrawals.as_deref().map_or(0, size_of_val);
        self.header.extra_data.len() + sent + traces + withdrawals
    }
}

fn transaction(sent: &TransactionData) -> usize {
    let listed = |keys: usize| size_of::<Address>() + keys * size_of::<B256>();
    let accesses: usize =
        sent.tx.access_list().iter().flat_map(|list| &list.0).map(|item| listed(item.storage_keys.len())).sum();
    let authorizations = sent.tx.authorization_list().map_or(0, <[SignedAuthorization]>::len);
    let blobs = sent.tx.blob_versioned_hashes().map_or(0, <[B256]>::len);
    let logs: usize = sent.receipt.logs.iter().map(|log| size_of_val(log) + log.data.data.len()).sum();
    size_of_val(sent)
        + sent.tx.input().len()
        + accesses
        + authorizations * size_of::<SignedAuthorization>()
        + blobs * size_of::<B256>()
        + logs
}

fn trace(trace: &TraceData) -> usize {
    let bytes = [&trace.input, &trace.output].into_iter().flatten().map(|bytes| bytes.len()).sum::<usize>();
    size_of_val(trace)
        + bytes
        + size_of_val(trace.trace_address.as_slice())
        + trace.error.as_ref().map_or(0, String::len)
}
