//! `lead` and `lag` that look ahead and ignore nulls: the stock functions lose rows behind a gap of nulls when they see the rows
//! of a partition bit by bit (<https://github.com/apache/datafusion/issues/25471>), and get them right when they see all at once.

use std::sync::Arc;

use arrow::array::ArrayRef;
use arrow::datatypes::{DataType, FieldRef};
use datafusion::common::Result;
use datafusion::functions_window::lead_lag::{lag_udwf, lead_udwf};
use datafusion::logical_expr::function::{ExpressionArgs, PartitionEvaluatorArgs, WindowUDFFieldArgs};
use datafusion::logical_expr::{
    Documentation, LimitEffect, PartitionEvaluator, ReversedUDWF, Signature, WindowUDF, WindowUDFImpl,
};
use datafusion::physical_expr::PhysicalExpr;

/// Both, in the place of the stock ones.
pub(crate) fn udwfs() -> [Arc<WindowUDF>; 2] {
    [shifted(lead_udwf()), shifted(lag_udwf())]
}

fn shifted(stock: Arc<WindowUDF>) -> Arc<WindowUDF> {
    Arc::new(WindowUDF::new_from_impl(Shifted { stock }))
}

#[derive(Debug, PartialEq, Eq, Hash)]
struct Shifted {
    stock: Arc<WindowUDF>,
}

impl WindowUDFImpl for Shifted {
    fn name(&self) -> &str {
        self.stock.name()
    }

    fn aliases(&self) -> &[String] {
        self.stock.aliases()
    }

    fn signature(&self) -> &Signature {
        self.stock.signature()
    }

    fn expressions(&self, args: ExpressionArgs) -> Vec<Arc<dyn PhysicalExpr>> {
        self.stock.inner().expressions(args)
    }

    fn partition_evaluator(&self, args: PartitionEvaluatorArgs) -> Result<Box<dyn PartitionEvaluator>> {
        let ignores_nulls = args.ignore_nulls();
        let stock = self.stock.inner().partition_evaluator(args)?;
        Ok(match ignores_nulls && !stock.is_causal() {
            true => Box::new(AtOnce(stock)),
            false => stock,
        })
    }

    fn field(&self, args: WindowUDFFieldArgs) -> Result<FieldRef> {
        self.stock.inner().field(args)
    }

    fn coerce_types(&self, types: &[DataType]) -> Result<Vec<DataType>> {
        self.stock.inner().coerce_types(types)
    }

    fn reverse_expr(&self) -> ReversedUDWF {
        match self.stock.inner().reverse_expr() {
            ReversedUDWF::Reversed(stock) => ReversedUDWF::Reversed(shifted(stock)),
            other => other,
        }
    }

    fn documentation(&self) -> Option<&Documentation> {
        self.stock.inner().documentation()
    }

    fn limit_effect(&self, args: &[Arc<dyn PhysicalExpr>]) -> LimitEffect {
        self.stock.inner().limit_effect(args)
    }
}

/// Answers for all rows of a partition at once.
#[derive(Debug)]
struct AtOnce(Box<dyn PartitionEvaluator>);

impl PartitionEvaluator for AtOnce {
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
    use arrow::datatypes::{Field, Schema};
    use datafusion::physical_expr::expressions::{Column, lit};
    use datafusion::scalar::ScalarValue;

    use super::*;

    /// `lead(v, 2) IGNORE NULLS` at the third row of a partition that is evaluated row by row.
    fn third_row(function: &WindowUDF) -> ScalarValue {
        let schema = Schema::new(vec![Field::new("v", DataType::Int32, true)]);
        let exprs: Vec<Arc<dyn PhysicalExpr>> =
            vec![Arc::new(Column::new_with_schema("v", &schema).unwrap()), lit(2i64)];
        let fields = [Arc::new(schema.field(0).clone()), Arc::new(Field::new("n", DataType::Int64, false))];
        let args = PartitionEvaluatorArgs::new(&exprs, &fields, false, true);
        let mut evaluator = function.inner().partition_evaluator(args).unwrap();
        let known = [Some(10), Some(20), Some(30), Some(40), None, None, Some(70)];
        let column: ArrayRef = Arc::new(Int32Array::from(known.to_vec()));
        if !evaluator.supports_bounded_execution() {
            let all = evaluator.evaluate_all(&[column], known.len()).unwrap();
            return ScalarValue::try_from_array(&all, 2).unwrap();
        }
        let mut found = ScalarValue::Null;
        for row in 0..3 {
            let range = evaluator.get_range(row, known.len()).unwrap();
            found = evaluator.evaluate(&[Arc::clone(&column)], &range).unwrap();
        }
        found
    }

    /// When the first line fails the stock functions know it themselves, and ours can go.
    #[test]
    fn the_stock_function_still_loses_what_is_behind_a_gap() {
        assert_eq!(third_row(&lead_udwf()), ScalarValue::Int32(None));
        assert_eq!(third_row(&udwfs()[0]), ScalarValue::Int32(Some(70)));
    }
}
