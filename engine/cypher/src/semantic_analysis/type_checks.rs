//! Type checks. They refuse only what would fail at run time for every non-null value of the type.

use super::analyzer::Analyzer;
use crate::logical_plan::{BinaryOperator, Expr, Kind, find};
use crate::values::ValueType::{
    self, Amount, Any, Boolean, Float, Integer, List, Map, Node, Path, Relationship, Relationships, Temporal, Text,
};
use crate::values::{Arithmetic, Value};
use quarry_types::{ErrorCode, Result};

const NUMBERS: &[ValueType] = &[Integer, Float];
const LISTS: &[ValueType] = &[List];
const WITH_PROPERTIES: &[ValueType] = &[Node, Relationship, Map, Temporal];
const JOINED_TO_TEXT: &[ValueType] = &[Text, Integer, Float, Boolean, Temporal, List];

impl Analyzer<'_> {
    /// Refuses an operation on a value that can never have a type it accepts.
    pub fn check_types(&self, whole: &Expr) -> Result<()> {
        match &whole.kind {
            Kind::Negate(one) => self.operand("-", NUMBERS, one),
            Kind::Binary(operator, a, b) => match operator {
                BinaryOperator::Arithmetic(operation) => self.check_arithmetic(*operation, a, b),
                BinaryOperator::Power => self.operand("^", NUMBERS, a).and_then(|()| self.operand("^", NUMBERS, b)),
                BinaryOperator::Concat => {
                    self.operand("||", &[Text, List], a)?;
                    self.operand("||", if a.value_type == Text { &[Text] } else { &[Text, List] }, b)
                }
                BinaryOperator::In => self.operand("IN", LISTS, b),
                BinaryOperator::Index => self.check_index(a, b),
                _ => Ok(()),
            },
            Kind::Property(of, name) => {
                self.needs(WITH_PROPERTIES, of, |of| format!("A value of type {of} has no property {name}."))
            }
            Kind::MapProjection { base, .. } => {
                self.needs(&[Node, Relationship, Map], base, |of| format!("A value of type {of} has no properties."))
            }
            Kind::Slice(list, from, to) => {
                self.needs(LISTS, list, |of| format!("Only lists can be sliced, not type {of}."))?;
                [from, to].into_iter().flatten().try_for_each(|bound| self.operand("[..]", &[Integer], bound))
            }
            Kind::HasLabels(of, _) => {
                self.needs(&[Node, Relationship], of, |of| format!("A value of type {of} has no labels."))
            }
            Kind::Comprehension { list, .. } | Kind::Quantifier { list, .. } | Kind::Reduce { list, .. } => {
                self.needs(LISTS, list, |of| format!("Expected a list here, not a value of type {of}."))
            }
            Kind::Call(function, arguments) => {
                for (argument, takes) in arguments.iter().zip(function.takes) {
                    if !argument.value_type.may_be(takes) {
                        let message = format!("{} does not accept {}.", function.name, argument.value_type.name());
                        return Err(self.text.invalid(message, argument.at));
                    }
                }
                Ok(())
            }
            _ => Ok(()),
        }
    }

    /// Refuses a condition that can never be a boolean.
    pub fn check_condition(&self, condition: &Expr) -> Result<()> {
        let message = |of: &str| format!("A condition must be a boolean, not a value of type {of}.");
        self.needs(&[Boolean], condition, message)
    }

    /// Refuses a number of more than 64 bits where there is no amount of the chain.
    pub fn check_size(&self, expression: Expr) -> Result<Expr> {
        if expression.value_type != Amount {
            return Ok(expression);
        }
        let number = find(&expression, |one| match &one.kind {
            Kind::Constant(Value::Amount(number)) => Some((number.to_string(), one.at)),
            _ => None,
        });
        // Never `None`: only such a literal makes the type an amount.
        let Some((number, at)) = number else { return Ok(expression) };
        let message = format!(
            "{number} does not fit in a 64-bit integer; a larger number can only be compared or calculated with an \
             amount."
        );
        Err(self.text.error(ErrorCode::Arithmetic, message, at))
    }

    fn check_arithmetic(&self, operation: Arithmetic, a: &Expr, b: &Expr) -> Result<()> {
        let symbol = operation.symbol();
        if operation != Arithmetic::Add {
            let takes = [Integer, Float, Temporal];
            return self.operand(symbol, &takes, a).and_then(|()| self.operand(symbol, &takes, b));
        }
        for (one, other) in [(a, b), (b, a)] {
            let takes: &[ValueType] = match other.value_type {
                // Anything can be appended to a list.
                Any | List | Relationships => continue,
                Text => JOINED_TO_TEXT,
                _ => &[Integer, Float, Temporal, Text, List],
            };
            self.operand(symbol, takes, one)?;
        }
        Ok(())
    }

    fn check_index(&self, of: &Expr, index: &Expr) -> Result<()> {
        match of.value_type {
            Any => Ok(()),
            List | Relationships => self
                .needs(&[Integer], index, |of| format!("A list index must be an integer, not a value of type {of}.")),
            Map | Node | Relationship => {
                self.needs(&[Text], index, |of| format!("A property name must be a string, not type {of}."))
            }
            _ => self.needs(&[], of, |of| format!("A value of type {of} can't be indexed.")),
        }
    }

    fn operand(&self, operator: &str, takes: &[ValueType], one: &Expr) -> Result<()> {
        self.needs(takes, one, |of| format!("{operator} does not accept a value of type {of}."))
    }

    fn needs(&self, takes: &[ValueType], one: &Expr, message: impl Fn(&str) -> String) -> Result<()> {
        if one.value_type.may_be(takes) {
            Ok(())
        } else {
            Err(self.text.invalid(message(type_name(one.value_type)), one.at))
        }
    }
}

/// The openCypher name of a type, as `Value::type_name` gives it for values.
fn type_name(of: ValueType) -> &'static str {
    match of {
        Any => "ANY",
        Boolean => "BOOLEAN",
        Integer | Amount => "INTEGER",
        Float => "FLOAT",
        Text => "STRING",
        List | Relationships => "LIST",
        Map => "MAP",
        Node => "NODE",
        Relationship => "RELATIONSHIP",
        Path => "PATH",
        Temporal => "TEMPORAL",
    }
}
