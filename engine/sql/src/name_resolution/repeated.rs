//! `select hash, * from t`: a column that is asked for beside `*` comes out twice, and one of the two needs a name of its
//! own.

use datafusion::sql::sqlparser::ast::{Expr, Ident, Select, SelectItem};

use super::relation::{Relation, normal};
use crate::session::tables::Columns;

/// Numbers the columns that `*` brings once more: `hash_1`. What `*` brings keeps its name.
pub(super) fn number(select: &mut Select, relations: &[Relation]) {
    if !select.projection.iter().any(|item| matches!(item, SelectItem::Wildcard(_))) {
        return;
    }
    let held = |name: &str| relations.iter().any(|relation| relation.columns.has(name));
    if relations.iter().any(|relation| matches!(relation.columns, Columns::Unknown)) {
        return;
    }
    let alias = |item: &SelectItem| match item {
        SelectItem::ExprWithAlias { alias, .. } => Some(normal(alias)),
        _ => None,
    };
    let mut given: Vec<String> = select.projection.iter().filter_map(alias).collect();
    for item in &mut select.projection {
        let SelectItem::UnnamedExpr(expr) = item else { continue };
        let ident = match &*expr {
            Expr::Identifier(ident) => ident,
            Expr::CompoundIdentifier(parts) => match parts.last() {
                Some(ident) => ident,
                None => continue,
            },
            _ => continue,
        };
        let name = normal(ident);
        if !held(&name) {
            continue;
        }
        let free = (1..).map(|number| format!("{name}_{number}")).find(|name| !held(name) && !given.contains(name));
        let Some(free) = free else { continue };
        let alias = Ident { value: free.clone(), quote_style: Some('"'), span: ident.span };
        *item = SelectItem::ExprWithAlias { expr: expr.clone(), alias };
        given.push(free);
    }
}
