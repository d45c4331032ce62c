//! Regular expressions that come from a column. The built-in functions compile each pattern of a batch and hold all of them until
//! the batch is done: 8,192 patterns of up to 10 MB. Here a call sees rows of a few patterns at a time.
//!
//! The cache is described in <https://github.com/apache/arrow-rs/issues/11083>; it has no bound.

use std::collections::HashSet;

use arrow::compute::concat;
use datafusion::functions::regex;
use datafusion::logical_expr::simplify::{ExprSimplifyResult, SimplifyContext};
use datafusion::logical_expr::{Operator, lit, not};
use quarry_runtime::check_stopped;

use super::adapt::{Coercion, adapted};
use super::wrapper::{Wrapper, wrapped};
use crate::prelude::*;

/// The most patterns that one call of a built-in function compiles.
const MAX_PATTERNS: usize = 4;

fn regexp_like() -> Arc<ScalarUDF> {
    shared!(function(regex::regexp_like()))
}

pub(crate) fn udfs() -> [ScalarUDF; 4] {
    let [count, matches, instr] = [regex::regexp_count(), regex::regexp_match(), regex::regexp_instr()].map(function);
    [count, matches, instr, regexp_like().as_ref().clone()]
}

fn function(builtin: Arc<ScalarUDF>) -> ScalarUDF {
    adapted(&Arc::new(wrapped(builtin, ColumnPatterns)), Coercion::Texts, &[])
}

/// `text ~ pattern` and its like as a call of `regexp_like`, when the pattern is not a constant; `None` for other operators. The
/// built-in operator holds patterns as the built-in functions do.
pub fn match_with_column(text: &Expr, operator: Operator, pattern: &Expr) -> Option<Expr> {
    let (ignore_case, negated) = match operator {
        Operator::RegexMatch => (false, false),
        Operator::RegexIMatch => (true, false),
        Operator::RegexNotMatch => (false, true),
        Operator::RegexNotIMatch => (true, true),
        _ => return None,
    };
    if is_constant(pattern) {
        return None;
    }
    let flags = ignore_case.then(|| lit("i"));
    let call = regexp_like().call([text.clone(), pattern.clone()].into_iter().chain(flags).collect());
    Some(if negated { not(call) } else { call })
}

fn is_constant(expr: &Expr) -> bool {
    matches!(expr, Expr::Literal(..) | Expr::Placeholder(_))
}

#[derive(Debug, PartialEq, Eq, Hash)]
struct ColumnPatterns;

/// Calls the built-in function. Its error does not always say what is wrong with a pattern.
fn call(builtin: &ScalarUDF, args: ScalarFunctionArgs) -> Result<ColumnarValue> {
    builtin.invoke_with_args(args.clone()).map_err(|error| match unreadable_pattern(&args) {
        Some(reason) => DataFusionError::External(Box::new(reason)),
        None => error,
    })
}

/// What is wrong with the first pattern that can't be read.
fn unreadable_pattern(args: &ScalarFunctionArgs) -> Option<::regex::Error> {
    let patterns = args.args.get(1)?.to_array(args.number_rows).ok()?;
    text_of(&patterns).ok()?.into_iter().flatten().find_map(|pattern| ::regex::Regex::new(pattern).err())
}

impl Wrapper for ColumnPatterns {
    /// The built-in functions become operators, whose cache has no bound. That is fine for a pattern that is compiled once.
    fn simplify(&self, builtin: &ScalarUDF, args: Vec<Expr>, context: &SimplifyContext) -> Result<ExprSimplifyResult> {
        match args.get(1).is_some_and(is_constant) {
            true => builtin.simplify(args, context),
            false => Ok(ExprSimplifyResult::Original(args)),
        }
    }

    fn invoke(&self, builtin: &ScalarUDF, args: ScalarFunctionArgs) -> Result<ColumnarValue> {
        if args.args.iter().skip(1).all(|arg| matches!(arg, ColumnarValue::Scalar(_))) {
            return call(builtin, args);
        }
        let results = runs(&args)?.into_iter().map(|(start, length)| {
            check_stopped()?;
            call(builtin, rows(&args, start, length))?.to_array(length)
        });
        let results = results.collect::<Result<Vec<ArrayRef>>>()?;
        match results.is_empty() {
            true => call(builtin, args),
            false => Ok(ColumnarValue::Array(concat(&results.iter().map(AsRef::as_ref).collect::<Vec<_>>())?)),
        }
    }
}

/// The rows in runs of at most [`MAX_PATTERNS`] patterns, each as its first row and its length. A pattern with other flags is
/// another pattern.
fn runs(args: &ScalarFunctionArgs) -> Result<Vec<(usize, usize)>> {
    let columns = args.args.iter().skip(1).filter_map(|arg| match arg {
        ColumnarValue::Array(array) if is_text(array.data_type()) => Some(array),
        _ => None,
    });
    let columns = columns.map(text_of).collect::<Result<Vec<Vec<Option<&str>>>>>()?;
    let mut runs = Vec::new();
    let (mut start, mut seen) = (0, HashSet::new());
    for row in 0..args.number_rows {
        let pattern: Vec<Option<&str>> = columns.iter().map(|column| column[row]).collect();
        if !seen.contains(&pattern) {
            if seen.len() == MAX_PATTERNS {
                runs.push((start, row - start));
                start = row;
                seen.clear();
            }
            seen.insert(pattern);
        }
    }
    if start < args.number_rows {
        runs.push((start, args.number_rows - start));
    }
    Ok(runs)
}

/// The arguments of some of the rows.
fn rows(args: &ScalarFunctionArgs, start: usize, length: usize) -> ScalarFunctionArgs {
    let slice = |arg: &ColumnarValue| match arg {
        ColumnarValue::Array(array) => ColumnarValue::Array(array.slice(start, length)),
        scalar => scalar.clone(),
    };
    ScalarFunctionArgs { args: args.args.iter().map(slice).collect(), number_rows: length, ..args.clone() }
}

#[cfg(test)]
mod tests {
    use datafusion::common::config::ConfigOptions;

    use super::*;

    fn args(patterns: Vec<Option<&str>>) -> ScalarFunctionArgs {
        let number_rows = patterns.len();
        let text: ArrayRef = Arc::new(StringArray::from(vec!["abc"; number_rows]));
        let pattern: ArrayRef = Arc::new(StringArray::from(patterns));
        let field = || Arc::new(Field::new("argument", DataType::Utf8, true));
        ScalarFunctionArgs {
            args: vec![ColumnarValue::Array(text), ColumnarValue::Array(pattern)],
            arg_fields: vec![field(), field()],
            number_rows,
            return_field: Arc::new(Field::new("found", DataType::Boolean, true)),
            config_options: Arc::new(ConfigOptions::default()),
        }
    }

    #[test]
    fn a_call_compiles_few_patterns() {
        let few = args(vec![Some("a"), Some("b"), None, Some("a"), Some("c"), Some("b")]);
        assert_eq!(runs(&few).unwrap(), [(0, 6)]);
        let many = args(vec![Some("a"), Some("b"), Some("c"), Some("d"), Some("a"), Some("x"), Some("y")]);
        assert_eq!(runs(&many).unwrap(), [(0, 5), (5, 2)]);
        let ColumnarValue::Array(found) = regexp_like().invoke_with_args(many).unwrap() else { panic!("rows") };
        let expected = [true, true, true, false, true, false, false].map(Some).to_vec();
        assert_eq!(found.as_ref(), &BooleanArray::from(expected) as &dyn Array);
    }
}
