//! Fetches blocks from a node, with receipts by block or, on older nodes, one by one.

use std::ops::RangeInclusive;
use std::sync::atomic::Ordering;

use alloy::consensus::Transaction;
use alloy_primitives::B256;
use quarry_types::{Error, ErrorCode, Result};
use serde::de::DeserializeOwned;

use super::byte_budget::ByteBudget;
use super::failure::Remedy;
use super::json_types::{WireBlock, WireReceipt};
use super::request::{DATA_ATTEMPTS, pause};
use super::response::Answer;
use super::{Call, FetchError, FetchedBlocks, Node, convert};
use crate::chain::BlockData;
use crate::proofs::{self, Mismatch};
use crate::threads;

const BLOCK: &str = "eth_getBlockByNumber";
const BLOCK_RECEIPTS: &str = "eth_getBlockReceipts";
const RECEIPT: &str = "eth_getTransactionReceipt";

impl Node {
    /// Fetches the blocks of a range in order, verified and linked.
    pub async fn blocks(&self, range: RangeInclusive<u64>) -> Result<Vec<BlockData>> {
        Ok(self.fetch_blocks(range, None).await?.blocks)
    }

    /// The same with a limit for the bytes of all responses. Inconsistent data is requested again before it is an
    /// error: the chain may have been reorganized between two requests, or a load balancer may have used two nodes.
    pub(super) async fn fetch_blocks(
        &self,
        range: RangeInclusive<u64>,
        max_bytes: Option<usize>,
    ) -> Result<FetchedBlocks, FetchError> {
        let mut attempt = 1;
        loop {
            let budget = max_bytes.map(ByteBudget::of);
            match self.fetch_once(range.clone(), budget.as_ref()).await {
                Ok(blocks) => {
                    return Ok(FetchedBlocks { blocks, bytes: budget.map_or(0, |budget| budget.taken()) });
                }
                Err(FetchError::Inconsistent(error)) if attempt < DATA_ATTEMPTS => {
                    tracing::debug!(%error, attempt, "blocks are requested again");
                    tokio::time::sleep(pause(attempt)).await;
                    attempt += 1;
                }
                Err(error) => return Err(error),
            }
        }
    }

    async fn fetch_once(
        &self,
        range: RangeInclusive<u64>,
        budget: Option<&ByteBudget>,
    ) -> Result<Vec<BlockData>, FetchError> {
        let fetched = self.whole_blocks(range.clone(), budget).await;
        if let Err(FetchError::NotThere(_)) = fetched {
            self.doubt(*range.start());
        }
        let blocks = fetched?;
        if let Some(budget) = budget {
            budget
                .check_read(blocks.iter().map(BlockData::bytes).sum())
                .map_err(|failure| self.fetch_error(&[], &failure))?;
        }
        self.check(blocks).await
    }

    async fn whole_blocks(
        &self,
        range: RangeInclusive<u64>,
        budget: Option<&ByteBudget>,
    ) -> Result<Vec<BlockData>, FetchError> {
        if self.block_receipts.load(Ordering::Relaxed)
            && let Some(blocks) = self.with_block_receipts(range.clone(), budget).await?
        {
            return Ok(blocks);
        }
        self.with_single_receipts(range, budget).await
    }

    /// Checks that the blocks are linked and, unless disabled, verifies them.
    async fn check(&self, blocks: Vec<BlockData>) -> Result<Vec<BlockData>, FetchError> {
        if let Some((block, other)) = signed_for_another(&blocks, self.chain_id) {
            let (name, chain_id) = (self.name(), self.chain_id);
            let message = format!(
                "The node at {name} now serves a different chain: block {block} has a transaction of chain {other}, \
                 not {chain_id}."
            );
            return Err(Error::new(ErrorCode::Source, message).into());
        }
        let prove = self.config.verify;
        let check = move || {
            proofs::links(&blocks)?;
            match prove.then(|| proofs::mismatches(&blocks).next()).flatten() {
                Some(mismatch) => Err(mismatch),
                None => Ok(blocks),
            }
        };
        let checked: Result<_, Mismatch> = threads::run(check).await.map_err(Error::internal)?;
        checked.map_err(|mismatch| {
            let message = format!("The node at {} returned blocks that fail verification: {mismatch}.", self.name());
            FetchError::Inconsistent(Error::new(ErrorCode::Verification, message))
        })
    }

    /// Number of blocks that fill a request.
    pub(super) fn step(&self) -> u64 {
        let calls_of_a_block = if self.tracing.is_some() { 3 } else { 2 };
        (self.limiter.calls() / calls_of_a_block).max(1) as u64
    }

    /// Current maximum of concurrent requests.
    pub(super) fn room(&self) -> usize {
        self.limiter.limit()
    }

