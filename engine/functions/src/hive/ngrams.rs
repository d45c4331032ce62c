//! `ngrams` and `context_ngrams`: the series of words that come most often in the sentences of a group, with how often they
//! do. Hive counts no more of them than `factor` times as many as are asked for, and so do we.

use std::cmp::Ordering;
use std::collections::HashMap;
use std::sync::Arc;

use arrow::array::{Array, ArrayRef, AsArray, Float64Builder, ListBuilder, StringBuilder, StructBuilder};
use arrow::datatypes::{DataType, Field, FieldRef, Fields, Float64Type};
use datafusion::common::{Result, ScalarValue};
use datafusion::logical_expr::function::{AccumulatorArgs, StateFieldsArgs};
use datafusion::logical_expr::{Accumulator, AggregateUDF, AggregateUDFImpl, Signature, Volatility};
use datafusion::physical_plan::PhysicalExpr;

use crate::aggregates::constant::{constant, constant_value};
use quarry_types::invalid;

/// What may be asked for: words in a series, series in the answer, and how many times as many are counted.
const MOST_WORDS: f64 = 1_000.0;
const MOST_SERIES: f64 = 100_000.0;
const MOST_FACTOR: f64 = 1_000.0;
/// How many times as many are counted when the call says nothing.
const FACTOR: f64 = 20.0;

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

fn list_of(item: DataType) -> DataType {
    DataType::List(Arc::new(Field::new_list_field(item, true)))
}

fn counted() -> Fields {
    let words = Field::new("ngram", list_of(DataType::Utf8), true);
    Fields::from(vec![words, Field::new("estfrequency", DataType::Float64, true)])
}

fn answer() -> DataType {
    list_of(DataType::Struct(counted()))
}

impl Ngrams {
    /// As people call it.
    fn called(&self) -> &str {
        self.name.trim_start_matches("hive_")
    }
}

impl AggregateUDFImpl for Ngrams {
    fn name(&self) -> &str {
        self.name
    }

    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn coerce_types(&self, types: &[DataType]) -> Result<Vec<DataType>> {
        let of_lists = match types.first() {
            Some(DataType::List(item)) => matches!(item.data_type(), DataType::List(_)),
            Some(DataType::Null) => false,
            _ => return Err(invalid(format!("{} takes an array of words, or of arrays of words.", self.called()))),
        };
        if !(3..=4).contains(&types.len()) {
            return Err(invalid(format!("{} takes words, what to count and how many of it to show.", self.called())));
        }
        let words = list_of(DataType::Utf8);
        let wanted = if self.name == NGRAMS { DataType::Float64 } else { words.clone() };
        let mut coerced = vec![if of_lists { list_of(words) } else { words }, wanted];
        coerced.extend(types.iter().skip(2).map(|_| DataType::Float64));
        Ok(coerced)
    }

    fn return_type(&self, _: &[DataType]) -> Result<DataType> {
        Ok(answer())
    }

    fn state_fields(&self, args: StateFieldsArgs) -> Result<Vec<FieldRef>> {
        Ok(vec![Arc::new(Field::new(format!("{}_counted", args.name), answer(), true))])
    }

    fn accumulator(&self, args: AccumulatorArgs) -> Result<Box<dyn Accumulator>> {
        if args.is_distinct {
            return Err(invalid(format!("{} takes no DISTINCT; select the distinct values first.", self.name)));
        }
        let wanted = if self.name == NGRAMS {
            let words = whole(&args.exprs[1], MOST_WORDS, "The number of words")?;
            vec![None; words]
        } else {
            context(&args.exprs[1])?
        };
        let series = whole(&args.exprs[2], MOST_SERIES, "The number of series")?;
        let factor = match args.exprs.get(3) {
            Some(factor) => whole(factor, MOST_FACTOR, "The factor")?,
            None => FACTOR as usize,
        };
        Ok(Box::new(Counts { wanted, series, factor, counts: HashMap::new(), added: 0, room: 16, bytes: 0 }))
    }
}

fn whole(expr: &Arc<dyn PhysicalExpr>, most: f64, what: &str) -> Result<usize> {
    let message = format!("{what} lies between 1 and {most} and is the same for every row.");
    match constant(expr, &message)?.first() {
        Some(number) if (1.0..=most).contains(number) => Ok(*number as usize),
        _ => Err(invalid(message)),
    }
}

/// The words around those that are counted: null where any word may stand.
fn context(expr: &Arc<dyn PhysicalExpr>) -> Result<Vec<Option<String>>> {
    let message = "The context is an array of words and nulls, the same for every row.";
    let value = constant_value(expr, message)?;
    let Some(list) = value.as_list_opt::<i32>().filter(|list| list.is_valid(0)) else { return Err(invalid(message)) };
    let words: Vec<Option<String>> =
        list.value(0).as_string::<i32>().iter().map(|word| word.map(str::to_string)).collect();
    match words.iter().any(Option::is_none) {
        true => Ok(words),
        false => Err(invalid("The context has a null where the words stand that are counted.")),
    }
}

/// A series that was counted: how often, and when it came first.
#[derive(Debug)]
struct Count {
    times: f64,
    came: u64,
}

