//! What the statements before say about those after them: macros, and what a name in backquotes means.

use std::collections::HashMap;
use std::ops::ControlFlow;

use arrow::datatypes::Field;
use datafusion::sql::sqlparser::ast::{
    Expr, Function, FunctionArg, FunctionArgExpr, FunctionArguments, VisitMut, Visitor, VisitorMut,
};

use super::build::typed;
use quarry_functions::hive::types;
use quarry_sql::ast_visitor::{visit, visit_mut};
use quarry_types::{Error, ErrorCode, Result};

/// Parts that expressions may have after macros have been written out.
const MOST_PARTS: usize = 100_000;

#[derive(Debug, Default)]
pub(super) struct Settings {
    /// Whether what stands in backquotes among the columns of a SELECT is a regular expression.
    pub patterns: bool,
    /// Whether files of this machine may be read.
    pub files: bool,
    macros: HashMap<String, Macro>,
}

#[derive(Debug)]
struct Macro {
    arguments: Vec<Field>,
    body: Expr,
}

impl Settings {
    /// Those that a script begins with; `files` says whether it may read files.
    pub fn reading(files: bool) -> Settings {
        Settings { files, ..Settings::default() }
    }

    /// What a SET says, its words without blanks.
    pub fn set(&mut self, words: &str) {
        match words.to_lowercase().as_str() {
            "hive.support.quoted.identifiers=none" => self.patterns = true,
            "hive.support.quoted.identifiers=column" => self.patterns = false,
            _ => {}
        }
    }

    /// Remembers a macro; those that it calls are written out now.
    pub fn define(&mut self, name: &str, arguments: Vec<Field>, mut body: Expr) -> Result<()> {
        self.write_out(&mut body)?;
        self.macros.insert(name.to_lowercase(), Macro { arguments, body });
        Ok(())
    }

    pub fn forget(&mut self, name: &str) {
        self.macros.remove(&name.to_lowercase());
    }

    /// Puts the bodies of macros in the place of their calls.
    pub fn write_out(&self, parsed: &mut impl VisitMut) -> Result<()> {
        if self.macros.is_empty() {
            return Ok(());
        }
        match visit_mut(parsed, &mut WriteOut { macros: &self.macros, parts: 0 }) {
            ControlFlow::Continue(()) => Ok(()),
            ControlFlow::Break(error) => Err(*error),
        }
    }
}

struct WriteOut<'a> {
    macros: &'a HashMap<String, Macro>,
    parts: usize,
}

impl VisitorMut for WriteOut<'_> {
    type Break = Box<Error>;

    fn post_visit_expr(&mut self, expr: &mut Expr) -> ControlFlow<Box<Error>> {
        let Expr::Function(function) = expr else { return ControlFlow::Continue(()) };
        let name = function.name.to_string().to_lowercase();
        let Some(known) = self.macros.get(&name) else { return ControlFlow::Continue(()) };
        match written_out(&name, known, function) {
            Ok(body) => *expr = body,
            Err(error) => return ControlFlow::Break(error),
        }
        let mut parts = Parts(0);
        // The visitor never breaks off.
        let _ = visit(expr, &mut parts);
        self.parts += parts.0;
        if self.parts > MOST_PARTS {
            let message = format!("The macro {name} makes too long an expression.");
            return ControlFlow::Break(Box::new(Error::new(ErrorCode::TooComplex, message)));
        }
        ControlFlow::Continue(())
    }
}

fn written_out(name: &str, known: &Macro, call: &Function) -> std::result::Result<Expr, Box<Error>> {
    let values: Vec<Expr> = match &call.args {
        FunctionArguments::List(list) => list
            .args
            .iter()
            .filter_map(|arg| match arg {
                FunctionArg::Unnamed(FunctionArgExpr::Expr(expr)) => Some(expr.clone()),
                _ => None,
            })
            .collect(),
        _ => Vec::new(),
    };
    if values.len() != known.arguments.len() {
        let message = format!("The macro {name} takes {} arguments.", known.arguments.len());
        return Err(Box::new(Error::new(ErrorCode::InvalidQuery, message)));
    }
    let mut given = HashMap::new();
    for (field, value) in known.arguments.iter().zip(values) {
        given.insert(field.name().to_lowercase(), typed(value, &types::written(field))?);
    }
    let mut body = known.body.clone();
    // The visitor never breaks off.
    let _ = visit_mut(&mut body, &mut Arguments(given));
    Ok(Expr::Nested(Box::new(body)))
}

struct Arguments(HashMap<String, Expr>);

impl VisitorMut for Arguments {
    type Break = ();

    fn post_visit_expr(&mut self, expr: &mut Expr) -> ControlFlow<()> {
        if let Expr::Identifier(name) = expr
            && let Some(value) = self.0.get(&name.value.to_lowercase())
        {
            *expr = value.clone();
        }
        ControlFlow::Continue(())
    }
}

struct Parts(usize);

impl Visitor for Parts {
    type Break = ();

    fn pre_visit_expr(&mut self, _: &Expr) -> ControlFlow<()> {
        self.0 += 1;
        ControlFlow::Continue(())
    }
}
