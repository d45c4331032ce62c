//! Puts values in place of the markers of parameters.

use std::ops::ControlFlow;

use datafusion::sql::sqlparser::ast::{
    Array, CastKind, DataType, ExactNumberInfo, Expr, Ident, ObjectName, TimezoneInfo, TypedString, UnaryOperator,
    Value, VisitorMut,
};
use serde_json::Value as Json;

use super::{Bound, MAX_ITEMS, SIGIL, is_number, name_error};
use crate::syntax::visitor::{Node, visit_mut};
use quarry_types::{Error, ErrorCode, Result};

impl Bound {
    /// Puts the values into a parsed statement or a node of one.
    pub fn fill(&self, node: &mut impl Node) -> Result<()> {
        if self.values.is_empty() {
            return Ok(());
        }
        match visit_mut(node, &mut Fill { bound: self }) {
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

    /// `x IN ({{list}})`: a marker for each item.
    fn pre_visit_expr(&mut self, expr: &mut Expr) -> ControlFlow<Box<Error>> {
        if let Expr::InList { list, negated, .. } = expr
            && let [Expr::Identifier(word)] = list.as_slice()
            && let Some(Json::Array(items)) = self.bound.get(word)
        {
            check_length(items)?;
            let item = |index: usize| Expr::Identifier(Ident::new(format!("{}{SIGIL}{index}", word.value)));
            *list = (0..items.len()).map(item).collect();
            // SQL has no empty list, which no value is in.
            if list.is_empty() {
                *expr = Expr::Value(Value::Boolean(*negated).into());
            }
        }
        ControlFlow::Continue(())
    }

    /// After the children, so that a value is never searched for markers.
    fn post_visit_expr(&mut self, expr: &mut Expr) -> ControlFlow<Box<Error>> {
        match expr {
            Expr::Identifier(word) => {
                if let Some(value) = self.bound.get(word) {
                    *expr = literal(value)?;
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
                | Value::DoubleQuotedRawStringLiteral(text) => fill_text(text, self.bound),
                Value::DollarQuotedString(text) => fill_text(&mut text.value, self.bound),
                _ => {}
            },
            _ => {}
        }
        ControlFlow::Continue(())
    }
}

/// Puts the values of markers within a quoted text into that text.
fn fill_text(text: &mut String, bound: &Bound) {
    if !text.contains(SIGIL) {
        return;
    }
    let mut filled = String::new();
    let mut rest = text.as_str();
    while let Some(at) = rest.find(SIGIL) {
        filled.push_str(&rest[..at]);
        rest = &rest[at..];
        match bound.values.iter().find(|(marker, _)| rest.starts_with(marker.as_str())) {
            Some((marker, value)) => {
                filled.push_str(&as_text(value));
                rest = &rest[marker.len()..];
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

fn as_text(value: &Json) -> String {
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

/// A value as a literal of the statement.
fn literal(value: &Json) -> ControlFlow<Box<Error>, Expr> {
    let refuse = |code, message: &str| ControlFlow::Break(Box::new(Error::new(code, message)));
    let literal_of = |value: Value| Expr::Value(value.into());
    let typed = |text: &str, data_type: DataType| Expr::Cast {
        kind: CastKind::Cast,
        expr: Box::new(literal_of(Value::SingleQuotedString(text.to_string()))),
        data_type,
        array: false,
        format: None,
    };
    let number = |digits: &str| match digits.strip_prefix('-') {
        Some(digits) => {
            let number = Box::new(literal_of(Value::Number(digits.to_string(), false)));
            Expr::Nested(Box::new(Expr::UnaryOp { op: UnaryOperator::Minus, expr: number }))
        }
        None => literal_of(Value::Number(digits.to_string(), false)),
    };
    ControlFlow::Continue(match value {
        Json::Null => literal_of(Value::Null),
        Json::Bool(value) => literal_of(Value::Boolean(*value)),
        Json::Number(digits) => number(&digits.to_string()),
        Json::String(text) => literal_of(Value::SingleQuotedString(text.clone())),
        Json::Array(items) => {
            check_length(items)?;
            let mut elem = Vec::with_capacity(items.len());
            for item in items {
                elem.push(literal(item)?);
            }
            Expr::Array(Array { elem, named: false })
        }
        Json::Object(parts) => match parts.iter().next().map(|(kind, value)| (kind.as_str(), value)) {
            Some(("number", Json::String(digits))) if is_number(digits) => number(digits),
            Some(("double", Json::String(digits))) => typed(digits, DataType::Double(ExactNumberInfo::None)),
            Some(("interval", Json::String(text))) => typed(text, DataType::Interval { fields: None, precision: None }),
            Some(("timestamp", Json::String(time))) => typed(time, DataType::Timestamp(None, TimezoneInfo::None)),
            Some(("day", Json::String(day))) => typed(day, DataType::Date),
            Some(("number", _)) => return refuse(ErrorCode::InvalidQuery, "A parameter value is not a number."),
            _ => {
                let message = "A range has a start and an end; use one of them, as {{days.start}} or {{days.end}}.";
                return refuse(ErrorCode::InvalidQuery, message);
            }
        },
    })
}

fn check_length(items: &[Json]) -> ControlFlow<Box<Error>> {
    if items.len() <= MAX_ITEMS {
        return ControlFlow::Continue(());
    }
    let message = format!("The list of a parameter has more than {MAX_ITEMS} items.");
    ControlFlow::Break(Box::new(Error::new(ErrorCode::TooComplex, message)))
}
