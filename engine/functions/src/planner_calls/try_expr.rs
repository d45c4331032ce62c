//! `try(expression)`: null where the expression fails, as in Trino.
//!
//! A function never sees how its arguments fail. So the last rule on the plan hides the expression inside a function whose
//! arguments are the columns that it reads: no rule can move a part of it out, fold it or share it, and it is evaluated where the
//! failure can be caught. A batch that fails is evaluated in halves, down to the rows that fail.

use std::any::Any;
use std::collections::HashSet;
use std::hash::{Hash, Hasher};

use arrow::array::{RecordBatch, RecordBatchOptions, new_null_array};
use arrow::compute::concat;
use arrow::datatypes::SchemaRef;
use arrow::error::ArrowError;
use datafusion::common::config::ConfigOptions;
use datafusion::common::tree_node::{Transformed, TreeNodeRecursion};
use datafusion::common::{Column, DFSchema};
use datafusion::execution::context::ExecutionProps;
use datafusion::logical_expr::physical_planning_context::PhysicalPlanningContext;
use datafusion::logical_expr::simplify::SimplifyContext;
use datafusion::logical_expr::{ExprSchemable, LogicalPlan};
use datafusion::optimizer::AnalyzerRule;
use datafusion::optimizer::simplify_expressions::ExprSimplifier;
use datafusion::physical_expr::{PhysicalExpr, create_physical_expr};
use quarry_types::Error;

use crate::plan_rewrite::rewrite_all_expressions;
use crate::prelude::*;
use crate::scalar_udf::KernelUdf;
use crate::tree_walk::TreeWalk;

const NAME: &str = "try";

/// The function as people call it; [`CompileTry`] replaces it.
pub(super) fn udf() -> ScalarUDF {
    doc(
        "try(expression)",
        "The value of an expression, or null if it fails: a division by zero, a number out of range, a cast or a string that can't be parsed.",
        "select coalesce(try(number / 0), -1) from blocks limit 1",
    )
    .udf(1..=1, |args| Ok(nullable(&args.arg_fields[0])), |_, _| Err(invalid("try can't be used here.")))
}

/// An expression that is null where it fails.
pub fn try_call(expr: Expr) -> Expr {
    shared!(udf()).call(vec![expr])
}

fn nullable(field: &FieldRef) -> FieldRef {
    Arc::new(field.as_ref().clone().with_nullable(true))
}

/// Replaces calls of `try` by functions that catch failures; it runs when all types and operators are final.
#[derive(Debug)]
pub struct CompileTry;

impl AnalyzerRule for CompileTry {
    fn name(&self) -> &str {
        "tries"
    }

    fn analyze(&self, plan: LogicalPlan, options: &ConfigOptions) -> Result<LogicalPlan> {
        rewrite_all_expressions(plan, |expr, schema| match expr {
            Expr::ScalarFunction(call) if is_try(&call.func) => {
                TryUdf::call(&call.args[0], schema, options).map(Transformed::yes)
            }
            other => Ok(Transformed::no(other)),
        })
    }
}

/// Whether a function is the one that people call; [`TryUdf`] has the same name.
fn is_try(function: &ScalarUDF) -> bool {
    let inner: &dyn Any = function.inner().as_ref();
    inner.is::<KernelUdf>() && function.name() == NAME
}

/// An expression over its own small schema, as a function of the columns that it reads.
#[derive(Debug, Clone)]
pub struct TryExpr {
    pub expr: Arc<dyn PhysicalExpr>,
    /// The columns that the expression reads; the function takes one argument for each.
    pub schema: SchemaRef,
    pub returns: FieldRef,
    /// Whether the expression may have another value each time.
    pub volatile: bool,
}

impl TryExpr {
    /// The function of these parts.
    pub(crate) fn udf(self) -> ScalarUDF {
        let volatility = if self.volatile { Volatility::Volatile } else { Volatility::Immutable };
        let signature = match self.schema.fields().len() {
            0 => Signature::nullary(volatility),
            count => Signature::any(count, volatility),
        };
        ScalarUDF::new_from_impl(TryUdf { parts: self, signature })
    }

    /// The parts of such a function; `None` for other functions, also for the `try` that people call.
    pub(crate) fn from_function(function: &ScalarUDF) -> Option<&TryExpr> {
        function.inner().downcast_ref::<TryUdf>().map(|function| &function.parts)
    }
}

