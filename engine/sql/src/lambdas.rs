//! Lambdas, before names are resolved: `s.a` is a field of the parameter `s`, and a lambda has as many parameters as its function
//! passes values to it.

use std::ops::ControlFlow;

use datafusion::sql::sqlparser::ast::{
    AccessExpr, Expr, FunctionArg, FunctionArgExpr, FunctionArguments, Ident, LambdaFunction,
};

use crate::syntax::visitor::visit_expressions_mut;
use quarry_types::{Error, ErrorCode};

/// Functions with how many values they pass to each of their lambdas.
const ARITIES: [(&str, &[usize]); 17] = [
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

/// Functions whose lambda may have the index of the item as a second parameter.
const WITH_INDEX: [&str; 2] = ["filter", "transform"];

/// Prepares an expression before its parts are visited. `with_index`: lambdas of `transform` and `filter` may have the index of the
/// item as a second parameter, as in HiveQL.
///
/// # Errors
///
/// A lambda has more or fewer parameters than its function passes values.
pub fn prepare(expr: &mut Expr, with_index: bool) -> Result<(), Box<Error>> {
    match expr {
        Expr::Lambda(lambda) => access_fields(lambda),
        Expr::Function(function) => {
            let (FunctionArguments::List(list), [name]) = (&function.args, function.name.0.as_slice()) else {
                return Ok(());
            };
            let name = name.as_ident().map(|name| name.value.to_lowercase()).unwrap_or_default();
            let Some((_, arities)) = ARITIES.iter().find(|(known, _)| *known == name) else { return Ok(()) };
            let lambdas = list.args.iter().filter_map(|arg| match arg {
                FunctionArg::Unnamed(FunctionArgExpr::Expr(Expr::Lambda(lambda))) => Some(lambda),
                _ => None,
            });
            for (lambda, arity) in lambdas.zip(*arities) {
                let parameters = lambda.params.iter().count();
                if parameters != *arity && !(with_index && parameters == 2 && WITH_INDEX.contains(&name.as_str())) {
                    let message =
                        format!("{name} passes {arity} arguments to its lambda, but this lambda takes {parameters}.");
                    return Err(Box::new(Error::new(ErrorCode::InvalidQuery, message)));
                }
            }
        }
        _ => {}
    }
    Ok(())
}

/// Makes `name.field` in the body of a lambda a field access where `name` is one of its parameters.
pub fn access_fields(lambda: &mut LambdaFunction) {
    let parameters: Vec<Ident> = lambda.params.iter().map(|param| param.name.clone()).collect();
    let is_parameter = |name: &Ident| parameters.iter().any(|own| own.value.eq_ignore_ascii_case(&name.value));
    // Without parentheses the planner looks for a table first.
    let value = |name: &Ident| Box::new(Expr::Nested(Box::new(Expr::Identifier(name.clone()))));
    let _: ControlFlow<()> = visit_expressions_mut(&mut lambda.body, |expr| {
        match expr {
            Expr::CompoundIdentifier(parts) => {
                if let [name, fields @ ..] = parts.as_slice()
                    && is_parameter(name)
                {
                    let fields = fields.iter().map(|field| AccessExpr::Dot(Expr::Identifier(field.clone())));
                    *expr = Expr::CompoundFieldAccess { root: value(name), access_chain: fields.collect() };
                }
            }
            Expr::CompoundFieldAccess { root, access_chain } => {
                if let Expr::Identifier(name) = root.as_ref()
                    && is_parameter(name)
                    && matches!(access_chain.first(), Some(AccessExpr::Dot(_)))
                {
                    *root = value(name);
                }
            }
            _ => {}
        }
        ControlFlow::Continue(())
    });
}