#[derive(Debug)]
struct Counts {
    /// The word at each place, or any.
    wanted: Vec<Option<String>>,
    series: usize,
    factor: usize,
    counts: HashMap<Vec<String>, Count>,
    added: u64,
    /// Places of Java's table, whose order decides among those that came equally often.
    room: usize,
    bytes: usize,
}

impl Counts {
    /// Counts in one sentence, from its end, as Hive goes.
    fn sentence(&mut self, words: &ArrayRef) {
        let words = words.as_string::<i32>();
        let any = self.wanted.iter().any(Option::is_some);
        for start in (0..(words.len() + 1).saturating_sub(self.wanted.len())).rev() {
            let here = || (start..).zip(&self.wanted);
            let fits = here().all(|(at, wanted)| match wanted {
                Some(wanted) => words.is_valid(at) && words.value(at) == wanted,
                None => words.is_valid(at),
            });
            if fits {
                let free = here().filter(|(_, wanted)| !any || wanted.is_none());
                let series = free.map(|(at, _)| words.value(at).to_string()).collect();
                self.add(series, 1.0);
            }
        }
    }

    fn add(&mut self, series: Vec<String>, times: f64) {
        if let Some(count) = self.counts.get_mut(&series) {
            count.times += times;
        } else {
            self.bytes += series.iter().map(|word| word.len() + size_of::<String>()).sum::<usize>();
            self.counts.insert(series, Count { times, came: self.added });
            self.added += 1;
        }
        while self.counts.len() * 4 > self.room * 3 {
            self.room *= 2;
        }
        if self.counts.len() >= self.series * self.factor * 2 {
            self.keep(self.series * self.factor);
        }
    }

    /// All that was counted, in the order in which Java's table holds it.
    fn in_order(&self) -> Vec<(&Vec<String>, &Count)> {
        let mut all: Vec<_> = self.counts.iter().collect();
        all.sort_by_key(|(series, count)| (place(series, self.room), count.came));
        all
    }

    /// Leaves out those that came least often.
    fn keep(&mut self, most: usize) {
        let mut all = self.in_order();
        all.sort_by(|(_, a), (_, b)| rarer(a, b));
        let gone = all.len().saturating_sub(most);
        let gone: Vec<Vec<String>> = all.into_iter().take(gone).map(|(series, _)| series.clone()).collect();
        for series in gone {
            self.bytes -= series.iter().map(|word| word.len() + size_of::<String>()).sum::<usize>();
            self.counts.remove(&series);
        }
    }

    fn shown(&self, mut all: Vec<(&Vec<String>, &Count)>) -> Result<ScalarValue> {
        if all.is_empty() {
            return ScalarValue::try_from(&answer());
        }
        all.sort_by(|(_, a), (_, b)| rarer(b, a));
        let words = ListBuilder::new(StringBuilder::new());
        let structs = StructBuilder::new(counted(), vec![Box::new(words), Box::new(Float64Builder::new())]);
        let mut list = ListBuilder::new(structs);
        for (series, count) in all {
            let row = list.values();
            if let Some(words) = row.field_builder::<ListBuilder<StringBuilder>>(0) {
                words.append_value(series.iter().map(Some));
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

/// The place of a list of words in a Java table with this much room.
fn place(series: &[String], room: usize) -> usize {
    let chain = |hash: i32, part: i32| hash.wrapping_mul(31).wrapping_add(part);
    let word = |word: &String| word.encode_utf16().fold(0, |hash, unit| chain(hash, unit.into()));
    let hash = series.iter().map(word).fold(1, chain) as u32;
    (hash ^ (hash >> 16)) as usize & (room - 1)
}

impl Accumulator for Counts {
    fn update_batch(&mut self, arrays: &[ArrayRef]) -> Result<()> {
        for row in arrays[0].as_list::<i32>().iter().flatten() {
            match row.as_list_opt::<i32>() {
                Some(sentences) => sentences.iter().flatten().for_each(|words| self.sentence(&words)),
                None => self.sentence(&row),
            }
        }
        Ok(())
    }

    fn merge_batch(&mut self, states: &[ArrayRef]) -> Result<()> {
        for list in states[0].as_list::<i32>().iter().flatten() {
            let list = list.as_struct();
            let (series, times) = (list.column(0).as_list::<i32>(), list.column(1).as_primitive::<Float64Type>());
            for (words, times) in series.iter().zip(times) {
                if let (Some(words), Some(times)) = (words, times) {
                    let words = words.as_string::<i32>().iter().flatten().map(str::to_string).collect();
                    self.add(words, times);
                }
            }
        }
        Ok(())
    }

    fn state(&mut self) -> Result<Vec<ScalarValue>> {
        Ok(vec![self.shown(self.in_order())?])
    }

    fn evaluate(&mut self) -> Result<ScalarValue> {
        self.keep(self.series);
        self.shown(self.in_order())
    }

    fn size(&self) -> usize {
        size_of::<Counts>() + self.bytes + self.counts.capacity() * size_of::<(Vec<String>, Count)>()
    }
}
