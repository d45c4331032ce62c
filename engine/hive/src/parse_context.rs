//! The state of parsing a script: its parameters, its settings, and the macros that it has defined.

use std::collections::HashMap;
use std::ops::ControlFlow;

use arrow::datatypes::Field;
use datafusion::sql::sqlparser::ast::{Expr, Function};

use crate::ast::{arguments, cast, nested};
use quarry_functions::hive::types;
use quarry_sql::parameters::Bound;
use quarry_sql::syntax::visitor::{Node, visit_expressions, visit_expressions_mut};
use quarry_types::{Error, ErrorCode, Result};

/// Most expressions that macros may expand to in one query.
const MAX_EXPANDED: usize = 100_000;

#[derive(Debug, Default)]
pub(crate) struct ParseContext {
    pub parameters: Bound,
    /// Whether names in backquotes in a SELECT list are regular expressions.
    pub regex_columns: bool,
    /// Whether LOAD DATA may read files of this machine.
    pub may_read_files: bool,
    pub macros: HashMap<String, Macro>,
}

#[derive(Debug)]
pub(crate) struct Macro {
    arguments: Vec<Field>,
    body: Expr,
}

impl ParseContext {
    /// Defines a macro; the macros that it calls are expanded now.
    pub fn define_macro(&mut self, name: &str, arguments: Vec<Field>, mut body: Expr) -> Result<()> {
        self.expand_macros(&mut body)?;
        self.macros.insert(name.to_lowercase(), Macro { arguments, body });
        Ok(())
    }

    pub fn drop_macro(&mut self, name: &str) {
        self.macros.remove(&name.to_lowercase());
    }

    /// Replaces calls of macros by their bodies.
    pub fn expand_macros(&self, parsed: &mut impl Node) -> Result<()> {
        if self.macros.is_empty() {
            return Ok(());
        }
        let mut expanded = 0;
        let outcome = visit_expressions_mut(parsed, |expr| match self.expand(expr, &mut expanded) {
            Ok(()) => ControlFlow::Continue(()),
            Err(error) => ControlFlow::Break(error),
        });
        outcome.break_value().map_or(Ok(()), |error| Err(*error))
    }

    fn expand(&self, expr: &mut Expr, expanded: &mut usize) -> Result<(), Box<Error>> {
        let Expr::Function(function) = expr else { return Ok(()) };
        let name = function.name.to_string().to_lowercase();
        let Some(called) = self.macros.get(&name) else { return Ok(()) };
        *expr = called.body_for(&name, function)?;
        let _ = visit_expressions(expr, |_| {
            *expanded += 1;
            ControlFlow::<()>::Continue(())
        });
        if *expanded > MAX_EXPANDED {
            let message = format!("The macro {name} expands to an expression that is too long.");
            return Err(Box::new(Error::new(ErrorCode::TooComplex, message)));
        }
        Ok(())
    }
}

impl Macro {
    /// The body with the arguments of a call, cast to their types.
    fn body_for(&self, name: &str, call: &Function) -> Result<Expr, Box<Error>> {
        let values = arguments(call).unwrap_or_default();
        if values.len() != self.arguments.len() {
            let message = format!("The macro {name} expects {} arguments.", self.arguments.len());
            return Err(Box::new(Error::new(ErrorCode::InvalidQuery, message)));
        }
        let mut arguments = HashMap::new();
        for (field, value) in self.arguments.iter().zip(values) {
            arguments.insert(field.name().to_lowercase(), cast(value, &types::written(field))?);
        }
        let mut body = self.body.clone();
        replace_names(&mut body, |name| arguments.get(name).cloned());
        Ok(nested(body))
    }
}

/// Replaces identifiers, given in lower case.
pub(crate) fn replace_names(expr: &mut Expr, value: impl Fn(&str) -> Option<Expr>) {
    let _ = visit_expressions_mut(expr, |expr| {
        if let Expr::Identifier(name) = expr
            && let Some(value) = value(&name.value.to_lowercase())
        {
            *expr = value;
        }
        ControlFlow::<()>::Continue(())
    });
}
