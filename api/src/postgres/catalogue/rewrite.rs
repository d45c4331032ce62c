//! Translates a catalog query from PostgreSQL to SQLite. It changes the parsed statement, never the text.

use std::ops::ControlFlow;

use sqlparser::ast::{
    BinaryOperator, Expr, Function, FunctionArg, FunctionArgExpr, FunctionArguments, Ident, ObjectName, Query,
    SelectItem, SetExpr, Statement, TableAlias, TableFactor, UnaryOperator, Value, ValueWithSpan, VisitMut, VisitorMut,
};
use sqlparser::dialect::PostgreSqlDialect;
use sqlparser::parser::Parser;

use super::casts::{cast, is_text, plain_name};
use super::pattern;
use super::{arrays, functions};
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
    let parsed = Parser::new(&PostgreSqlDialect {}).with_recursion_limit(60).try_with_sql(text);
    let parsed = parsed.and_then(|mut parser| parser.parse_statements());
    let mut statements = parsed.map_err(|error| Fault::new("42601", error.to_string()))?;
    let (Some(Statement::Query(_)), 1) = (statements.first(), statements.len()) else {
        return Err(refused("only one query at a time can be asked"));
    };
    // A recursive query that lengthens a text would exhaust memory.
    let recursive = text.to_lowercase().contains("recursive");
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
        quote_aliases(&mut query.body);
        match &*query.body {
            SetExpr::Select(_) | SetExpr::Query(_) | SetExpr::SetOperation { .. } | SetExpr::Values(_) => {
                ControlFlow::Continue(())
            }
            _ => ControlFlow::Break("it does not only read".to_string()),
        }
    }

    fn pre_visit_relation(&mut self, relation: &mut ObjectName) -> ControlFlow<String> {
        self.tables += 1;
        if self.tables > TABLES {
            return ControlFlow::Break("it names too many tables".to_string());
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
            // `pg_get_keywords()` is a table here.
            TableFactor::Table { args, with_ordinality: false, .. } => {
                *args = None;
                ControlFlow::Continue(())
            }
            TableFactor::Derived { lateral: false, .. }
            | TableFactor::NestedJoin { .. }
            | TableFactor::UNNEST { with_offset: false, with_ordinality: false, .. } => ControlFlow::Continue(()),
            _ => ControlFlow::Break("it joins something that is no table".to_string()),
        }
    }

    /// `unnest('{a,b}')` becomes a table of the items.
    fn post_visit_table_factor(&mut self, factor: &mut TableFactor) -> ControlFlow<String> {
        let TableFactor::UNNEST { alias, array_exprs, .. } = &*factor else { return ControlFlow::Continue(()) };
        let [array] = array_exprs.as_slice() else {
            return ControlFlow::Break("it takes several arrays apart".to_string());
        };
        let name = alias.as_ref().map(|alias| alias.columns.first().map_or(&alias.name, |column| &column.name));
        let rows = arrays::rows(array, name.map_or("unnest", |name| name.value.as_str()));
        let parsed = Parser::new(&PostgreSqlDialect {}).try_with_sql(&rows).and_then(|mut parser| parser.parse_query());
        match parsed {
            Ok(subquery) => {
                let alias = alias.clone().map(|alias| TableAlias { columns: Vec::new(), ..alias });
                *factor = TableFactor::Derived { lateral: false, subquery, alias, sample: None };
                ControlFlow::Continue(())
            }
            Err(_) => ControlFlow::Break(format!("it takes the array {array} apart")),
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
            Expr::Array(array) if array.elem.iter().any(is_bound) => return ControlFlow::Continue(()),
            Expr::Array(array) => {
                let items: Vec<String> =
                    array.elem.iter().map(|item| literal(item).unwrap_or_else(|| item.to_string())).collect();
                quoted(&arrays::written(&items))
            }
            Expr::CompoundFieldAccess { root, access_chain } => arrays::subscript(root, access_chain),
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
        let name = function.name.0.last().and_then(|part| part.as_ident()).map(|name| name.value.to_lowercase());
        let name = name.unwrap_or_default();
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

/// The value of an integer literal.
fn whole(expr: &Expr) -> Option<i64> {
    expr.to_string().parse().ok()
}

/// Names columns as PostgreSQL does: in lowercase, even if the name is a keyword of SQLite (`AS DEFAULT`). A call without an alias
/// is named after its function.
fn quote_aliases(body: &mut SetExpr) {
    match body {
        SetExpr::Select(select) => {
            for item in &mut select.projection {
                match item {
                    SelectItem::ExprWithAlias { alias, .. } if alias.quote_style.is_none() => {
                        *alias = Ident::with_quote('"', alias.value.to_lowercase());
                    }
                    SelectItem::UnnamedExpr(Expr::Function(call)) => {
                        let Some(name) = call.name.0.last().and_then(|part| part.as_ident()) else { continue };
                        let alias = Ident::with_quote('"', name.value.to_lowercase());
                        *item = SelectItem::ExprWithAlias { expr: Expr::Function(call.clone()), alias };
                    }
                    _ => {}
                }
            }
        }
        SetExpr::SetOperation { left, right, .. } => [left, right].into_iter().for_each(|side| quote_aliases(side)),
        _ => {}
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
        Expr::Cast { expr: inner, .. } if is_placeholder(inner) => items(inner),
        // A bound array: JSON, or the text `{a,b}` if it was untyped.
        bound if is_placeholder(bound) => {
            let plain = format!("'[\"' || replace(trim({bound}, '{{}}'), ',', '\",\"') || '\"]'");
            format!("(select value from json_each(case when json_valid({bound}) then {bound} else {plain} end))")
        }
        // A literal `{a,b}`, also from an array that was already rewritten. Every array column of the catalog is null.
        other => {
            let items = literal(other).and_then(|text| arrays::items(&text)).unwrap_or_default();
            let items: Vec<String> = items.iter().map(|item| quoted(item)).collect();
            if items.is_empty() { "(null)".to_string() } else { format!("({})", items.join(", ")) }
        }
    }
}

fn is_placeholder(expr: &Expr) -> bool {
    matches!(expr, Expr::Value(value) if matches!(value.value, Value::Placeholder(_)))
}

fn is_bound(expr: &Expr) -> bool {
    match expr {
        Expr::Nested(inner) | Expr::Cast { expr: inner, .. } => is_bound(inner),
        other => is_placeholder(other),
    }
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
