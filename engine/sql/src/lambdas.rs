//! Lambdas as they are written, before names are looked up: `s.a` is a field of the item `s`, and a lambda names as many
//! values as its function hands to it.

use std::ops::ControlFlow;

use datafusion::sql::sqlparser::ast::{
    AccessExpr, Expr, FunctionArg, FunctionArgExpr, FunctionArguments, Ident, LambdaFunction,
};

use crate::ast_visitor::visit_expressions_mut;
use quarry_types::{Error, ErrorCode};

/// Functions with what they hand to their lambdas, in the order of these.
const HANDED: [(&str, &[usize]); 17] = [
    ("aggregate", &[2, 1]),
    ("all_match", &[1]),
    ("any_match", &[1]),
    ("array_any_match", &[1]),
    ("array_filter", &[1]),
    ("array_transform", &[1]),
    ("exists", &[1]),
    ("filter", &[1]),
    ("forall", &[1]),
    ("map_filter", &[2]),
    ("map_zip_with", &[3]),
    ("none_match", &[1]),
    ("reduce", &[2, 1]),
    ("transform", &[1]),
    ("transform_keys", &[2]),
    ("transform_values", &[2]),
    ("zip_with", &[2]),
];

/// Functions whose lambda may name where the item stands too.
const WITH_PLACE: [&str; 2] = ["filter", "transform"];

/// What is done to an expression before its parts are looked at; an error where a lambda names more or fewer values than
/// there are.
/// `placed` says that lambdas of `transform` and `filter` may name the place of an item behind it, as in HiveQL.
pub fn prepare(expr: &mut Expr, placed: bool) -> Result<(), Box<Error>> {
    match expr {
        Expr::Lambda(lambda) => fields_of_items(lambda),
        Expr::Function(function) => {
            let (FunctionArguments::List(list), [name]) = (&function.args, function.name.0.as_slice()) else {
                return Ok(());
            };
            let name = name.as_ident().map(|name| name.value.to_lowercase()).unwrap_or_default();
            let Some((_, handed)) = HANDED.iter().find(|(known, _)| *known == name) else { return Ok(()) };
            let lambdas = list.args.iter().filter_map(|arg| match arg {
                FunctionArg::Unnamed(FunctionArgExpr::Expr(Expr::Lambda(lambda))) => Some(lambda),
                _ => None,
            });
            for (lambda, handed) in lambdas.zip(*handed) {
                let named = lambda.params.iter().count();
                if named != *handed && !(placed && named == 2 && WITH_PLACE.contains(&name.as_str())) {
                    let message = format!("{name} hands {handed} values to this lambda, which names {named}.");
                    return Err(Box::new(Error::new(ErrorCode::InvalidQuery, message)));
                }
            }
        }
        _ => {}
    }
    Ok(())
}

/// `name.field` in the body of a lambda, where `name` is one of its items and no table.
pub fn fields_of_items(lambda: &mut LambdaFunction) {
    let items: Vec<Ident> = lambda.params.iter().map(|param| param.name.clone()).collect();
    let is_item = |name: &Ident| items.iter().any(|item| item.value.eq_ignore_ascii_case(&name.value));
    // Within parentheses it is a value: without them the planner looks for a table first.
    let item = |name: &Ident| Box::new(Expr::Nested(Box::new(Expr::Identifier(name.clone()))));
    let _: ControlFlow<()> = visit_expressions_mut(&mut lambda.body, |expr| {
        match expr {
            Expr::CompoundIdentifier(parts) => {
                if let [name, fields @ ..] = parts.as_slice()
                    && is_item(name)
                {
                    let fields = fields.iter().map(|field| AccessExpr::Dot(Expr::Identifier(field.clone())));
                    *expr = Expr::CompoundFieldAccess { root: item(name), access_chain: fields.collect() };
                }
            }
            Expr::CompoundFieldAccess { root, access_chain } => {
                if let Expr::Identifier(name) = root.as_ref()
                    && is_item(name)
                    && matches!(access_chain.first(), Some(AccessExpr::Dot(_)))
                {
                    *root = item(name);
                }
            }
            _ => {}
        }
        ControlFlow::Continue(())
    });
}
