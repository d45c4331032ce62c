//! Snowflake's `LATERAL FLATTEN(input => list or JSON) AS f`, whose columns are `f.value`, `f.key`, `f.path` and `f.index`, as
//! `UNNEST`; `f.this` is the input itself.

use std::ops::ControlFlow;

use datafusion::sql::sqlparser::ast::{
    Expr, Function, FunctionArg, FunctionArgExpr, FunctionArguments, Ident, Join, JoinConstraint, JoinOperator,
    OrderBy, Select, SelectItem, TableAlias, TableAliasColumnDef, TableFactor, TableWithJoins, Value,
};

use super::ast::{call, text, truth};
use super::scoped::in_scope;
use super::unnest::in_all;
use quarry_functions::{JSON_ITEMS, JSON_KEYS, JSON_PATHS};
use quarry_types::{Error, ErrorCode, Position};

const NAME: &str = "flatten";

/// A `FLATTEN` in parts.
struct Flatten {
    input: Expr,
    name: Ident,
    /// Whether rows without items stay.
    outer: bool,
    /// Where it stands.
    position: Option<Position>,
}

/// Writes every such table of a SELECT as `UNNEST`; an error for what there is no `UNNEST` of.
pub(super) fn flatten(select: &mut Select, mut order: Option<&mut OrderBy>) -> ControlFlow<Box<Error>> {
    let mut table = 0;
    'tables: while table < select.from.len() {
        for join in 0..=select.from[table].joins.len() {
            let relation = match join {
                0 => &select.from[table].relation,
                join => &select.from[table].joins[join - 1].relation,
            };
            let Some(flatten) = Flatten::of(relation)? else { continue };
            let unnest = unnest(&flatten, select, order.as_deref_mut())?;
            match join {
                0 => select.from[table].relation = unnest,
                join => {
                    let joined = &mut select.from[table].joins[join - 1];
                    joined.relation = unnest;
                    if flatten.outer && is_inner(&joined.join_operator) {
                        joined.join_operator = kept();
                    }
                }
            }
            if flatten.outer && join == 0 {
                if table == 0 {
                    return refused(
                        "FLATTEN with OUTER => TRUE stands behind the table whose rows it keeps.",
                        &flatten,
                    );
                }
                // Behind a comma it joins what stands before.
                let TableWithJoins { relation, joins } = select.from.remove(table);
                table -= 1;
                let join = Join { relation, global: false, join_operator: kept() };
                select.from[table].joins.extend(std::iter::once(join).chain(joins));
                continue 'tables;
            }
        }
        table += 1;
    }
    ControlFlow::Continue(())
}

fn is_inner(operator: &JoinOperator) -> bool {
    matches!(operator, JoinOperator::CrossJoin(_) | JoinOperator::Join(_) | JoinOperator::Inner(_))
}

fn kept() -> JoinOperator {
    JoinOperator::LeftOuter(JoinConstraint::On(truth()))
}

fn refused<T>(message: &str, of: &Flatten) -> ControlFlow<Box<Error>, T> {
    let error = Error::new(ErrorCode::InvalidQuery, message);
    ControlFlow::Break(Box::new(match of.position {
        Some(position) => error.at(position),
        None => error,
    }))
}

/// The table that makes those of its columns that a SELECT asks for: to find keys or paths, all JSON is read once more.
fn unnest(
    flatten: &Flatten,
    select: &mut Select,
    mut order: Option<&mut OrderBy>,
) -> ControlFlow<Box<Error>, TableFactor> {
    let asked = Asked::of(flatten, select, order.as_deref_mut());
    if asked.has("seq") {
        return refused("FLATTEN has no SEQ here; number the rows with row_number() in a query in FROM.", flatten);
    }
    let mut columns = Vec::new();
    let mut lists = Vec::new();
    for (name, part) in [("value", JSON_ITEMS), ("key", JSON_KEYS), ("path", JSON_PATHS)] {
        if asked.has(name) {
            columns.push(name);
            lists.push(call(part, vec![flatten.input.clone()]));
        }
    }
    if lists.is_empty() {
        columns.push("value");
        lists.push(call(JSON_ITEMS, vec![flatten.input.clone()]));
    }
    let with_offset = asked.has("index");
    if with_offset {
        columns.push("index");
    }
    this(flatten, select, order);
    let columns = columns.into_iter().map(|name| TableAliasColumnDef { name: Ident::new(name), data_type: None });
    ControlFlow::Continue(TableFactor::UNNEST {
        alias: Some(TableAlias { explicit: true, name: flatten.name.clone(), columns: columns.collect(), at: None }),
        array_exprs: lists,
        with_offset,
        with_offset_alias: None,
        with_ordinality: false,
    })
}

