//! Snowflake's `LATERAL FLATTEN(input => list or JSON) AS f` as `UNNEST`. Its columns are `f.value`, `f.key`, `f.path` and `f.index`;
//! `f.this` is the input itself.

use std::ops::ControlFlow;

use datafusion::sql::sqlparser::ast::{
    Expr, Function, FunctionArg, FunctionArgExpr, FunctionArguments, Ident, Join, JoinConstraint, JoinOperator,
    OrderBy, Select, SelectItem, TableFactor, TableWithJoins, Value,
};

use super::ast::{boolean, call, call_with, is_named, nested, same_name, table_alias, table_at, text, value};
use super::table_scope::{change_in_scope, change_in_select};
use crate::error_location::{error_at, location_position};
use quarry_functions::{JSON_ITEMS, JSON_KEYS, JSON_PATHS};
use quarry_types::{Error, ErrorCode, Position};

const FLATTEN: &str = "flatten";

/// The arguments of a `FLATTEN`.
struct Flatten {
    input: Expr,
    alias: Ident,
    /// Whether rows without items stay.
    outer: bool,
    position: Option<Position>,
}

/// Writes every `FLATTEN` of a SELECT as `UNNEST`.
pub(super) fn rewrite(select: &mut Select, mut order: Option<&mut OrderBy>) -> ControlFlow<Box<Error>> {
    let left_join = || JoinOperator::LeftOuter(JoinConstraint::On(boolean(true)));
    let mut item = 0;
    'items: while item < select.from.len() {
        for table in 0..=select.from[item].joins.len() {
            let Some(flatten) = Flatten::from_table(table_at(&mut select.from, (item, table)))? else { continue };
            let unnest = flatten.to_unnest(select, order.as_deref_mut())?;
            *table_at(&mut select.from, (item, table)) = unnest;
            if !flatten.outer {
                continue;
            }
            if let Some(join) = table.checked_sub(1) {
                let operator = &mut select.from[item].joins[join].join_operator;
                if matches!(operator, JoinOperator::CrossJoin(_) | JoinOperator::Join(_) | JoinOperator::Inner(_)) {
                    *operator = left_join();
                }
                continue;
            }
            if item == 0 {
                return flatten.refuse("FLATTEN with OUTER => TRUE must follow the table whose rows it keeps.");
            }
            // After a comma it is joined to what is before.
            let TableWithJoins { relation, joins } = select.from.remove(item);
            item -= 1;
            let join = Join { relation, global: false, join_operator: left_join() };
            select.from[item].joins.extend(std::iter::once(join).chain(joins));
            continue 'items;
        }
        item += 1;
    }
    ControlFlow::Continue(())
}

/// The columns of a `FLATTEN` that a SELECT uses.
struct UsedColumns {
    /// Whether it returns all columns.
    has_star: bool,
    names: Vec<String>,
}

impl UsedColumns {
    fn has(&self, name: &str) -> bool {
        // A star does not include the number of the input.
        (self.has_star && name != "seq") || self.names.iter().any(|used| used == name)
    }
}

