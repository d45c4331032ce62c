//! `lead` and `lag` that look ahead and ignore nulls: the built-in functions lose rows after a gap of nulls when they see the
//! rows of a partition bit by bit (<https://github.com/apache/datafusion/issues/25471>), and are right when they see all at once.

use std::sync::LazyLock;

use datafusion::functions_window::lead_lag::{lag_udwf, lead_udwf};
use datafusion::logical_expr::function::{ExpressionArgs, PartitionEvaluatorArgs, WindowUDFFieldArgs};
use datafusion::logical_expr::{
    Documentation, LimitEffect, PartitionEvaluator, ReversedUDWF, WindowUDF, WindowUDFImpl,
};
use datafusion::physical_expr::PhysicalExpr;

use super::methods::as_builtin;
use crate::prelude::*;

/// Both functions, which replace the built-in ones.
pub(crate) fn udwfs() -> [Arc<WindowUDF>; 2] {
    // The reverse of one is one of these again: a new instance would have no id in other processes.
    static BOTH: LazyLock<[Arc<WindowUDF>; 2]> = LazyLock::new(|| {
        [lead_udwf(), lag_udwf()].map(|builtin| Arc::new(WindowUDF::new_from_impl(LeadLag { builtin })))
    });
    BOTH.clone()
}

#[derive(Debug, PartialEq, Eq, Hash)]
struct LeadLag {
    builtin: Arc<WindowUDF>,
}

impl WindowUDFImpl for LeadLag {
    as_builtin! {
        name() -> &str;
        aliases() -> &[String];
        signature() -> &Signature;
        expressions(args: ExpressionArgs) -> Vec<Arc<dyn PhysicalExpr>>;
        field(args: WindowUDFFieldArgs) -> Result<FieldRef>;
        coerce_types(types: &[DataType]) -> Result<Vec<DataType>>;
        documentation() -> Option<&Documentation>;
        limit_effect(args: &[Arc<dyn PhysicalExpr>]) -> LimitEffect;
    }

    fn partition_evaluator(&self, args: PartitionEvaluatorArgs) -> Result<Box<dyn PartitionEvaluator>> {
        let ignores_nulls = args.ignore_nulls();
        let builtin = self.builtin.inner().partition_evaluator(args)?;
        Ok(match ignores_nulls && !builtin.is_causal() {
            true => Box::new(WholePartition(builtin)),
            false => builtin,
        })
    }

    fn reverse_expr(&self) -> ReversedUDWF {
        match self.builtin.inner().reverse_expr() {
            ReversedUDWF::Reversed(builtin) => match udwfs().into_iter().find(|ours| ours.name() == builtin.name()) {
                Some(ours) => ReversedUDWF::Reversed(ours),
                None => ReversedUDWF::NotSupported,
            },
            other => other,
        }
    }
}

/// Evaluates all rows of a partition at once.
#[derive(Debug)]
struct WholePartition(Box<dyn PartitionEvaluator>);

impl PartitionEvaluator for WholePartition {
    fn evaluate_all(&mut self, values: &[ArrayRef], rows: usize) -> Result<ArrayRef> {
        self.0.evaluate_all(values, rows)
    }

    fn supports_bounded_execution(&self) -> bool {
        false
    }
}

#[cfg(test)]
mod tests {
    use arrow::array::Int32Array;
    use arrow::datatypes::Schema;
    use datafusion::physical_expr::expressions::{Column, lit};

    use super::*;

    /// `lead(v, 2) IGNORE NULLS` at the third row of a partition that is evaluated row by row.
    fn third_row(function: &WindowUDF) -> ScalarValue {
        let schema = Schema::new(vec![Field::new("v", DataType::Int32, true)]);
        let exprs: Vec<Arc<dyn PhysicalExpr>> =
            vec![Arc::new(Column::new_with_schema("v", &schema).unwrap()), lit(2i64)];
        let fields = [Arc::new(schema.field(0).clone()), Arc::new(Field::new("n", DataType::Int64, false))];
        let args = PartitionEvaluatorArgs::new(&exprs, &fields, false, true);
        let mut evaluator = function.inner().partition_evaluator(args).unwrap();
        let values = [Some(10), Some(20), Some(30), Some(40), None, None, Some(70)];
        let column: ArrayRef = Arc::new(Int32Array::from(values.to_vec()));
        if !evaluator.supports_bounded_execution() {
            let all = evaluator.evaluate_all(&[column], values.len()).unwrap();
            return ScalarValue::try_from_array(&all, 2).unwrap();
        }
        let mut answer = ScalarValue::Null;
        for row in 0..3 {
            let range = evaluator.get_range(row, values.len()).unwrap();
            answer = evaluator.evaluate(&[Arc::clone(&column)], &range).unwrap();
        }
        answer
    }

    /// When the first assertion fails, DataFusion has fixed this, and the module can go.
    #[test]
    fn the_builtin_function_still_loses_rows_behind_a_gap() {
        assert_eq!(third_row(&lead_udwf()), ScalarValue::Int32(None));
        assert_eq!(third_row(&udwfs()[0]), ScalarValue::Int32(Some(70)));
    }
}
