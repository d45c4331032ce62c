//! Translates a catalog query from PostgreSQL to SQLite. It changes the parsed statement, never the text.

use std::ops::ControlFlow;

use sqlparser::ast::{
    BinaryOperator, Expr, Function, FunctionArg, FunctionArgExpr, FunctionArguments, ObjectName, Query, SetExpr,
    Statement, TableFactor, UnaryOperator, Value, ValueWithSpan, VisitMut, VisitorMut,
};
use sqlparser::dialect::PostgreSqlDialect;
use sqlparser::parser::{Parser, ParserError};
use sqlparser::tokenizer::Tokenizer;

use super::casts::{cast, is_text, plain_name};
use super::pattern;
use super::{arrays, functions, selects, tables};
use crate::postgres::places::word;
use crate::postgres::wire::Fault;

/// Maximum length of a query, in bytes.
const BYTES: usize = 64 << 10;
/// Maximum operations that lengthen a text. Each may double it.
const JOINED_TEXTS: usize = 16;
/// Maximum tables of a query.
const TABLES: usize = 40;

/// The query for SQLite, or why it is refused.
pub fn rewrite(text: &str, user: &str) -> Result<String, Fault> {
    if text.len() > BYTES {
        return Err(refused("it is too long"));
    }
    let invalid = |error: ParserError| Fault::new("42601", error.to_string());
    let tokens = Tokenizer::new(&PostgreSqlDialect {}, text).tokenize_with_location();
    let tokens = tokens.map_err(|error| invalid(error.into()))?;
    // A recursive query that lengthens a text would exhaust memory.
    let recursive = tokens.iter().any(|token| word(&token.token).is_some_and(|word| word == "recursive"));
    let parser = Parser::new(&PostgreSqlDialect {}).with_recursion_limit(60);
    let mut statements = parser.with_tokens_with_locations(tokens).parse_statements().map_err(invalid)?;
    let (Some(Statement::Query(_)), 1) = (statements.first(), statements.len()) else {
        return Err(refused("only one query at a time can be asked"));
    };
    let mut visitor = Rewrite { user, recursive, tables: 0, joined: 0 };
    match VisitMut::visit(&mut statements, &mut visitor) {
        ControlFlow::Continue(()) => {}
        ControlFlow::Break(why) => return Err(refused(&why)),
    }
    Ok(statements.remove(0).to_string())
}

fn refused(why: &str) -> Fault {
    Fault::new("0A000", format!("The catalogue of Quarry can't answer this question: {why}."))
}

struct Rewrite<'a> {
    user: &'a str,
    recursive: bool,
    tables: usize,
    joined: usize,
}