impl Flatten {
    /// `None` for any other table.
    fn from_table(table: &TableFactor) -> ControlFlow<Box<Error>, Option<Flatten>> {
        let (name, args, alias) = match table {
            TableFactor::Function { name, args, alias, with_ordinality: false, .. } => (name, args, alias),
            TableFactor::TableFunction {
                expr: Expr::Function(Function { name, args: FunctionArguments::List(list), .. }),
                alias,
            } => (name, &list.args, alias),
            _ => return ControlFlow::Continue(None),
        };
        let has_column_aliases = alias.as_ref().is_some_and(|alias| !alias.columns.is_empty());
        if !is_named(name, FLATTEN) || has_column_aliases {
            return ControlFlow::Continue(None);
        }
        let start = name.0.first().and_then(|part| part.as_ident()).map(|part| part.span.start);
        let mut flatten = Flatten {
            input: value(Value::Null),
            alias: alias.as_ref().map_or_else(|| Ident::new(FLATTEN), |alias| alias.name.clone()),
            outer: false,
            position: start.and_then(location_position),
        };
        let (mut has_input, mut path) = (false, None);
        for arg in args {
            let (name, value) = match arg {
                FunctionArg::Unnamed(FunctionArgExpr::Expr(value)) if !has_input => ("input".to_string(), value),
                FunctionArg::Named { name, arg: FunctionArgExpr::Expr(value), .. } => {
                    (name.value.to_lowercase(), value)
                }
                _ => return flatten.refuse("FLATTEN expects input => a list or JSON, and outer => true."),
            };
            let literal = match value {
                Expr::Value(value) => value.value.to_string().trim_matches('\'').to_lowercase(),
                _ => String::new(),
            };
            match (name.as_str(), literal.as_str()) {
                ("input", _) => {
                    flatten.input = value.clone();
                    has_input = true;
                }
                ("outer", "true") => flatten.outer = true,
                ("outer" | "recursive", "false") | ("mode", "both") => {}
                ("recursive", _) => {
                    let message = "FLATTEN with RECURSIVE => TRUE is not supported; flatten the value of one FLATTEN \
                                   with another one.";
                    return flatten.refuse(message);
                }
                ("path", _) => path = Some(value),
                _ => {
                    let message = "FLATTEN expects input => a list or JSON, path => 'a.b' and outer => true.";
                    return flatten.refuse(message);
                }
            }
        }
        if !has_input {
            return flatten.refuse("FLATTEN expects input => a list or JSON.");
        }
        if let Some(path) = path {
            let written = match path {
                Expr::Value(value) => value.value.clone().into_string(),
                _ => None,
            };
            let Some(path) = written else {
                return flatten.refuse("The path of FLATTEN must be a string such as 'a.b'.");
            };
            let path = if path.starts_with('[') { format!("${path}") } else { format!("$.{path}") };
            flatten.input = call("json_extract", vec![flatten.input, text(&path)]);
        }
        ControlFlow::Continue(Some(flatten))
    }

    fn refuse<T>(&self, message: &str) -> ControlFlow<Box<Error>, T> {
        let error = Error::new(ErrorCode::InvalidQuery, message);
        ControlFlow::Break(Box::new(error_at(error, self.position)))
    }

    /// The `UNNEST` with the columns that a SELECT uses: to find keys or paths, all JSON is read once more.
    fn to_unnest(&self, select: &mut Select, mut order: Option<&mut OrderBy>) -> ControlFlow<Box<Error>, TableFactor> {
        let used = self.used_columns(select, order.as_deref_mut());
        if used.has("seq") {
            return self
                .refuse("SEQ of FLATTEN is not supported; number the rows with row_number() in a subquery in FROM.");
        }
        let lists = [("value", JSON_ITEMS), ("key", JSON_KEYS), ("path", JSON_PATHS)];
        let mut lists: Vec<_> = lists.into_iter().filter(|(name, _)| used.has(name)).collect();
        if lists.is_empty() {
            lists.push(("value", JSON_ITEMS));
        }
        let with_offset = used.has("index");
        self.replace_this(select, order);
        let columns = lists.iter().map(|(name, _)| *name).chain(with_offset.then_some("index"));
        ControlFlow::Continue(TableFactor::UNNEST {
            alias: Some(table_alias(self.alias.clone(), columns.map(Ident::new))),
            array_exprs: lists.iter().map(|(_, function)| call_with(function, [&self.input])).collect(),
            with_offset,
            with_offset_alias: None,
            with_ordinality: false,
        })
    }

    fn used_columns(&self, select: &mut Select, order: Option<&mut OrderBy>) -> UsedColumns {
        let is_star = |item: &SelectItem| match item {
            SelectItem::Wildcard(_) => true,
            SelectItem::QualifiedWildcard(name, _) => {
                name.to_string().to_lowercase().starts_with(&self.alias.to_string().to_lowercase())
            }
            _ => false,
        };
        let mut used = UsedColumns { has_star: select.projection.iter().any(is_star), names: Vec::new() };
        change_in_select(select, order, |expr| match expr {
            Expr::Identifier(name) => used.names.push(name.value.to_lowercase()),
            Expr::CompoundIdentifier(parts) => {
                if let [table, column, ..] = parts.as_slice()
                    && same_name(table, &self.alias)
                {
                    used.names.push(column.value.to_lowercase());
                }
            }
            _ => {}
        });
        used
    }

    /// Puts the input in place of `f.this`.
    fn replace_this(&self, select: &mut Select, order: Option<&mut OrderBy>) {
        let is_this = |expr: &Expr| match expr {
            Expr::CompoundIdentifier(parts) => {
                matches!(parts.as_slice(), [table, column]
                    if same_name(table, &self.alias) && column.value.eq_ignore_ascii_case("this"))
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
        change_in_scope(select, order, &self.alias, |expr| {
            if is_this(expr) {
                *expr = nested(self.input.clone());
            }
        });
    }
}
