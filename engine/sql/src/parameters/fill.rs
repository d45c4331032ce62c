//! Puts the values of parameters in the place of the words that stand for them.

use std::ops::ControlFlow;

use datafusion::sql::sqlparser::ast::{
    Array, CastKind, DataType, ExactNumberInfo, Expr, Ident, ObjectName, TimezoneInfo, TypedString, UnaryOperator,
    Value, VisitMut, VisitorMut,
};
use serde_json::Value as Json;

use super::{Bound, MOST_ITEMS, SIGIL, is_number, name_error};
use crate::ast_visitor::visit_mut;
use quarry_types::{Error, ErrorCode, Result};

impl Bound {
    /// Puts the values into a parsed statement, or into a part of one.
    pub fn fill(&self, statement: &mut impl VisitMut) -> Result<()> {
        if self.values.is_empty() {
            return Ok(());
        }
        match visit_mut(statement, &mut Fill { bound: self }) {
            ControlFlow::Continue(()) => Ok(()),
            ControlFlow::Break(error) => Err(*error),
        }
    }
}

struct Fill<'a> {
    bound: &'a Bound,
}

impl VisitorMut for Fill<'_> {
    type Break = Box<Error>;

    fn pre_visit_relation(&mut self, relation: &mut ObjectName) -> ControlFlow<Box<Error>> {
        let named = relation.0.iter().filter_map(|part| part.as_ident()).any(|part| part.value.contains(SIGIL));
        if named { ControlFlow::Break(Box::new(name_error())) } else { ControlFlow::Continue(()) }
    }

    /// `x IN ({{list}})`: a word for each item.
    fn pre_visit_expr(&mut self, expr: &mut Expr) -> ControlFlow<Box<Error>> {
        if let Expr::InList { list, negated, .. } = expr
            && let [Expr::Identifier(word)] = list.as_slice()
            && let Some(Json::Array(items)) = self.bound.get(word)
        {
            if items.len() > MOST_ITEMS {
                return ControlFlow::Break(too_long());
            }
            let item = |index: usize| Expr::Identifier(Ident::new(format!("{}{SIGIL}{index}", word.value)));
            *list = (0..items.len()).map(item).collect();
            // Nothing is in an empty list; SQL has no word for one.
            let (none, outside) = (list.is_empty(), *negated);
            if none {
                *expr = Expr::Value(Value::Boolean(outside).into());
            }
        }
        ControlFlow::Continue(())
    }

    /// Values come last, so that nothing inside them is looked at again.
    fn post_visit_expr(&mut self, expr: &mut Expr) -> ControlFlow<Box<Error>> {
        match expr {
            Expr::Identifier(word) => {
                if let Some(value) = self.bound.get(word) {
                    match literal(value) {
                        Ok(literal) => *expr = literal,
                        Err(error) => return ControlFlow::Break(error),
                    }
                }
            }
            Expr::CompoundIdentifier(parts) if parts.iter().any(|part| part.value.contains(SIGIL)) => {
                return ControlFlow::Break(Box::new(name_error()));
            }
            Expr::Value(value) | Expr::TypedString(TypedString { value, .. }) => match &mut value.value {
                Value::SingleQuotedString(text)
                | Value::EscapedStringLiteral(text)
                | Value::NationalStringLiteral(text)
                | Value::SingleQuotedRawStringLiteral(text)
                | Value::DoubleQuotedRawStringLiteral(text) => inside(text, self.bound),
                Value::DollarQuotedString(text) => inside(&mut text.value, self.bound),
                _ => {}
            },
            _ => {}
        }
        ControlFlow::Continue(())
    }
}

/// Parameters within a quoted text are parts of that text.
fn inside(text: &mut String, bound: &Bound) {
    if !text.contains(SIGIL) {
        return;
    }
    let mut filled = String::new();
    let mut rest = text.as_str();
    while let Some(at) = rest.find(SIGIL) {
        filled.push_str(&rest[..at]);
        rest = &rest[at..];
        let known = bound.values.iter().find(|(word, _)| rest.starts_with(word.as_str()));
        match known {
            Some((word, value)) => {
                filled.push_str(&plain(value));
                rest = &rest[word.len()..];
            }
            None => {
                filled.push(SIGIL);
                rest = &rest[SIGIL.len_utf8()..];
            }
        }
    }
    filled.push_str(rest);
    *text = filled;
}

fn plain(value: &Json) -> String {
    match value {
        Json::Null => String::new(),
        Json::String(text) => text.clone(),
        Json::Object(parts) => {
            let known = ["number", "double", "interval", "timestamp", "day"].iter().find_map(|kind| parts.get(*kind));
            known.and_then(Json::as_str).map(str::to_string).unwrap_or_default()
        }
        other => other.to_string(),
    }
}

fn null() -> Expr {
    Expr::Value(Value::Null.into())
}

fn literals(items: &[Json]) -> std::result::Result<Vec<Expr>, Box<Error>> {
    if items.len() > MOST_ITEMS { Err(too_long()) } else { items.iter().map(literal).collect() }
}

fn too_long() -> Box<Error> {
    let message = format!("The list of a parameter has more than {MOST_ITEMS} items.");
    Box::new(Error::new(ErrorCode::TooComplex, message))
}

/// A text as a value of a type.
fn of_type(text: &str, data_type: DataType) -> Expr {
    let expr = Box::new(Expr::Value(Value::SingleQuotedString(text.to_string()).into()));
    Expr::Cast { kind: CastKind::Cast, expr, data_type, array: false, format: None }
}

/// A value as a literal of the statement.
fn literal(value: &Json) -> std::result::Result<Expr, Box<Error>> {
    let number = |digits: &str| {
        let literal = |digits: &str| Expr::Value(Value::Number(digits.to_string(), false).into());
        match digits.strip_prefix('-') {
            Some(digits) => {
                Expr::Nested(Box::new(Expr::UnaryOp { op: UnaryOperator::Minus, expr: Box::new(literal(digits)) }))
            }
            None => literal(digits),
        }
    };
    Ok(match value {
        Json::Null => null(),
        Json::Bool(value) => Expr::Value(Value::Boolean(*value).into()),
        Json::Number(digits) => number(&digits.to_string()),
        Json::String(text) => Expr::Value(Value::SingleQuotedString(text.clone()).into()),
        Json::Array(items) => Expr::Array(Array { elem: literals(items)?, named: false }),
        Json::Object(parts) => match parts.iter().next().map(|(kind, value)| (kind.as_str(), value)) {
            Some(("number", Json::String(digits))) if is_number(digits) => number(digits),
            Some(("double", Json::String(digits))) => of_type(digits, DataType::Double(ExactNumberInfo::None)),
            Some(("interval", Json::String(length))) => {
                of_type(length, DataType::Interval { fields: None, precision: None })
            }
            Some(("timestamp", Json::String(time))) => of_type(time, DataType::Timestamp(None, TimezoneInfo::None)),
            Some(("day", Json::String(day))) => of_type(day, DataType::Date),
            Some(("number", _)) => {
                return Err(Box::new(Error::new(ErrorCode::InvalidQuery, "A value of a parameter is no number.")));
            }
            _ => {
                let message = "A range has two ends; name one of them, as {{days.start}} or {{days.end}}.";
                return Err(Box::new(Error::new(ErrorCode::InvalidQuery, message)));
            }
        },
    })
}