impl VisitorMut for Rewrite<'_> {
    type Break = String;

    fn pre_visit_query(&mut self, query: &mut Query) -> ControlFlow<String> {
        query.locks.clear();
        selects::prepare(&mut query.body);
        match &*query.body {
            SetExpr::Select(_) | SetExpr::Query(_) | SetExpr::SetOperation { .. } | SetExpr::Values(_) => {
                ControlFlow::Continue(())
            }
            _ => ControlFlow::Break("it does not only read".to_string()),
        }
    }

    fn pre_visit_relation(&mut self, relation: &mut ObjectName) -> ControlFlow<String> {
        if let Err(why) = self.reads() {
            return ControlFlow::Break(why);
        }
        let parts: Vec<String> =
            relation.0.iter().filter_map(|part| part.as_ident()).map(|part| part.value.to_lowercase()).collect();
        let open = match parts.as_slice() {
            // A table expression of its own, or one of `pg_catalog`, which is searched first.
            [name] => !name.starts_with("sqlite_") && !name.starts_with("pragma_"),
            [schema, _] => schema == "pg_catalog" || schema == "information_schema",
            _ => false,
        };
        if open {
            return ControlFlow::Continue(());
        }
        ControlFlow::Break(format!("it reads {} together with the catalogue", parts.join(".")))
    }

    fn pre_visit_table_factor(&mut self, factor: &mut TableFactor) -> ControlFlow<String> {
        match factor {
            TableFactor::Table { name, args, .. } if args.is_some() && tables::is_function(&last_name(name)) => {
                ControlFlow::Continue(())
            }
            // `pg_get_keywords()` is a table here.
            TableFactor::Table { args, with_ordinality: false, .. } => {
                *args = None;
                ControlFlow::Continue(())
            }
            TableFactor::Function { name, .. } if tables::is_function(&last_name(name)) => ControlFlow::Continue(()),
            TableFactor::Derived { lateral: false, .. }
            | TableFactor::NestedJoin { .. }
            | TableFactor::UNNEST { with_offset: false, .. } => ControlFlow::Continue(()),
            _ => ControlFlow::Break("it joins something that is no table".to_string()),
        }
    }

    /// `unnest('{a,b}')` becomes a table of the items.
    fn post_visit_table_factor(&mut self, factor: &mut TableFactor) -> ControlFlow<String> {
        let subquery = match &*factor {
            TableFactor::Table { name, args: Some(args), alias, with_ordinality, .. } => {
                tables::subquery(&last_name(name), &tables::arguments(&args.args), alias.as_ref(), *with_ordinality)
            }
            TableFactor::Function { name, args, alias, with_ordinality, .. } => {
                tables::subquery(&last_name(name), &tables::arguments(args), alias.as_ref(), *with_ordinality)
            }
            TableFactor::UNNEST { alias, array_exprs, with_ordinality, .. } => {
                tables::subquery("unnest", array_exprs, alias.as_ref(), *with_ordinality)
            }
            _ => return ControlFlow::Continue(()),
        };
        match self.reads().and(subquery) {
            Ok(subquery) => {
                *factor = subquery;
                ControlFlow::Continue(())
            }
            Err(why) => ControlFlow::Break(why),
        }
    }

    fn pre_visit_expr(&mut self, expr: &mut Expr) -> ControlFlow<String> {
        let said = match &*expr {
            // A cast of a type or table to text is its name, not its OID.
            Expr::Cast { expr: inner, data_type, .. } if is_text(data_type) => match &**inner {
                Expr::Cast { data_type, .. } if plain_name(data_type) == "regtype" => {
                    format!("format_type({inner}, -1)")
                }
                Expr::Cast { data_type, .. } if plain_name(data_type) == "regclass" => {
                    functions::class_name(&inner.to_string())
                }
                _ => return ControlFlow::Continue(()),
            },
            // Tools split search_path with array functions in a subquery.
            Expr::InSubquery { expr: inner, subquery, negated } if subquery.to_string().contains("search_path") => {
                format!("{inner} {}in ('{}', 'public')", not(*negated), super::fill::MAIN_SCHEMA)
            }
            _ => return ControlFlow::Continue(()),
        };
        self.replace(expr.clone(), said, expr)
    }

    fn post_visit_expr(&mut self, expr: &mut Expr) -> ControlFlow<String> {
        let said = match &*expr {
            Expr::Collate { expr: inner, .. } => inner.to_string(),
            Expr::Cast { expr: inner, data_type, .. } => cast(inner, data_type),
            Expr::Function(function) => match self.function(function) {
                Ok(Some(said)) => said,
                Ok(None) => return ControlFlow::Continue(()),
                Err(why) => return ControlFlow::Break(why),
            },
            Expr::BinaryOp { left, op, right } => match self.operator(left, op, right) {
                Ok(Some(said)) => said,
                Ok(None) => return ControlFlow::Continue(()),
                Err(why) => return ControlFlow::Break(why),
            },
            Expr::AnyOp { left, compare_op: BinaryOperator::Eq, right, .. } => format!("({left} in {})", items(right)),
            Expr::AllOp { left, compare_op: BinaryOperator::NotEq, right } => {
                format!("({left} not in {})", items(right))
            }
            Expr::AnyOp { .. } | Expr::AllOp { .. } => {
                return ControlFlow::Break("it compares with an array".to_string());
            }
            Expr::Like { negated, expr: subject, pattern, escape_char: None, .. } => {
                format!("{subject} {}like {pattern} escape '\\'", not(*negated))
            }
            Expr::ILike { negated, expr: subject, pattern, .. } => {
                format!("lower({subject}) {}like lower({pattern}) escape '\\'", not(*negated))
            }
            // An array with bound values is kept for the comparison around it.
            Expr::Array(array) if array.elem.iter().any(|item| placeholder(item).is_some()) => {
                return ControlFlow::Continue(());
            }
            Expr::Array(array) => {
                let items: Vec<String> =
                    array.elem.iter().map(|item| literal(item).unwrap_or_else(|| item.to_string())).collect();
                quoted(&arrays::written(&items))
            }
            Expr::CompoundFieldAccess { root, access_chain } => match arrays::subscript(root, access_chain) {
                Ok(said) => said,
                Err(why) => return ControlFlow::Break(why),
            },
            Expr::Trim { .. } | Expr::Substring { .. } | Expr::Position { .. } => functions::call_of(expr),
            Expr::JsonAccess { .. } => "null".to_string(),
            Expr::UnaryOp { op: UnaryOperator::Plus, expr: inner } => inner.to_string(),
            Expr::Identifier(name) if name.quote_style.is_none() => match name.value.to_lowercase().as_str() {
                "current_user" | "session_user" | "user" => quoted(self.user),
                "current_catalog" => quoted(super::DATABASE),
                "current_schema" => quoted(super::fill::MAIN_SCHEMA),
                _ => return ControlFlow::Continue(()),
            },
            Expr::Value(ValueWithSpan { value: Value::EscapedStringLiteral(text), .. }) => quoted(text),
            Expr::TypedString(typed) => typed.value.to_string(),
            _ => return ControlFlow::Continue(()),
        };
        self.replace(expr.clone(), said, expr)
    }
}

