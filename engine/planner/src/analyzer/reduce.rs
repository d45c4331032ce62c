//! The state of `reduce`: the first value gets the type of the state, and a type that changes with each item is an error.

use arrow::datatypes::DataType;
use datafusion::common::tree_node::TreeNodeRecursion;
use datafusion::common::{DFSchema, Result};
use datafusion::logical_expr::expr::{HigherOrderFunction, Lambda};
use datafusion::logical_expr::{Expr, ExprSchemable};

use quarry_functions::tree_walk::TreeWalk;
use quarry_functions::{int256, widened};
use quarry_types::invalid;
use quarry_types::uint256::is_number;

pub(super) fn coerce_reduce_state(mut call: HigherOrderFunction, schema: &DFSchema) -> Result<Expr> {
    if let [_, first, Expr::Lambda(merge), ..] = call.args.as_mut_slice() {
        let (from, made) = (first.get_type(schema)?, merge.body.get_type(schema)?);
        let state = widened(&from, &made);
        if state_type(merge)?.is_some_and(|data_type| data_type != state) {
            // Some expressions have more digits each time: a square, say.
            return Err(invalid(
                "The type of the state of reduce changes with each item; cast the initial value to double.",
            ));
        }
        // The planner has no cast from whole numbers to those of 256 bits.
        if is_number(&state) && from.is_integer() {
            *first = int256().call(vec![std::mem::take(first)]);
        }
    }
    Ok(Expr::HigherOrderFunction(call))
}

/// The type of the state as parameter of the lambda; `None` where the lambda does not use it.
fn state_type(merge: &Lambda) -> Result<Option<DataType>> {
    let mut data_type = None;
    merge.body.apply(|part| {
        if let Expr::LambdaVariable(variable) = part
            && merge.params.first() == Some(&variable.name)
            && data_type.is_none()
        {
            data_type = variable.field.as_ref().map(|field| field.data_type().clone());
        }
        Ok(TreeNodeRecursion::Continue)
    })?;
    Ok(data_type)
}
