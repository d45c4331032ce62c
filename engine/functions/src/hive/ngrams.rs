//! `ngrams` and `context_ngrams`: the most frequent n-grams of words in the sentences of a group, with their counts. Hive counts at
//! most `factor` times as many as it answers, and so do we.

use std::cmp::Ordering;
use std::collections::HashMap;

use arrow::array::{Float64Builder, ListBuilder, StringBuilder, StructBuilder};
use arrow::datatypes::Fields;
use datafusion::logical_expr::function::{AccumulatorArgs, StateFieldsArgs};
use datafusion::logical_expr::{Accumulator, AggregateUDF, AggregateUDFImpl};
use datafusion::physical_plan::PhysicalExpr;

use crate::aggregates::constant_argument::{constant_array, constant_between};
use crate::aggregates::methods::name_and_signature;
use crate::prelude::*;

/// Limits of the arguments: words of an n-gram, n-grams in the answer, and how many times as many are counted.
const MAX_WORDS: f64 = 1_000.0;
const MAX_NGRAMS: f64 = 100_000.0;
const MAX_FACTOR: f64 = 1_000.0;
const DEFAULT_FACTOR: usize = 20;

/// SQL has a scalar function that is called `ngrams`.
const NGRAMS: &str = "hive_ngrams";

#[derive(Debug, PartialEq, Eq, Hash)]
struct Ngrams {
    name: &'static str,
    signature: Signature,
}

pub(super) fn functions() -> [AggregateUDF; 2] {
    [NGRAMS, "context_ngrams"].map(|name| {
        let signature = Signature::user_defined(Volatility::Immutable);
        AggregateUDF::new_from_impl(Ngrams { name, signature })
    })
}

fn count_fields() -> Fields {
    let words = Field::new("ngram", DataType::new_list(DataType::Utf8, true), true);
    Fields::from(vec![words, Field::new("estfrequency", DataType::Float64, true)])
}

fn answer_type() -> DataType {
    DataType::new_list(DataType::Struct(count_fields()), true)
}

impl Ngrams {
    /// The name in HiveQL.
    fn hive_name(&self) -> &str {
        self.name.trim_start_matches("hive_")
    }
}

impl AggregateUDFImpl for Ngrams {
    name_and_signature!();

    fn coerce_types(&self, types: &[DataType]) -> Result<Vec<DataType>> {
        let is_nested = match types.first() {
            Some(DataType::List(item)) => matches!(item.data_type(), DataType::List(_)),
            Some(DataType::Null) => false,
            _ => {
                return Err(invalid(format!(
                    "{} expects an array of words, or an array of arrays of words.",
                    self.hive_name()
                )));
            }
        };
        if !(3..=4).contains(&types.len()) {
            return Err(invalid(format!(
                "{} expects words, what to count and how many results to return.",
                self.hive_name()
            )));
        }
        let words = DataType::new_list(DataType::Utf8, true);
        let counted = if self.name == NGRAMS { DataType::Float64 } else { words.clone() };
        let mut coerced = vec![if is_nested { DataType::new_list(words, true) } else { words }, counted];
        coerced.extend(types.iter().skip(2).map(|_| DataType::Float64));
        Ok(coerced)
    }

    fn return_type(&self, _: &[DataType]) -> Result<DataType> {
        Ok(answer_type())
    }

    fn state_fields(&self, args: StateFieldsArgs) -> Result<Vec<FieldRef>> {
        Ok(vec![Arc::new(Field::new(format!("{}_counted", args.name), answer_type(), true))])
    }

    fn accumulator(&self, args: AccumulatorArgs) -> Result<Box<dyn Accumulator>> {
        if args.is_distinct {
            return Err(invalid(format!("{} does not support DISTINCT; select the distinct values first.", self.name)));
        }
        let pattern = match self.name == NGRAMS {
            true => vec![None; whole_number(&args.exprs[1], MAX_WORDS, "The number of words")?],
            false => context(&args.exprs[1])?,
        };
        let limit = whole_number(&args.exprs[2], MAX_NGRAMS, "The number of series")?;
        let factor = args.exprs.get(3).map(|factor| whole_number(factor, MAX_FACTOR, "The factor")).transpose()?;
        let max_counts = limit * factor.unwrap_or(DEFAULT_FACTOR);
        Ok(Box::new(Counts { pattern, limit, max_counts, counts: HashMap::new(), added: 0, table_size: 16, bytes: 0 }))
    }
}

fn whole_number(expr: &Arc<dyn PhysicalExpr>, most: f64, name: &str) -> Result<usize> {
    let message = format!("{name} must be a constant from 1 to {most}.");
    Ok(constant_between(expr, 1.0, most, &message)? as usize)
}

/// The words around those that are counted: null where any word may be.
fn context(expr: &Arc<dyn PhysicalExpr>) -> Result<Vec<Option<String>>> {
    let message = "The context must be a constant array of words and nulls.";
    let value = constant_array(expr, message)?;
    let Some(list) = value.as_list_opt::<i32>().filter(|list| list.is_valid(0)) else { return Err(invalid(message)) };
    let words: Vec<Option<String>> =
        list.value(0).as_string::<i32>().iter().map(|word| word.map(str::to_string)).collect();
    match words.iter().any(Option::is_none) {
        true => Ok(words),
        false => Err(invalid("The context must have a null in place of each word to count.")),
    }
}

#[derive(Debug)]
struct Count {
    times: f64,
    /// The position of the n-gram in the order of first occurrences.
    first: u64,
}

