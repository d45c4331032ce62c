//! `xpath…(xml, path)`: what an expression of XPath 1.0 finds in a text of XML. Prefixes of names are left out of account.

mod evaluate;
mod functions;
mod parse;
mod value;

use std::cell::RefCell;

use roxmltree::{Document, ParsingOptions};

use self::evaluate::{Evaluation, Failure};
use self::parse::Expr;
use self::value::Value as Found;
use super::rows::Kind::{Bool, Double, Int, Long, Text, Texts};
use super::rows::{Def, Row, Value, def};

/// Nodes that a text of XML may have.
const MOST_NODES: u32 = 1_000_000;

pub(super) const FUNCTIONS: &[Def] = &[
    def("xpath", &[Text, Text], Texts, |row| {
        find(row, |found| match found {
            Found::Nodes(nodes) => Value::Texts(nodes.iter().filter_map(|node| node.own_text()).map(Some).collect()),
            _ => Value::Refused("xpath finds nodes; take xpath_string or xpath_number for a value.".to_string()),
        })
    }),
    def("xpath_string", &[Text, Text], Text, |row| find(row, |found| found.text().into())),
    def("xpath_boolean", &[Text, Text], Bool, |row| find(row, |found| found.truth().into())),
    def("xpath_number", &[Text, Text], Double, |row| find(row, |found| found.number().into())),
    def("xpath_double", &[Text, Text], Double, |row| find(row, |found| found.number().into())),
    def("xpath_float", &[Text, Text], Double, |row| find(row, |found| f64::from(found.number() as f32).into())),
    // What is no number is 0, what is too large the largest there is, as in Java.
    def("xpath_long", &[Text, Text], Long, |row| find(row, |found| (found.number() as i64).into())),
    def("xpath_int", &[Text, Text], Int, |row| find(row, |found| (found.number() as i32).into())),
    def("xpath_short", &[Text, Text], Int, |row| find(row, |found| i32::from(found.number() as i32 as i16).into())),
];

thread_local! {
    /// The expression used last: mostly it is the same for every row.
    static LAST: RefCell<Option<(String, Option<Expr>)>> = const { RefCell::new(None) };
}

fn find(row: &Row<'_>, shown: impl FnOnce(Found<'_>) -> Value) -> Option<Value> {
    let (xml, path) = (row.text(0)?, row.text(1)?);
    if xml.is_empty() || path.is_empty() {
        return None;
    }
    LAST.with_borrow_mut(|last| {
        if last.as_ref().is_none_or(|(text, _)| text != path) {
            *last = Some((path.to_string(), parse::parse(path)));
        }
        let start: String = path.chars().take(60).collect();
        let invalid = || Value::Refused(format!("'{start}' is not an XPath expression that runs here."));
        let Some(expr) = last.as_ref().and_then(|(_, expr)| expr.as_ref()) else { return Some(invalid()) };
        let options = ParsingOptions { allow_dtd: false, nodes_limit: MOST_NODES, ..ParsingOptions::default() };
        let document = match Document::parse_with_options(xml, options) {
            Ok(document) => document,
            Err(error) => return Some(Value::Refused(format!("The text is no XML: {error}."))),
        };
        Some(match Evaluation::run(&document, expr) {
            Ok(found) => shown(found),
            Err(Failure::Invalid) => invalid(),
            Err(Failure::TooLong) => Value::Refused(format!("The XPath expression '{start}' takes too many steps.")),
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
    fn paths_find_their_nodes() {
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
    fn what_takes_too_long_ends() {
        let xml = format!("<a>{}</a>", "<b/>".repeat(500));
        let document = Document::parse(&xml).unwrap();
        let path = "//*[count(//*[count(//*) > 1]) > 1]";
        assert_eq!(Evaluation::run(&document, &parse::parse(path).unwrap()).unwrap_err(), Failure::TooLong);
        assert_eq!(Evaluation::run(&document, &parse::parse("nobody()").unwrap()).unwrap_err(), Failure::Invalid);
    }
}
