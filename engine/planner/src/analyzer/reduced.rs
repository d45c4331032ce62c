//! The state of `reduce` once its type is known: the first value becomes one of it, and a type that never settles is refused.

use arrow::datatypes::DataType;
use datafusion::common::tree_node::{TreeNode, TreeNodeRecursion};
use datafusion::common::{DFSchema, Result};
use datafusion::logical_expr::expr::{HigherOrderFunction, Lambda};
use datafusion::logical_expr::{Expr, ExprSchemable};

use quarry_functions::{int256, widened};
use quarry_types::invalid;
use quarry_types::uint256::is_number;

pub(super) fn settled(mut call: HigherOrderFunction, schema: &DFSchema) -> Result<Expr> {
    if let [_, first, Expr::Lambda(merge), ..] = call.args.as_mut_slice() {
        let (from, made) = (first.get_type(schema)?, merge.body.get_type(schema)?);
        let state = widened(&from, &made);
        if taken(merge)?.is_some_and(|taken| taken != state) {
            // What is no product may have more digits each time all the same: a square, say.
            return Err(invalid(
                "The state of reduce has another type with each item; cast the first value to double.",
            ));
        }
        // The planner knows no way from whole numbers to those of 256 bits.
        if is_number(&state) && from.is_integer() {
            *first = int256().call(vec![std::mem::take(first)]);
        }
    }
    Ok(Expr::HigherOrderFunction(call))
}

/// The type as which the lambda takes the state, where it looks at it.
fn taken(merge: &Lambda) -> Result<Option<DataType>> {
    let mut taken = None;
    merge.body.apply(|part| {
        if let Expr::LambdaVariable(variable) = part
            && merge.params.first() == Some(&variable.name)
            && taken.is_none()
        {
            taken = variable.field.as_ref().map(|field| field.data_type().clone());
        }
        Ok(TreeNodeRecursion::Continue)
    })?;
    Ok(taken)
}