/// What [`CompileTry`] puts in the place of `try`.
#[derive(Debug)]
struct TryUdf {
    parts: TryExpr,
    signature: Signature,
}

impl TryUdf {
    /// The call that replaces `try(expr)`.
    fn call(expr: &Expr, schema: &DFSchema, options: &ConfigOptions) -> Result<Expr> {
        let returns = nullable(&expr.to_field(schema)?.1);
        let mut reads = Reads::new(expr)?;
        let inner = expr.clone().transform_down(|expr| reads.replace(expr))?.data;
        let fields = reads.expressions.iter().map(|read| Ok(nullable(&read.to_field(schema)?.1)));
        let fields = fields.enumerate().map(|(index, field)| {
            field.map(|field: FieldRef| Arc::new(field.as_ref().clone().with_name(column_name(index))))
        });
        let fields = fields.collect::<Result<Vec<FieldRef>>>()?;
        let own = Arc::new(DFSchema::from_unqualified_fields(fields.into(), Default::default())?);
        let volatile = inner.is_volatile();
        // Some functions only run in the form that simplifying gives them. Simplifying may meet the failure itself.
        let context =
            SimplifyContext::builder().with_schema(own.clone()).with_config_options(Arc::new(options.clone())).build();
        let inner = ExprSimplifier::new(context).simplify(inner.clone()).unwrap_or(inner);
        let expr = create_physical_expr(&inner, &own, &ExecutionProps::new(), &PhysicalPlanningContext::default())?;
        let function = TryExpr { expr, schema: own.inner().clone(), returns, volatile };
        Ok(function.udf().call(reads.expressions))
    }

    /// The values of a batch, null in the rows that fail.
    fn values(&self, batch: &RecordBatch) -> Result<ArrayRef> {
        let rows = batch.num_rows();
        match self.parts.expr.evaluate(batch).and_then(|value| value.into_array(rows)) {
            Err(error) if !is_caused_by_values(&error) => Err(error),
            // An expression without columns fails even where there are no rows.
            Err(_) if rows <= 1 => Ok(new_null_array(self.parts.returns.data_type(), rows)),
            Err(_) => {
                let half = rows / 2;
                let halves = [self.values(&batch.slice(0, half))?, self.values(&batch.slice(half, rows - half))?];
                Ok(concat(&[halves[0].as_ref(), halves[1].as_ref()])?)
            }
            done => done,
        }
    }
}

/// Whether the values caused an error; a lack of memory, or our own fault, does not count.
fn is_caused_by_values(error: &DataFusionError) -> bool {
    match error.find_root() {
        DataFusionError::Execution(_) => true,
        DataFusionError::ArrowError(error, _) => matches!(
            error.as_ref(),
            ArrowError::DivideByZero
                | ArrowError::ArithmeticOverflow(_)
                | ArrowError::CastError(_)
                | ArrowError::ParseError(_)
                | ArrowError::ComputeError(_)
                | ArrowError::InvalidArgumentError(_)
        ),
        DataFusionError::External(error) => match error.downcast_ref::<Error>() {
            Some(own) => matches!(own.code, ErrorCode::InvalidQuery | ErrorCode::Arithmetic | ErrorCode::InvalidInput),
            None => error.is::<regex::Error>(),
        },
        _ => false,
    }
}

fn column_name(index: usize) -> String {
    format!("c{index}")
}

/// The columns, subqueries and outer lambda variables that an expression reads, each once.
struct Reads {
    expressions: Vec<Expr>,
    /// The variables of lambdas inside it.
    own_variables: HashSet<String>,
}

impl Reads {
    fn new(expr: &Expr) -> Result<Reads> {
        let mut own_variables = HashSet::new();
        expr.apply(|expr| {
            if let Expr::Lambda(lambda) = expr {
                own_variables.extend(lambda.params.iter().cloned());
            }
            Ok(TreeNodeRecursion::Continue)
        })?;
        Ok(Reads { expressions: Vec::new(), own_variables })
    }

