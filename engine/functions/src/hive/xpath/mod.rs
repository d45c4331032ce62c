//! `xpath…(xml, path)`: evaluates an expression of XPath 1.0 in a text of XML. Prefixes of names are ignored.

mod evaluate;
mod functions;
mod parse;
mod value;

use std::cell::RefCell;

use roxmltree::{Document, ParsingOptions};

use self::evaluate::{Evaluation, Failure};
use self::parse::Expr;
use self::value::Value as XPathValue;
use super::row_functions::Kind::{Bool, Double, Int, Long, Text, Texts};
use super::row_functions::{Row, Value, udf};
use crate::prelude::*;

/// Most nodes of a text of XML.
const MAX_NODES: u32 = 1_000_000;

pub(super) fn functions() -> Vec<ScalarUDF> {
    vec![
        udf("xpath", &[Text, Text], Texts, |row| {
            find(row, |value| match value {
                XPathValue::Nodes(nodes) => {
                    Value::Texts(nodes.iter().filter_map(|node| node.own_text()).map(Some).collect())
                }
                _ => Value::Error("xpath returns nodes; use xpath_string or xpath_number for a value.".to_string()),
            })
        }),
        udf("xpath_string", &[Text, Text], Text, |row| find(row, |value| value.text().into())),
        udf("xpath_boolean", &[Text, Text], Bool, |row| find(row, |value| value.truth().into())),
        udf("xpath_number", &[Text, Text], Double, |row| find(row, |value| value.number().into())),
        udf("xpath_double", &[Text, Text], Double, |row| find(row, |value| value.number().into())),
        udf("xpath_float", &[Text, Text], Double, |row| find(row, |value| f64::from(value.number() as f32).into())),
        // NaN is 0, and a number that is too large is the largest one, as in Java.
        udf("xpath_long", &[Text, Text], Long, |row| find(row, |value| (value.number() as i64).into())),
        udf("xpath_int", &[Text, Text], Int, |row| find(row, |value| (value.number() as i32).into())),
        udf("xpath_short", &[Text, Text], Int, |row| find(row, |value| i32::from(value.number() as i32 as i16).into())),
    ]
}

thread_local! {
    /// The last expression: mostly it is the same for every row.
    static LAST: RefCell<Option<(String, Option<Expr>)>> = const { RefCell::new(None) };
}

fn find(row: &Row<'_>, to_value: impl FnOnce(XPathValue<'_>) -> Value) -> Option<Value> {
    let (xml, path) = (row.text(0)?, row.text(1)?);
    if xml.is_empty() || path.is_empty() {
        return None;
    }
    LAST.with_borrow_mut(|last| {
        if last.as_ref().is_none_or(|(text, _)| text != path) {
            *last = Some((path.to_string(), parse::parse(path)));
        }
        let start: String = path.chars().take(60).collect();
        let invalid = || Value::Error(format!("'{start}' is not a supported XPath expression."));
        let Some(expr) = last.as_ref().and_then(|(_, expr)| expr.as_ref()) else { return Some(invalid()) };
        let options = ParsingOptions { allow_dtd: false, nodes_limit: MAX_NODES, ..ParsingOptions::default() };
        let document = match Document::parse_with_options(xml, options) {
            Ok(document) => document,
            Err(error) => return Some(Value::Error(format!("The string is not valid XML: {error}."))),
        };
        Some(match Evaluation::run(&document, expr) {
            Ok(value) => to_value(value),
            Err(Failure::Invalid) => invalid(),
            Err(Failure::TooLong) => Value::Error(format!("The XPath expression '{start}' takes too many steps.")),
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(path: &str) -> String {
        let xml = "<a x='1'><b id='p'>10</b><b id='q'>20</b><c>y<d>z</d></c><!-- note --></a>";
        let document = Document::parse(xml).unwrap();
        Evaluation::run(&document, &parse::parse(path).unwrap()).unwrap().text()
    }

    #[test]
    fn expressions_are_evaluated() {
        for (path, wanted) in [
            ("a/b", "10"),
            ("a/b[2]", "20"),
            ("//b[@id='q']", "20"),
            ("/a/@x", "1"),
            ("a/c", "yz"),
            ("a/c/text()", "y"),
            ("//d/../d", "z"),
            ("//d/ancestor::a/@x", "1"),
            ("a/b[last()]/preceding-sibling::b", "10"),
            ("a/b[1]/following::d", "z"),
            ("a/*[3]/d", "z"),
            ("(//b)[2]/@id", "q"),
            ("//comment()", " note "),
            ("name(//*[d])", "c"),
            ("sum(a/b)", "30"),
            ("count(//node())", "10"),
            ("count(a/b | //b | a/c)", "3"),
            ("a/b = 20", "true"),
            ("a/b > 20", "false"),
            ("not(a/z)", "true"),
            ("4 div 8 + 7 mod 4 * 2 - -1", "7.5"),
            ("1 div 0", "Infinity"),
            (
                "concat(substring('12345', 2, 3), '-', substring-after('a=b', '='), normalize-space('  x  y '))",
                "234-bx y",
            ),
            ("translate('bar', 'abc', 'AB')", "BAr"),
            ("number('x')", "NaN"),
            ("string-length(a/c)", "2"),
        ] {
            assert_eq!(text(path), wanted, "{path}");
        }
    }

    #[test]
    fn long_evaluations_are_stopped() {
        let xml = format!("<a>{}</a>", "<b/>".repeat(500));
        let document = Document::parse(&xml).unwrap();
        let path = "//*[count(//*[count(//*) > 1]) > 1]";
        assert_eq!(Evaluation::run(&document, &parse::parse(path).unwrap()).unwrap_err(), Failure::TooLong);
        assert_eq!(Evaluation::run(&document, &parse::parse("nobody()").unwrap()).unwrap_err(), Failure::Invalid);
    }
}
