//! Whole blocks from a node: with all receipts of a block in one call, or one by one where the node is older.

use std::ops::RangeInclusive;
use std::sync::atomic::Ordering;

use alloy_primitives::B256;
use quarry_engine::{Error, ErrorCode, Result};
use serde::de::DeserializeOwned;
use serde_json::value::RawValue;

use super::failure::Remedy;
use super::wire::{WireBlock, WireReceipt};
use super::{Call, Node, convert};
use crate::chain::BlockData;

const BLOCK: &str = "eth_getBlockByNumber";
const BLOCK_RECEIPTS: &str = "eth_getBlockReceipts";
const RECEIPT: &str = "eth_getTransactionReceipt";

impl Node {
    /// The blocks of this range in order, each checked in itself and linked with the one before.
    pub async fn blocks(&self, range: RangeInclusive<u64>) -> Result<Vec<BlockData>> {
        let blocks = match self.block_receipts.load(Ordering::Relaxed) {
            true => match self.with_block_receipts(range.clone()).await? {
                Some(blocks) => blocks,
                None => self.with_single_receipts(range).await?,
            },
            false => self.with_single_receipts(range).await?,
        };
        check_links(&blocks)
            .map_err(|wrong| Error::new(ErrorCode::Source, format!("The node at {}: {wrong}.", self.name())))?;
        Ok(blocks)
    }

    /// `None` when the node does not know the call for the receipts of a block; it is not asked for them again.
    async fn with_block_receipts(&self, range: RangeInclusive<u64>) -> Result<Option<Vec<BlockData>>> {
        // A block and its receipts side by side, so that a reorganisation seldom comes between them.
        let pair = |number| [block_call(number), Call::new(BLOCK_RECEIPTS, format!("\"{number:#x}\"")).or_null()];
        let calls: Vec<Call> = range.clone().flat_map(pair).collect();
        let answers = match self.try_answers(&calls).await {
            Ok(answers) => answers,
            Err((_, failure)) if failure.remedy == Remedy::OtherMethod => {
                self.block_receipts.store(false, Ordering::Relaxed);
                return Ok(None);
            }
            Err((calls, failure)) => return Err(self.error(calls, &failure)),
        };
        let parse = move || {
            let mut blocks = Vec::with_capacity(answers.len() / 2);
            for (number, answers) in range.zip(answers.chunks_exact(2)) {
                let block: WireBlock = parse(&answers[0]).map_err(|wrong| (number, BLOCK, wrong))?;
                // Some clients have no list, rather than an empty one, for a block without transactions.
                let receipts: Option<Vec<WireReceipt>> =
                    parse(&answers[1]).map_err(|wrong| (number, BLOCK_RECEIPTS, wrong))?;
                let receipts = receipts.unwrap_or_default();
                blocks.push(finish(number, block, receipts).map_err(|wrong| (number, BLOCK, wrong))?);
            }
            Ok(blocks)
        };
        self.off_the_runtime(parse).await.map(Some)
    }

    async fn with_single_receipts(&self, range: RangeInclusive<u64>) -> Result<Vec<BlockData>> {
        let calls: Vec<Call> = range.clone().map(block_call).collect();
        let answers = self.answers(&calls).await?;
        let numbers = range.clone();
        let parse_blocks = move || {
            let mut blocks = Vec::with_capacity(answers.len());
            for (number, answer) in numbers.zip(&answers) {
                blocks.push(parse::<WireBlock>(answer).map_err(|wrong| (number, BLOCK, wrong))?);
            }
            Ok(blocks)
        };
        let blocks = self.off_the_runtime(parse_blocks).await?;
        let hashes = blocks.iter().flat_map(|block| &block.transactions).map(|transaction| transaction.hash);
        let calls: Vec<Call> = hashes.map(receipt_call).collect();
        let answers = self.answers(&calls).await?;
        let parse_receipts = move || {
            let mut answers = answers.iter();
            let mut whole = Vec::with_capacity(blocks.len());
            for (number, block) in range.zip(blocks) {
                let own = answers.by_ref().take(block.transactions.len());
                let receipts: Result<Vec<WireReceipt>, String> = own.map(|answer| parse(answer)).collect();
                let receipts = receipts.map_err(|wrong| (number, RECEIPT, wrong))?;
                whole.push(finish(number, block, receipts).map_err(|wrong| (number, BLOCK, wrong))?);
            }
            Ok(whole)
        };
        self.off_the_runtime(parse_receipts).await
    }

    /// Runs work of milliseconds where it holds up nobody.
    async fn off_the_runtime<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> Result<T, Wrong> + Send + 'static,
    ) -> Result<T> {
        match tokio::task::spawn_blocking(work).await.map_err(Error::internal)? {
            Ok(done) => Ok(done),
            Err((number, method, wrong)) => Err(self.nonsense(&Call::new(method, format!("block {number}")), &wrong)),
        }
    }
}

/// Block, method and what is wrong with its answer.
type Wrong = (u64, &'static str, String);

fn block_call(number: u64) -> Call {
    Call::new(BLOCK, format!("\"{number:#x}\",true"))
}

fn receipt_call(hash: B256) -> Call {
    Call::new(RECEIPT, format!("\"{hash}\""))
}

fn parse<T: DeserializeOwned>(answer: &RawValue) -> Result<T, String> {
    serde_json::from_str(answer.get()).map_err(|error| error.to_string())
}

fn finish(number: u64, block: WireBlock, receipts: Vec<WireReceipt>) -> Result<BlockData, String> {
    if block.number.0 != number {
        return Err(format!("it is block {}", block.number.0));
    }
    convert::block(block, receipts)
}

/// That each block names the one before as its parent.
pub(crate) fn check_links(blocks: &[BlockData]) -> Result<(), String> {
    for pair in blocks.windows(2) {
        let (before, after) = (&pair[0], &pair[1]);
        if after.header.parent_hash != before.hash {
            let (number, parent) = (after.header.number, after.header.parent_hash);
            return Err(format!(
                "block {number} names {parent} as its parent, but block {} is {}; the chain may have just been reorganised",
                before.header.number, before.hash
            ));
        }
    }
    Ok(())
}