impl Rewrite<'_> {
    /// Replaces an expression with the translated SQL.
    fn replace(&self, was: Expr, said: String, place: &mut Expr) -> ControlFlow<String> {
        let parsed = Parser::new(&PostgreSqlDialect {}).try_with_sql(&said).and_then(|mut parser| parser.parse_expr());
        match parsed {
            Ok(parsed) => {
                *place = parsed;
                ControlFlow::Continue(())
            }
            Err(_) => ControlFlow::Break(format!("it has the expression {was}")),
        }
    }

    fn function(&mut self, function: &Function) -> Result<Option<String>, String> {
        let name = last_name(&function.name);
        let args: Vec<String> = match &function.args {
            FunctionArguments::List(list) => list
                .args
                .iter()
                .map(|arg| match arg {
                    FunctionArg::Unnamed(FunctionArgExpr::Expr(expr)) => expr.to_string(),
                    other => other.to_string(),
                })
                .collect(),
            FunctionArguments::None => Vec::new(),
            // `ARRAY(select …)`
            FunctionArguments::Subquery(_) => return Ok(Some("null".to_string())),
        };
        let unknown = || format!("it calls the function {name}");
        match name.as_str() {
            "replace" => {
                let texts = args
                    .get(1)
                    .zip(args.get(2))
                    .and_then(|(from, to)| Some((arrays::text_of(from)?, arrays::text_of(to)?)));
                // At most doubles the text, as when the quotes in a name are doubled.
                if texts.is_none_or(|(from, to)| to.len() > 2 * from.len()) {
                    return Err("it replaces a text with one more than twice as long".to_string());
                }
                self.joins()?;
                return Ok(None);
            }
            "array_agg" if self.recursive => {
                return Ok(Some(format!(
                    "group_concat(substr({}, 1, 64))",
                    args.first().map_or("null", String::as_str)
                )));
            }
            "concat" | "format" => {
                for _ in 1..args.len().max(2) {
                    self.joins()?;
                }
            }
            "string_agg" | "group_concat" => self.joins()?,
            json if self.recursive && json.starts_with("json") => {
                return Err("it is recursive and makes JSON".to_string());
            }
            _ => {}
        }
        match functions::translate(&name, &args, self.user).map_err(|()| unknown())? {
            Some(said) => Ok(Some(said)),
            // `pg_catalog.count(…)` is `count(…)`.
            None if function.name.0.len() > 1 => {
                let mut own = function.clone();
                own.name.0.drain(..function.name.0.len() - 1);
                Ok(Some(own.to_string()))
            }
            None => Ok(None),
        }
    }

    /// Counts a table, or a function that is read like one: each may have many rows in the text.
    fn reads(&mut self) -> Result<(), String> {
        self.tables += 1;
        if self.tables > TABLES { Err("it names too many tables".to_string()) } else { Ok(()) }
    }

    /// Counts an operation that lengthens a text.
    fn joins(&mut self) -> Result<(), String> {
        self.joined += 1;
        match self.joined > JOINED_TEXTS {
            true => Err("it joins too many texts".to_string()),
            false if self.recursive => Err("it is recursive and joins texts".to_string()),
            false => Ok(()),
        }
    }

    fn operator(&mut self, left: &Expr, op: &BinaryOperator, right: &Expr) -> Result<Option<String>, String> {
        let name = match op {
            BinaryOperator::PGCustomBinaryOperator(parts) => parts.last().cloned().unwrap_or_default(),
            other => other.to_string(),
        };
        let said = match name.as_str() {
            "~" | "!~" | "~*" | "!~*" => {
                let expression = literal(right).ok_or("it matches an expression that is no text")?;
                let condition = pattern::condition(&left.to_string(), &expression, name.ends_with('*'));
                let condition = condition.ok_or_else(|| format!("it has the regular expression {expression}"))?;
                if name.starts_with('!') { format!("not {condition}") } else { condition }
            }
            "~~" => format!("{left} like {right} escape '\\'"),
            "!~~" => format!("{left} not like {right} escape '\\'"),
            "||" => {
                self.joins()?;
                return Ok(None);
            }
            "^" => match (whole(left), whole(right).and_then(|power| u32::try_from(power).ok())) {
                (Some(base), Some(power)) => {
                    base.checked_pow(power).ok_or("it has a power that is too large")?.to_string()
                }
                _ => return Err("it has a power of what is no whole number".to_string()),
            },
            _ if matches!(op, BinaryOperator::PGCustomBinaryOperator(_)) => format!("{left} {name} {right}"),
            _ => return Ok(None),
        };
        Ok(Some(said))
    }
}

