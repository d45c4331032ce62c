//! SQL macros: functions that are expanded into an expression of other functions. They are functions of other products that have
//! another name here, or are a short expression.
//!
//! The SQL planner plans calls of them, so that arguments are planned once and errors name the function of the query. One rule
//! expands them, before the other rules look at functions.

use std::any::Any;
use std::cell::Cell;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use arrow::datatypes::{DataType, FieldRef};
use datafusion::common::config::ConfigOptions;
use datafusion::common::tree_node::{Transformed, TreeNodeRecursion};
use datafusion::common::{Column, DFSchema, DataFusionError, Result, internal_err};
use datafusion::logical_expr::expr::{BinaryExpr, FieldMetadata, Placeholder};
use datafusion::logical_expr::{
    ColumnarValue, Documentation, Expr, ExprSchemable, LogicalPlan, ReturnFieldArgs, ScalarFunctionArgs, ScalarUDF,
    ScalarUDFImpl, Signature, TypeSignature, Volatility,
};
use datafusion::optimizer::AnalyzerRule;
use quarry_functions::plan_rewrite::rewrite_all_expressions;
use quarry_types::{Error, ErrorCode};

use super::coercion::typed_operator;
use quarry_functions::tree_walk::TreeWalk;

/// Most expressions that the expansion of macros may add to a query. Planning takes some seconds for so many.
pub const MAX_ADDED: usize = 20_000;

/// The error when they are more.
pub fn too_many_added() -> Error {
    let message = "Nested function calls expand to too many expressions; compute some of them in a subquery in FROM.";
    Error::new(ErrorCode::TooComplex, message)
}

/// The error for a volatile expression that would be evaluated more than once.
pub fn repeated_volatile_argument() -> Error {
    let message = "A volatile expression would be evaluated more than once here; compute it in a subquery in FROM.";
    Error::new(ErrorCode::InvalidQuery, message)
}

/// A function that is expanded into another one, or into an expression for each number of arguments.
#[derive(Debug)]
pub struct Macro {
    name: String,
    aliases: Vec<String>,
    bodies: Vec<Body>,
    /// The function for any other number of arguments.
    fallback: Option<Arc<ScalarUDF>>,
    signature: Signature,
    documentation: Option<Documentation>,
}

#[derive(Debug)]
struct Body {
    /// `$1` is the first argument.
    expr: Expr,
    /// How many times each argument occurs in it.
    uses: Vec<usize>,
}

impl Macro {
    /// A function by its numbers of arguments and the expressions for these, with `$1` for the first argument, and the function
    /// that is called with other numbers of them.
    pub fn udf(
        name: &str,
        aliases: Vec<String>,
        bodies: Vec<(usize, Expr)>,
        fallback: Option<Arc<ScalarUDF>>,
        documentation: Option<Documentation>,
    ) -> Result<ScalarUDF> {
        let (volatility, counts) = match &fallback {
            Some(function) => {
                (function.signature().volatility, vec![TypeSignature::VariadicAny, TypeSignature::Nullary])
            }
            None => (Volatility::Immutable, bodies.iter().map(|(count, _)| TypeSignature::Any(*count)).collect()),
        };
        let bodies = bodies.into_iter().map(|(count, expr)| {
            let mut uses = vec![0; count];
            expr.apply(|part| {
                if let Some(uses) = argument_index(part).and_then(|index| uses.get_mut(index)) {
                    *uses += 1;
                }
                Ok(TreeNodeRecursion::Continue)
            })?;
            Ok(Body { expr, uses })
        });
        let bodies = bodies.collect::<Result<_>>()?;
        let signature = Signature::one_of(counts, volatility);
        let name = name.to_string();
        Ok(ScalarUDF::new_from_impl(Macro { name, aliases, bodies, fallback, signature, documentation }))
    }

    /// The function that a plan has where a query calls this one: the same, or the function that a macro calls for other numbers
    /// of arguments; `None` for a macro that is always expanded into an expression.
    pub fn called(function: &Arc<ScalarUDF>) -> Option<&Arc<ScalarUDF>> {
        match Macro::downcast(function) {
            Some(expanded) => expanded.fallback.as_ref(),
            None => Some(function),
        }
    }

    fn downcast(function: &ScalarUDF) -> Option<&Macro> {
        (function.inner().as_ref() as &dyn Any).downcast_ref()
    }