/// `f.this` as the input.
fn this(flatten: &Flatten, select: &mut Select, order: Option<&mut OrderBy>) {
    let is_this = |expr: &Expr| match expr {
        Expr::CompoundIdentifier(parts) => {
            matches!(parts.as_slice(), [table, column] if same(table, &flatten.name) && column.value.eq_ignore_ascii_case("this"))
        }
        _ => false,
    };
    for item in &mut select.projection {
        if let SelectItem::UnnamedExpr(expr) = item
            && is_this(expr)
        {
            *item = SelectItem::ExprWithAlias { expr: expr.clone(), alias: Ident::new("this") };
        }
    }
    in_scope(select, order, &flatten.name, |expr| {
        if is_this(expr) {
            *expr = Expr::Nested(Box::new(flatten.input.clone()));
        }
    });
}

fn same(a: &Ident, b: &Ident) -> bool {
    a.value.eq_ignore_ascii_case(&b.value)
}

/// The columns that a SELECT asks for.
struct Asked {
    /// Whether it shows all there are.
    all: bool,
    names: Vec<String>,
}

impl Asked {
    fn of(flatten: &Flatten, select: &mut Select, order: Option<&mut OrderBy>) -> Asked {
        let wild = |item: &SelectItem| match item {
            SelectItem::Wildcard(_) => true,
            SelectItem::QualifiedWildcard(of, _) => {
                of.to_string().to_lowercase().starts_with(&flatten.name.to_string().to_lowercase())
            }
            _ => false,
        };
        let mut asked = Asked { all: select.projection.iter().any(wild), names: Vec::new() };
        in_all(select, order, |expr| match expr {
            Expr::Identifier(name) => asked.names.push(name.value.to_lowercase()),
            Expr::CompoundIdentifier(parts) => {
                if let [table, column, ..] = parts.as_slice()
                    && same(table, &flatten.name)
                {
                    asked.names.push(column.value.to_lowercase());
                }
            }
            _ => {}
        });
        asked
    }

    fn has(&self, name: &str) -> bool {
        // What is shown of all of them is no number of an input.
        (self.all && name != "seq") || self.names.iter().any(|asked| asked == name)
    }
}

impl Flatten {
    /// `None` for any other table.
    fn of(table: &TableFactor) -> ControlFlow<Box<Error>, Option<Flatten>> {
        let (name, args, alias) = match table {
            TableFactor::Function { name, args, alias, with_ordinality: false, .. } => (name, args, alias),
            TableFactor::TableFunction {
                expr: Expr::Function(Function { name, args: FunctionArguments::List(list), .. }),
                alias,
            } => (name, &list.args, alias),
            _ => return ControlFlow::Continue(None),
        };
        let renamed = alias.as_ref().is_some_and(|alias| !alias.columns.is_empty());
        if !name.to_string().eq_ignore_ascii_case(NAME) || renamed {
            return ControlFlow::Continue(None);
        }
        let start = name.0.first().and_then(|part| part.as_ident()).map(|part| part.span.start);
        let position = start.filter(|start| start.line > 0);
        let mut flatten = Flatten {
            input: Expr::Value(Value::Null.into()),
            name: alias.as_ref().map_or_else(|| Ident::new(NAME), |alias| alias.name.clone()),
            outer: false,
            position: position.map(|start| Position { line: start.line, column: start.column }),
        };
        let (mut given, mut path) = (false, None);
        for arg in args {
            let (name, value) = match arg {
                FunctionArg::Unnamed(FunctionArgExpr::Expr(value)) if !given => ("input".to_string(), value),
                FunctionArg::Named { name, arg: FunctionArgExpr::Expr(value), .. } => {
                    (name.value.to_lowercase(), value)
                }
                _ => return refused("FLATTEN takes input => a list or JSON, and outer => true.", &flatten),
            };
            let written = match value {
                Expr::Value(value) => value.value.to_string().trim_matches('\'').to_lowercase(),
                _ => String::new(),
            };
            match (name.as_str(), written.as_str()) {
                ("input", _) => {
                    flatten.input = value.clone();
                    given = true;
                }
                ("outer", "true") => flatten.outer = true,
                ("outer" | "recursive", "false") | ("mode", "both") => {}
                ("recursive", _) => {
                    let message = "FLATTEN with RECURSIVE => TRUE is not supported; flatten the value of one FLATTEN by the next.";
                    return refused(message, &flatten);
                }
                ("path", _) => path = Some(value.clone()),
                _ => {
                    return refused(
                        "FLATTEN takes input => a list or JSON, path => 'a.b' and outer => true.",
                        &flatten,
                    );
                }
            }
        }
        if !given {
            return refused("FLATTEN takes input => a list or JSON.", &flatten);
        }
        if let Some(path) = path {
            let written = match path {
                Expr::Value(value) => value.value.into_string(),
                _ => None,
            };
            let Some(path) = written else {
                return refused("The path of FLATTEN is a text such as 'a.b'.", &flatten);
            };
            let path = if path.starts_with('[') { format!("${path}") } else { format!("$.{path}") };
            flatten.input = call("json_extract", vec![flatten.input, text(&path)]);
        }
        ControlFlow::Continue(Some(flatten))
    }
}