#[derive(Debug)]
struct Counts {
    /// The word at each place, or any.
    pattern: Vec<Option<String>>,
    /// How many n-grams are in the answer.
    limit: usize,
    /// At twice as many the least frequent are dropped down to this number.
    max_counts: usize,
    counts: HashMap<Vec<String>, Count>,
    added: u64,
    /// Slots of Java's hash table, whose order decides among n-grams that are equally frequent.
    table_size: usize,
    bytes: usize,
}

impl Counts {
    /// Counts the n-grams of a sentence from its end, as Hive does.
    fn add_sentence(&mut self, words: &ArrayRef) {
        let words = words.as_string::<i32>();
        let has_context = self.pattern.iter().any(Option::is_some);
        for start in (0..(words.len() + 1).saturating_sub(self.pattern.len())).rev() {
            let here = || (start..).zip(&self.pattern);
            let fits = here().all(|(at, word)| match word {
                Some(word) => words.is_valid(at) && words.value(at) == word,
                None => words.is_valid(at),
            });
            if fits {
                let counted = here().filter(|(_, word)| !has_context || word.is_none());
                let ngram = counted.map(|(at, _)| words.value(at).to_string()).collect();
                self.add(ngram, 1.0);
            }
        }
    }

    fn add(&mut self, ngram: Vec<String>, times: f64) {
        if let Some(count) = self.counts.get_mut(&ngram) {
            count.times += times;
        } else {
            self.bytes += heap_size(&ngram);
            self.counts.insert(ngram, Count { times, first: self.added });
            self.added += 1;
        }
        while self.counts.len() * 4 > self.table_size * 3 {
            self.table_size *= 2;
        }
        if self.counts.len() >= self.max_counts * 2 {
            self.keep(self.max_counts);
        }
    }

    /// All counts, in the order of Java's hash table.
    fn in_order(&self) -> Vec<(&Vec<String>, &Count)> {
        let mut all: Vec<_> = self.counts.iter().collect();
        all.sort_by_key(|(ngram, count)| (slot(ngram, self.table_size), count.first));
        all
    }

    /// Drops the least frequent ones.
    fn keep(&mut self, most: usize) {
        let mut all = self.in_order();
        all.sort_by(|(_, a), (_, b)| rarer(a, b));
        let dropped = all.len().saturating_sub(most);
        let dropped: Vec<Vec<String>> = all.into_iter().take(dropped).map(|(ngram, _)| ngram.clone()).collect();
        for ngram in dropped {
            self.bytes -= heap_size(&ngram);
            self.counts.remove(&ngram);
        }
    }

    fn write(&self, mut all: Vec<(&Vec<String>, &Count)>) -> Result<ScalarValue> {
        if all.is_empty() {
            return ScalarValue::try_from(&answer_type());
        }
        all.sort_by(|(_, a), (_, b)| rarer(b, a));
        let words = ListBuilder::new(StringBuilder::new());
        let structs = StructBuilder::new(count_fields(), vec![Box::new(words), Box::new(Float64Builder::new())]);
        let mut list = ListBuilder::new(structs);
        for (ngram, count) in all {
            let row = list.values();
            if let Some(words) = row.field_builder::<ListBuilder<StringBuilder>>(0) {
                words.append_value(ngram.iter().map(Some));
            }
            if let Some(times) = row.field_builder::<Float64Builder>(1) {
                times.append_value(count.times);
            }
            row.append(true);
        }
        list.append(true);
        Ok(ScalarValue::List(Arc::new(list.finish())))
    }
}

fn rarer(a: &Count, b: &Count) -> Ordering {
    a.times.total_cmp(&b.times)
}

fn heap_size(ngram: &[String]) -> usize {
    ngram.iter().map(|word| word.len() + size_of::<String>()).sum()
}

/// The slot of a list of words in a hash table of Java of this size.
fn slot(ngram: &[String], table_size: usize) -> usize {
    let chain = |hash: i32, part: i32| hash.wrapping_mul(31).wrapping_add(part);
    let word = |word: &String| word.encode_utf16().fold(0, |hash, unit| chain(hash, unit.into()));
    let hash = ngram.iter().map(word).fold(1, chain) as u32;
    (hash ^ (hash >> 16)) as usize & (table_size - 1)
}

impl Accumulator for Counts {
    fn update_batch(&mut self, arrays: &[ArrayRef]) -> Result<()> {
        for row in arrays[0].as_list::<i32>().iter().flatten() {
            match row.as_list_opt::<i32>() {
                Some(sentences) => sentences.iter().flatten().for_each(|words| self.add_sentence(&words)),
                None => self.add_sentence(&row),
            }
        }
        Ok(())
    }

    fn merge_batch(&mut self, states: &[ArrayRef]) -> Result<()> {
        for list in states[0].as_list::<i32>().iter().flatten() {
            let list = list.as_struct();
            let (ngrams, times) = (list.column(0).as_list::<i32>(), list.column(1).as_primitive::<Float64Type>());
            for (words, times) in ngrams.iter().zip(times) {
                if let (Some(words), Some(times)) = (words, times) {
                    let words = words.as_string::<i32>().iter().flatten().map(str::to_string).collect();
                    self.add(words, times);
                }
            }
        }
        Ok(())
    }

    fn state(&mut self) -> Result<Vec<ScalarValue>> {
        Ok(vec![self.write(self.in_order())?])
    }

    fn evaluate(&mut self) -> Result<ScalarValue> {
        self.keep(self.limit);
        self.write(self.in_order())
    }

    fn size(&self) -> usize {
        size_of::<Counts>() + self.bytes + self.counts.capacity() * size_of::<(Vec<String>, Count)>()
    }
}