    fn replace(&mut self, expr: Expr) -> Result<Transformed<Expr>> {
        let is_read = match &expr {
            Expr::Column(_)
            | Expr::OuterReferenceColumn(..)
            | Expr::ScalarSubquery(_)
            | Expr::Exists(_)
            | Expr::InSubquery(_)
            | Expr::SetComparison(_) => true,
            Expr::LambdaVariable(variable) => !self.own_variables.contains(&variable.name),
            _ => false,
        };
        if !is_read {
            return Ok(Transformed::no(expr));
        }
        let index = match self.expressions.iter().position(|known| *known == expr) {
            Some(index) => index,
            None => {
                self.expressions.push(expr);
                self.expressions.len() - 1
            }
        };
        let column = Expr::Column(Column::new_unqualified(column_name(index)));
        Ok(Transformed::new(column, true, TreeNodeRecursion::Jump))
    }
}

impl PartialEq for TryUdf {
    fn eq(&self, other: &TryUdf) -> bool {
        let (own, other) = (&self.parts, &other.parts);
        own.expr.eq(&other.expr) && own.schema == other.schema
    }
}

impl Eq for TryUdf {}

impl Hash for TryUdf {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.parts.expr.hash(state);
    }
}

impl ScalarUDFImpl for TryUdf {
    fn name(&self) -> &str {
        NAME
    }

    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn return_type(&self, _: &[DataType]) -> Result<DataType> {
        Ok(self.parts.returns.data_type().clone())
    }

    fn return_field_from_args(&self, _: ReturnFieldArgs) -> Result<FieldRef> {
        Ok(self.parts.returns.clone())
    }

    fn invoke_with_args(&self, args: ScalarFunctionArgs) -> Result<ColumnarValue> {
        let scalar = args.args.iter().all(|arg| matches!(arg, ColumnarValue::Scalar(_)));
        let once = scalar && self.signature.volatility != Volatility::Volatile;
        let rows = if once { 1 } else { args.number_rows };
        let arrays = args.args.into_iter().map(|arg| arg.into_array(rows)).collect::<Result<Vec<ArrayRef>>>()?;
        let options = RecordBatchOptions::new().with_row_count(Some(rows));
        let batch = RecordBatch::try_new_with_options(self.parts.schema.clone(), arrays, &options)?;
        let values = self.values(&batch)?;
        if once {
            return Ok(ColumnarValue::Scalar(ScalarValue::try_from_array(&values, 0)?));
        }
        Ok(ColumnarValue::Array(values))
    }
}

#[cfg(test)]
mod tests {
    use arrow::array::{AsArray, Int64Array};
    use arrow::datatypes::{Field, Int64Type, Schema};
    use datafusion::logical_expr::{cast, col, lit};

    use super::*;

    /// `try(cast(text as bigint) / n)` over as many rows.
    fn tried(text: &str, rows: Vec<i64>) -> Vec<Option<i64>> {
        let schema = Schema::new(vec![Field::new("n", DataType::Int64, false)]);
        let schema = DFSchema::try_from(schema).unwrap();
        let expr = cast(lit(text), DataType::Int64) / col("n");
        let expr = TryUdf::call(&expr, &schema, &ConfigOptions::new()).unwrap();
        let context = PhysicalPlanningContext::default();
        let physical = create_physical_expr(&expr, &schema, &ExecutionProps::new(), &context).unwrap();
        let count = rows.len();
        let batch = RecordBatch::try_new(schema.inner().clone(), vec![Arc::new(Int64Array::from(rows))]).unwrap();
        let values = physical.evaluate(&batch).unwrap().into_array(count).unwrap();
        values.as_primitive::<Int64Type>().iter().collect()
    }

    #[test]
    fn equal_expressions_make_equal_functions() {
        let schema = DFSchema::try_from(Schema::new(vec![Field::new("n", DataType::Int64, false)])).unwrap();
        let divided_by = |divisor: i64| {
            let expr = col("n") / lit(divisor);
            match TryUdf::call(&expr, &schema, &ConfigOptions::new()).unwrap() {
                Expr::ScalarFunction(call) => call.func,
                other => panic!("{other} is not compiled"),
            }
        };
        let function = divided_by(2);
        assert_eq!(divided_by(2), function);
        assert_ne!(divided_by(3), function);
        assert_eq!(TryExpr::from_function(&function).unwrap().clone().udf(), *function);
    }

    #[test]
    fn rows_that_fail_are_null() {
        assert_eq!(tried("40", vec![2, 0, 4]), [Some(20), None, Some(10)]);
        assert_eq!(tried("x", vec![1, 2, 3]), [None; 3]);
        // An expression without columns fails here too, with nothing left to halve.
        assert_eq!(tried("x", Vec::new()), []);
    }
}