/// The last part of a name, in lowercase.
pub(super) fn last_name(name: &ObjectName) -> String {
    name.0.last().and_then(|part| part.as_ident()).map(|name| name.value.to_lowercase()).unwrap_or_default()
}

/// The value of an integer literal, even inside parentheses and casts.
pub(super) fn whole(expr: &Expr) -> Option<i64> {
    match expr {
        Expr::Nested(inner) | Expr::Cast { expr: inner, .. } => whole(inner),
        other => other.to_string().parse().ok(),
    }
}

/// The items of an array as a list in parentheses.
fn items(array: &Expr) -> String {
    match array {
        Expr::Subquery(query) => format!("({query})"),
        Expr::Nested(inner) => items(inner),
        Expr::Array(array) => {
            format!("({})", array.elem.iter().map(ToString::to_string).collect::<Vec<_>>().join(", "))
        }
        bound if let Some(value) = placeholder(bound) => format!("(select value from {})", bound_items(&value)),
        // A literal `{a,b}`, also from an array that was already rewritten. Array columns of the catalog are null.
        other => {
            let items = literal(other).and_then(|text| arrays::items(&text)).unwrap_or_default();
            let items: Vec<String> = items.iter().map(|item| quoted(item)).collect();
            if items.is_empty() { "(null)".to_string() } else { format!("({})", items.join(", ")) }
        }
    }
}

/// The `$1` of a bound value, even inside parentheses and casts.
pub(super) fn placeholder(expr: &Expr) -> Option<String> {
    match expr {
        Expr::Value(value) if matches!(value.value, Value::Placeholder(_)) => Some(value.to_string()),
        Expr::Nested(inner) | Expr::Cast { expr: inner, .. } => placeholder(inner),
        _ => None,
    }
}

/// A bound array as a table of SQLite. It is JSON, or the text `{a,b}` if it was untyped.
pub(super) fn bound_items(value: &str) -> String {
    let plain = format!("'[\"' || replace(trim({value}, '{{}}'), ',', '\",\"') || '\"]'");
    format!("json_each(case when json_valid({value}) then {value} else {plain} end)")
}

/// The text of a string literal, even inside parentheses and casts.
pub(super) fn literal(expr: &Expr) -> Option<String> {
    match expr {
        Expr::Value(value) => match &value.value {
            Value::SingleQuotedString(text) | Value::EscapedStringLiteral(text) => Some(text.clone()),
            _ => None,
        },
        Expr::Nested(inner) | Expr::Cast { expr: inner, .. } => literal(inner),
        _ => None,
    }
}

pub(super) fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', "''"))
}

fn not(negated: bool) -> &'static str {
    if negated { "not " } else { "" }
}