    /// `None` if the node does not support receipts by block, which is remembered.
    async fn with_block_receipts(
        &self,
        range: RangeInclusive<u64>,
        budget: Option<&ByteBudget>,
    ) -> Result<Option<Vec<BlockData>>, FetchError> {
        // A block and its receipts next to each other, so that a reorganization seldom comes between them.
        let receipts = |number| Call::new(BLOCK_RECEIPTS, format!("\"{number:#x}\"")).or_null();
        let tracing = self.tracing;
        let traces = |number| tracing.map(|method| method.call(&format!("{number:#x}")));
        let of_block = |number| [block_call(number), receipts(number)].into_iter().chain(traces(number));
        let calls: Vec<Call> = range.clone().flat_map(of_block).collect();
        let of_a_block = if tracing.is_some() { 3 } else { 2 };
        let answers = match self.try_answers(&calls, budget).await {
            Ok(answers) => answers,
            Err((_, failure)) if failure.remedy == Remedy::OtherMethod => {
                self.block_receipts.store(false, Ordering::Relaxed);
                return Ok(None);
            }
            Err((calls, failure)) => return Err(self.fetch_error(calls, &failure)),
        };
        let parse = move || {
            let mut blocks = Vec::with_capacity(answers.len() / of_a_block);
            for (number, answers) in range.zip(answers.chunks_exact(of_a_block)) {
                let block: WireBlock = parse(&answers[0]).map_err(|wrong| (number, BLOCK, wrong))?;
                // Some clients return null instead of an empty list for a block without transactions.
                let receipts: Option<Vec<WireReceipt>> =
                    parse(&answers[1]).map_err(|wrong| (number, BLOCK_RECEIPTS, wrong))?;
                let receipts = receipts.unwrap_or_default();
                let mut block = finish(number, block, receipts).map_err(|wrong| (number, BLOCK, wrong))?;
                if let (Some(method), Some(answer)) = (tracing, answers.get(2)) {
                    method.add(&mut block, answer).map_err(|wrong| (number, method.name(), wrong))?;
                }
                blocks.push(block);
            }
            Ok(blocks)
        };
        self.off_the_runtime(parse).await.map(Some)
    }

    async fn with_single_receipts(
        &self,
        range: RangeInclusive<u64>,
        budget: Option<&ByteBudget>,
    ) -> Result<Vec<BlockData>, FetchError> {
        let all = async |calls: Vec<Call>| {
            let answers = self.try_answers(&calls, budget).await;
            answers.map_err(|(calls, failure)| self.fetch_error(calls, &failure))
        };
        let answers = all(range.clone().map(block_call).collect()).await?;
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
        let answers = all(hashes.map(receipt_call).collect()).await?;
        let tracing = self.tracing;
        let trace_calls =
            tracing.iter().flat_map(|method| range.clone().map(|number| method.call(&format!("{number:#x}"))));
        let traces = all(trace_calls.collect()).await?;
        let parse_receipts = move || {
            let (mut answers, mut traces) = (answers.iter(), traces.iter());
            let mut whole = Vec::with_capacity(blocks.len());
            for (number, block) in range.zip(blocks) {
                let own = answers.by_ref().take(block.transactions.len());
                let receipts: Result<Vec<WireReceipt>, String> = own.map(parse).collect();
                let receipts = receipts.map_err(|wrong| (number, RECEIPT, wrong))?;
                let mut block = finish(number, block, receipts).map_err(|wrong| (number, BLOCK, wrong))?;
                if let (Some(method), Some(answer)) = (tracing, traces.next()) {
                    method.add(&mut block, answer).map_err(|wrong| (number, method.name(), wrong))?;
                }
                whole.push(block);
            }
            Ok(whole)
        };
        self.off_the_runtime(parse_receipts).await
    }

    /// Runs CPU-bound work on the thread pool.
    async fn off_the_runtime<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> Result<T, BlockError> + Send + 'static,
    ) -> Result<T, FetchError> {
        let done = threads::run(work).await.map_err(Error::internal)?;
        done.map_err(|(number, method, wrong)| {
            FetchError::Inconsistent(self.nonsense(&Call::new(method, format!("block {number}")), &wrong))
        })
    }
}

/// The first block with a transaction that was signed for another chain, and its chain id. Transactions from before
/// EIP-155 have none.
fn signed_for_another(blocks: &[BlockData], chain_id: u64) -> Option<(u64, u64)> {
    let sent = blocks.iter().flat_map(|block| block.transactions.iter().map(move |sent| (block.header.number, sent)));
    sent.filter_map(|(number, sent)| Some((number, sent.tx.chain_id()?))).find(|(_, other)| *other != chain_id)
}

/// An error with block, method and reason.
type BlockError = (u64, &'static str, String);

fn block_call(number: u64) -> Call {
    Call::new(BLOCK, format!("\"{number:#x}\",true"))
}

fn receipt_call(hash: B256) -> Call {
    Call::new(RECEIPT, format!("\"{hash}\""))
}

fn parse<T: DeserializeOwned>(answer: &Answer) -> Result<T, String> {
    serde_json::from_str(answer.get()).map_err(|error| error.to_string())
}

fn finish(number: u64, block: WireBlock, receipts: Vec<WireReceipt>) -> Result<BlockData, String> {
    if block.number.0 != number {
        return Err(format!("it is block {}", block.number.0));
    }
    convert::block(block, receipts)
}
