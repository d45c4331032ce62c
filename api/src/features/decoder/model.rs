//! Shapes of the decoder.

use quarry_engine::raw_transaction::{RawLog, RawTransaction};
use quarry_functions::decoder::{Argument, DecodeError, DecodeLimit, Decoded, Signature, Signatures, first_that_fits};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sqlx::FromRow;
use utoipa::{IntoParams, ToSchema};

use crate::db::Truth;
use crate::http::ApiError;

/// Transactions of one request.
const MOST_HASHES: usize = 50;
/// Bytes of an input or of a log's data that is given by hand.
const MOST_BYTES: usize = 128 * 1024;
const MOST_TOPICS: usize = 4;
/// Characters of what a client calls its request.
const LONGEST_REQUEST: usize = 64;

/// What to decode: transactions by their hashes, or one call, or one log.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DecodeRequest {
    /// At most 50, each `0x` and 64 hexadecimal digits.
    #[serde(default)]
    pub hashes: Vec<String>,
    /// Data of a call: `0x…`.
    pub input: Option<String>,
    pub log: Option<LogParts>,
    /// What the client calls this request in the websocket's messages about it, 1 to 64 characters.
    pub request_id: Option<String>,
}

/// A log as a node tells it.
#[derive(Debug, Deserialize, ToSchema)]
pub struct LogParts {
    /// At most 4, each `0x` and 64 hexadecimal digits.
    pub topics: Vec<String>,
    /// `0x…`.
    #[serde(default)]
    pub data: String,
}

/// A checked [`DecodeRequest`].
#[derive(Debug)]
pub struct CheckedRequest {
    pub hashes: Vec<[u8; 32]>,
    pub input: Option<Vec<u8>>,
    pub log: Option<(Vec<[u8; 32]>, Vec<u8>)>,
    pub request_id: Option<String>,
}

impl DecodeRequest {
    pub fn check(self) -> Result<CheckedRequest, ApiError> {
        let DecodeRequest { hashes, input, log, request_id } = self;
        let parts = usize::from(!hashes.is_empty()) + usize::from(input.is_some()) + usize::from(log.is_some());
        if parts != 1 {
            return Err(ApiError::invalid("hashes", "Give either hashes of transactions, or an input, or a log."));
        }
        if hashes.len() > MOST_HASHES {
            return Err(ApiError::invalid("hashes", format!("A request names at most {MOST_HASHES} transactions.")));
        }
        if request_id.as_ref().is_some_and(|id| !(1..=LONGEST_REQUEST).contains(&id.chars().count())) {
            return Err(ApiError::invalid("requestId", "A request is called by 1 to 64 characters."));
        }
        let log = log.map(|log| {
            if log.topics.len() > MOST_TOPICS {
                return Err(ApiError::invalid("log", "A log has at most 4 topics."));
            }
            let topics = log.topics.iter().map(|topic| word(topic, "log")).collect::<Result<_, _>>()?;
            Ok((topics, bytes(&log.data, "log")?))
        });
        Ok(CheckedRequest {
            hashes: hashes.iter().map(|hash| word(hash, "hashes")).collect::<Result<_, _>>()?,
            input: input.map(|input| bytes(&input, "input")).transpose()?,
            log: log.transpose()?,
            request_id,
        })
    }
}

fn bytes(text: &str, param: &'static str) -> Result<Vec<u8>, ApiError> {
    let digits = text.trim();
    let digits = digits.strip_prefix("0x").unwrap_or(digits);
    if digits.len() > 2 * MOST_BYTES {
        return Err(ApiError::invalid(param, "At most 128 KB are decoded."));
    }
    hex::decode(digits).map_err(|_| ApiError::invalid(param, "Bytes are written as 0x and hexadecimal digits."))
}

fn word(text: &str, param: &'static str) -> Result<[u8; 32], ApiError> {
    let msg = "A hash is 0x and 64 hexadecimal digits.";
    bytes(text, param)?.try_into().map_err(|_| ApiError::invalid(param, msg))
}

/// One argument.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct ArgumentView {
    /// Empty where the signature gives none.
    pub name: String,
    /// Its Solidity type.
    #[serde(rename = "type")]
    pub kind: String,
    /// Exact: numbers are decimal texts, addresses and bytes `0x…`; lists of these for arrays and tuples.
    pub value: Value,
}

/// What a call or a log says.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct DecodedView {
    pub name: String,
    /// Written out with the names of its arguments.
    pub signature: String,
    pub arguments: Vec<ArgumentView>,
}

impl From<Decoded> for DecodedView {
    fn from(decoded: Decoded) -> DecodedView {
        let argument = |Argument { name, kind, value }| ArgumentView { name, kind, value };
        let arguments = decoded.arguments.into_iter().map(argument).collect();
        DecodedView { name: decoded.name, signature: decoded.signature, arguments }
    }
}

/// A call.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct CallView {
    /// First four bytes; null for a call without data.
    pub selector: Option<String>,
    /// Null when nobody knows the function, or the data does not fit it.
    pub decoded: Option<DecodedView>,
    /// Why nothing was decoded: `empty`, `unknown_selector`, `creation`, or `too_much` for what would make a request more
    /// than 100,000 values or 4 MB; null when it was.
    pub reason: Option<&'static str>,
}

