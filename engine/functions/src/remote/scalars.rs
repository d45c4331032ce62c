//! Scalar functions.

use datafusion::common::internal_err;

use crate::aggregates::semi_join_summary::{answer_for_summary, summary_of_answer};
use crate::planner_calls::TryExpr;
use crate::prelude::*;
use crate::times::now;

/// What a scalar function is made of.
#[derive(Debug, Clone)]
pub enum ScalarState {
    /// `now`, `current_date` or `current_time`, which have one value in a whole query.
    Constant { name: String, value: ScalarValue },
    /// An expression that is null where it fails.
    Try(TryExpr),
    /// The function that answers a semi join from a summary of a group, such as `pareto_frontier < >=`.
    Answer { summary: String },
}

/// What a function is made of; `None` if it is not made for one query, or can't leave this process.
pub fn scalar_state(function: &ScalarUDF) -> Option<ScalarState> {
    if let Some((name, value)) = now::value_of(function) {
        return Some(ScalarState::Constant { name: name.to_string(), value: value.clone() });
    }
    if let Some(expr) = TryExpr::from_function(function) {
        return Some(ScalarState::Try(expr.clone()));
    }
    summary_of_answer(function).map(|summary| ScalarState::Answer { summary })
}

/// The function that is made of this.
///
/// # Errors
///
/// No function has such a name or such a summary.
pub fn scalar_from(state: ScalarState) -> Result<Arc<ScalarUDF>> {
    let function = match &state {
        ScalarState::Constant { name, value } => now::with_value(name, value.clone()),
        ScalarState::Try(expr) => Some(expr.clone().udf()),
        ScalarState::Answer { summary } => answer_for_summary(summary),
    };
    match function {
        Some(function) => Ok(Arc::new(function)),
        None => internal_err!("no function is made of {state:?}"),
    }
}

#[cfg(test)]
mod tests {
    use arrow::datatypes::Schema;
    use datafusion::logical_expr::{Operator, lit};
    use datafusion::physical_expr::expressions;

    use super::*;

    fn function_of(call: Expr) -> Arc<ScalarUDF> {
        match call {
            Expr::ScalarFunction(call) => call.func,
            other => panic!("{other} calls no scalar function"),
        }
    }

    #[test]
    fn functions_come_back_as_they_were() {
        let [a, b, c] = [1, 2, 3].map(lit);
        let values = || [b.clone(), c.clone()];
        let mut functions: Vec<Arc<ScalarUDF>> = now::at(1_772_000_000_000_000).map(Arc::new).into();
        for operator in [Operator::Lt, Operator::LtEq, Operator::Gt, Operator::GtEq] {
            let frontier = crate::pareto_frontier_reaches(a.clone(), values(), [operator, Operator::GtEq]);
            let best = crate::best_and_second_best_reaches(a.clone(), b.clone(), c.clone(), operator);
            functions.extend([frontier, best].map(function_of));
        }
        let tried = TryExpr {
            expr: expressions::lit(1_i64),
            schema: Arc::new(Schema::empty()),
            returns: Arc::new(Field::new("tried", DataType::Int64, true)),
            volatile: true,
        };
        functions.push(Arc::new(tried.udf()));
        for function in functions {
            let again = scalar_from(scalar_state(&function).unwrap()).unwrap();
            assert_eq!(again, function);
            assert_eq!(again.aliases(), function.aliases());
            assert_eq!(again.signature(), function.signature());
        }
    }

    #[test]
    fn other_functions_are_not_made_of_data() {
        assert!(scalar_state(&crate::uint256()).is_none());
        assert!(scalar_state(&crate::hive::seeded_rand::udf()).is_none());
        assert!(scalar_from(ScalarState::Answer { summary: "pareto_frontier <".to_string() }).is_err());
        assert!(scalar_from(ScalarState::Constant { name: "today".to_string(), value: ScalarValue::Null }).is_err());
    }
}
