//! Exact numbers and plain hex in queries: what the planner does with operators, and passes over the plan.
//!
//! While a query is planned, [`operators::Operators`] gives division, 256-bit numbers and comparisons of bytes their
//! meaning, since they decide types. Then [`meaning::Meaning`] does the same for everything else, from the leaves up:
//! what the planner could not know yet (a `union` decides types late) is known there. Last,
//! [`integers::CheckedIntegers`] puts in integer operators that fail rather than wrap, and [`intervals::IntervalLengths`]
//! compares intervals by their length, [`texts::TimesAsText`] writes times as results show them, and [`zeros::OneZero`] takes
//! `-0.0` for `0.0`, and [`listed::ListsOfValues`] keeps lists of `IN` to values that are known.

mod binary;
mod calls;
mod column;
mod conditions;
mod counts;
mod doubles;
mod fields;
mod frames;
mod hex;
mod integers;
mod intervals;
mod keys;
mod listed;
mod literal;
mod meaning;
mod membership;
mod numerals;
mod of_json;
mod operators;
mod patterns;
mod reduced;
mod texts;
mod times;
mod unify;
mod unnested;
mod values;
mod zeros;

use std::sync::Arc;

use datafusion::optimizer::AnalyzerRule;
use datafusion::optimizer::analyzer::Analyzer;

use super::mended::byte_cases::ByteCases;
use super::mended::changing::OncePerRow;
use super::mended::no_rows::NullForNoRows;
use super::mended::outer_types::OuterTypes;
use super::mended::sole_rows::SoleRowsStay;

pub(crate) use column::cast_column;
pub(crate) use counts::Counts;
pub(crate) use fields::RowFields;
pub(super) use listed::all_of;
pub(crate) use operators::Operators;
pub(crate) use times::completed;
pub(crate) use unify::{Chosen, chosen};

/// The stock passes between ours.
pub(super) fn analyzer_rules() -> Vec<Arc<dyn AnalyzerRule + Send + Sync>> {
    let mut rules: Vec<Arc<dyn AnalyzerRule + Send + Sync>> =
        vec![Arc::new(OncePerRow), Arc::new(meaning::Meaning { only_chain: false })];
    rules.extend(Analyzer::new().rules);
    rules.push(Arc::new(OuterTypes));
    rules.push(Arc::new(SoleRowsStay));
    rules.push(Arc::new(NullForNoRows));
    rules.push(Arc::new(integers::CheckedIntegers));
    rules.push(Arc::new(intervals::IntervalLengths));
    rules.push(Arc::new(texts::TimesAsText));
    rules.push(Arc::new(zeros::OneZero));
    rules.push(Arc::new(listed::ListsOfValues));
    rules.push(Arc::new(ByteCases));
    rules
}

/// The stock passes for another language, behind ours for bytes and 256-bit numbers.
pub(super) fn chain_rules() -> Vec<Arc<dyn AnalyzerRule + Send + Sync>> {
    let mut rules: Vec<Arc<dyn AnalyzerRule + Send + Sync>> =
        vec![Arc::new(OncePerRow), Arc::new(meaning::Meaning { only_chain: true })];
    rules.extend(Analyzer::new().rules);
    rules.push(Arc::new(OuterTypes));
    rules.push(Arc::new(SoleRowsStay));
    rules.push(Arc::new(NullForNoRows));
    rules.push(Arc::new(zeros::OneZero));
    rules.push(Arc::new(listed::ListsOfValues));
    rules.push(Arc::new(ByteCases));
    rules
}