impl CallView {
    pub fn decode(input: &[u8], creates: bool, signatures: &[&Signatures], limit: &mut DecodeLimit) -> CallView {
        let selector = input.get(..4).filter(|_| !creates).map(|selector| format!("0x{}", hex::encode(selector)));
        let decoded = match creates {
            true => Err(DecodeError::Mismatch),
            false => first_that_fits(signatures, |known| known.call(input, limit)),
        };
        let reason = match (&decoded, creates, &selector) {
            (Ok(_), ..) => None,
            (Err(_), true, _) => Some("creation"),
            (Err(_), false, None) => Some("empty"),
            (Err(DecodeError::Mismatch), false, Some(_)) => Some("unknown_selector"),
            (Err(DecodeError::TooLarge), false, Some(_)) => Some("too_much"),
        };
        CallView { selector, decoded: decoded.ok().map(DecodedView::from), reason }
    }
}

/// A log.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct LogView {
    /// Place among the logs of the block, and who emitted it; null for a log that was given by hand.
    pub log_index: Option<i64>,
    pub address: Option<String>,
    pub topic0: Option<String>,
    /// Null when nobody knows the event, or the log does not fit it.
    pub decoded: Option<DecodedView>,
    /// Why nothing was decoded: `anonymous`, `unknown_event`, or `too_much` as in a call; null when it was.
    pub reason: Option<&'static str>,
}

impl LogView {
    pub fn decode(topics: &[[u8; 32]], data: &[u8], signatures: &[&Signatures], limit: &mut DecodeLimit) -> LogView {
        let words: Vec<_> = topics.iter().map(|topic| (*topic).into()).collect();
        let decoded = first_that_fits(signatures, |known| known.log(&words, data, limit));
        let reason = match (&decoded, topics.is_empty()) {
            (Ok(_), _) => None,
            (Err(_), true) => Some("anonymous"),
            (Err(DecodeError::Mismatch), false) => Some("unknown_event"),
            (Err(DecodeError::TooLarge), false) => Some("too_much"),
        };
        let topic0 = topics.first().map(|topic| format!("0x{}", hex::encode(topic)));
        LogView { log_index: None, address: None, topic0, decoded: decoded.ok().map(DecodedView::from), reason }
    }
}

/// A transaction's call and logs.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct TransactionView {
    /// Null when it creates a contract.
    pub to: Option<String>,
    pub call: CallView,
    pub logs: Vec<LogView>,
}

impl TransactionView {
    pub fn decode(
        transaction: &RawTransaction,
        signatures: &[&Signatures],
        limit: &mut DecodeLimit,
    ) -> TransactionView {
        let call = CallView::decode(&transaction.input, transaction.to.is_none(), signatures, limit);
        let log = |log: &RawLog| {
            let topics: Vec<[u8; 32]> = log.topics.iter().map(|topic| topic.0).collect();
            LogView {
                log_index: Some(log.index),
                address: Some(format!("{:#x}", log.address)),
                ..LogView::decode(&topics, &log.data, signatures, limit)
            }
        };
        TransactionView {
            to: transaction.to.map(|to| format!("{to:#x}")),
            call,
            logs: transaction.logs.iter().map(log).collect(),
        }
    }
}

/// What became of one transaction.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DecodedTransaction {
    pub hash: String,
    /// Null when the lake does not hold the transaction.
    pub decoded_result: Option<TransactionView>,
}

/// What was decoded.
#[derive(Debug, Default, Serialize, ToSchema)]
pub struct DecodeAnswer {
    /// One for each hash, in their order.
    pub transactions: Vec<DecodedTransaction>,
    pub call: Option<CallView>,
    pub log: Option<LogView>,
    /// Transactions found.
    pub count: usize,
}

/// A signature that somebody added.
#[derive(Debug, Serialize, ToSchema, FromRow)]
#[serde(rename_all = "camelCase")]
pub struct SignatureView {
    pub id: i64,
    /// `function` or `event`.
    pub kind: String,
    /// Selector or topic.
    pub hash: String,
    pub signature: String,
    /// Whether it serves everybody or only who added it.
    pub everybody: Truth,
    pub user_name: String,
    /// Milliseconds since 1970.
    pub created_at: i64,
}

#[derive(Debug, Deserialize, ToSchema)]
pub struct NewSignature {
    /// `function transfer(address to, uint256 amount)` or `event Transfer(address indexed from, …)`; at most 1,000
    /// characters.
    pub signature: String,
    /// For everybody; administrators only.
    #[serde(default)]
    pub everybody: bool,
}

impl NewSignature {
    pub fn read(&self) -> Result<Signature, ApiError> {
        if self.signature.chars().count() > 1_000 {
            return Err(ApiError::invalid("signature", "A signature has at most 1,000 characters."));
        }
        Signature::parse(&self.signature).map_err(|error| ApiError::invalid("signature", error.message))
    }
}

/// Which signatures.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct SignatureParams {
    /// Part of a signature, or a whole selector or topic.
    pub search: Option<String>,
}