    /// Expands a call; `added` counts the expressions that repeated arguments add to the plan.
    fn expand(&self, args: Vec<Expr>, schema: &DFSchema, added: &Cell<usize>) -> Result<Expr> {
        let Some(Body { expr, uses }) = self.bodies.iter().find(|body| body.uses.len() == args.len()) else {
            return match &self.fallback {
                Some(function) => Ok(function.call(args)),
                None => internal_err!("{} has no such number of arguments", self.name),
            };
        };
        for (arg, uses) in args.iter().zip(uses).filter(|(_, uses)| **uses > 1) {
            if arg.is_volatile() {
                return Err(DataFusionError::External(Box::new(repeated_volatile_argument())));
            }
            added.set(added.get().saturating_add(size(arg)?.saturating_mul(uses - 1)));
        }
        if added.get() > MAX_ADDED {
            return Err(DataFusionError::External(Box::new(too_many_added())));
        }
        let expanded = expr.clone().transform_up(|part| match part {
            // The types of the operands were not known in the body.
            Expr::BinaryExpr(BinaryExpr { left, op, right }) => typed_operator(*left, op, *right, schema),
            part => Ok(match argument_index(&part).and_then(|index| args.get(index)) {
                Some(arg) => Transformed::yes(arg.clone()),
                None => Transformed::no(part),
            }),
        })?;
        Ok(expanded.data)
    }
}

/// The index of the argument of a placeholder.
fn argument_index(part: &Expr) -> Option<usize> {
    match part {
        Expr::Placeholder(Placeholder { id, .. }) => id.strip_prefix('$')?.parse::<usize>().ok()?.checked_sub(1),
        _ => None,
    }
}

/// How many expressions one is made of.
fn size(expr: &Expr) -> Result<usize> {
    let mut size = 0;
    expr.apply(|_| {
        size += 1;
        Ok(TreeNodeRecursion::Continue)
    })?;
    Ok(size)
}

// Names are unique among functions, so they identify them.
impl PartialEq for Macro {
    fn eq(&self, other: &Macro) -> bool {
        self.name == other.name
    }
}

impl Eq for Macro {}

impl Hash for Macro {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.name.hash(state);
    }
}

impl ScalarUDFImpl for Macro {
    fn name(&self) -> &str {
        &self.name
    }

    fn aliases(&self) -> &[String] {
        &self.aliases
    }

    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn return_type(&self, _: &[DataType]) -> Result<DataType> {
        internal_err!("{} has the field of its expansion", self.name)
    }

    /// The field of the expanded expression over columns with the fields of the arguments.
    fn return_field_from_args(&self, args: ReturnFieldArgs) -> Result<FieldRef> {
        let name = |index: usize| format!("argument_{index}");
        let columns = args.arg_fields.iter().enumerate();
        let columns = columns.map(|(index, field)| Arc::new(field.as_ref().clone().with_name(name(index))));
        let schema = DFSchema::from_unqualified_fields(columns.collect::<Vec<FieldRef>>().into(), Default::default())?;
        let likes = args.scalar_arguments.iter().zip(args.arg_fields).enumerate();
        let likes = likes.map(|(index, (literal, field))| match literal {
            Some(value) => {
                let metadata = (!field.metadata().is_empty()).then(|| FieldMetadata::from(field.as_ref()));
                Expr::Literal((*value).clone(), metadata)
            }
            None => Expr::Column(Column::new_unqualified(name(index))),
        });
        let field = self.expand(likes.collect(), &schema, &Cell::new(0))?.to_field(&schema)?.1;
        Ok(field)
    }

    fn invoke_with_args(&self, _: ScalarFunctionArgs) -> Result<ColumnarValue> {
        internal_err!("{} was not expanded", self.name)
    }

    fn documentation(&self) -> Option<&Documentation> {
        self.documentation.as_ref()
    }
}

/// Replaces calls of macros by their expressions.
#[derive(Debug)]
pub struct ExpandMacros;

impl AnalyzerRule for ExpandMacros {
    fn name(&self) -> &str {
        "expand_macros"
    }

    fn analyze(&self, plan: LogicalPlan, _: &ConfigOptions) -> Result<LogicalPlan> {
        let added = Cell::new(0);
        rewrite_all_expressions(plan, |part, schema| {
            let Expr::ScalarFunction(call) = part else { return Ok(Transformed::no(part)) };
            let function = call.func.clone();
            match Macro::downcast(&function) {
                Some(function) => function.expand(call.args, schema, &added).map(Transformed::yes),
                None => Ok(Transformed::no(Expr::ScalarFunction(call))),
            }
        })
    }
}
