//! Functions that stand for an expression of others, as a SQL macro does: what functions are called in other products, and what
//! is a short expression here.
//!
//! A query is planned with calls of them, so that arguments are planned once and errors name what was written. One step puts the
//! expressions in their place, before the other steps look at functions.

use std::any::Any;
use std::cell::Cell;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use arrow::datatypes::{DataType, FieldRef};
use datafusion::common::config::ConfigOptions;
use datafusion::common::tree_node::{Transformed, TreeNode, TreeNodeRecursion};
use datafusion::common::{Column, DFSchema, DataFusionError, Result, internal_err};
use datafusion::logical_expr::expr::{BinaryExpr, FieldMetadata, Placeholder};
use datafusion::logical_expr::{
    ColumnarValue, Documentation, Expr, ExprSchemable, LogicalPlan, ReturnFieldArgs, ScalarFunctionArgs, ScalarUDF,
    ScalarUDFImpl, Signature, TypeSignature, Volatility,
};
use datafusion::optimizer::AnalyzerRule;
use quarry_functions::pass::every_part;
use quarry_types::{Error, ErrorCode};

use super::compared::operated;

/// Most expressions that a query may get more while functions are written out. Planning takes some seconds for so many.
pub const MAX_ADDED: usize = 20_000;

/// The error when they are more.
pub fn too_many_added() -> Error {
    let message =
        "Functions that are written out stand in one another too often; compute some of them in a query in FROM.";
    Error::new(ErrorCode::TooComplex, message)
}

/// The error for a volatile expression that would be evaluated more than once.
pub fn asked_again() -> Error {
    let message = "What is another value each time it is asked for is asked for more than once here; compute it in a query in \
                   FROM.";
    Error::new(ErrorCode::InvalidQuery, message)
}

/// A function that is another one, or an expression for each number of arguments.
#[derive(Debug)]
pub struct Macro {
    name: String,
    aliases: Vec<String>,
    bodies: Vec<Body>,
    /// What is called with any other number of arguments.
    otherwise: Option<Arc<ScalarUDF>>,
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
        otherwise: Option<Arc<ScalarUDF>>,
        documentation: Option<Documentation>,
    ) -> Result<ScalarUDF> {
        let (volatility, counts) = match &otherwise {
            Some(function) => {
                (function.signature().volatility, vec![TypeSignature::VariadicAny, TypeSignature::Nullary])
            }
            None => (Volatility::Immutable, bodies.iter().map(|(count, _)| TypeSignature::Any(*count)).collect()),
        };
        let bodies = bodies.into_iter().map(|(count, expr)| {
            let mut uses = vec![0; count];
            expr.apply(|part| {
                if let Some(uses) = place(part).and_then(|place| uses.get_mut(place)) {
                    *uses += 1;
                }
                Ok(TreeNodeRecursion::Continue)
            })?;
            Ok(Body { expr, uses })
        });
        let bodies = bodies.collect::<Result<_>>()?;
        let signature = Signature::one_of(counts, volatility);
        let name = name.to_string();
        Ok(ScalarUDF::new_from_impl(Macro { name, aliases, bodies, otherwise, signature, documentation }))
    }

    fn downcast(function: &ScalarUDF) -> Option<&Macro> {
        (function.inner().as_ref() as &dyn Any).downcast_ref()
    }

    /// The expression that a call stands for; `added` counts what arguments that stand there more than once add to the plan.
    fn expanded(&self, args: Vec<Expr>, schema: &DFSchema, added: &Cell<usize>) -> Result<Expr> {
        let Some(Body { expr, uses }) = self.bodies.iter().find(|body| body.uses.len() == args.len()) else {
            return match &self.otherwise {
                Some(function) => Ok(function.call(args)),
                None => internal_err!("{} has no such number of arguments", self.name),
            };
        };
        for (arg, uses) in args.iter().zip(uses).filter(|(_, uses)| **uses > 1) {
            if arg.is_volatile() {
                return Err(DataFusionError::External(Box::new(asked_again())));
            }
            added.set(added.get().saturating_add(size(arg)?.saturating_mul(uses - 1)));
        }
        if added.get() > MAX_ADDED {
            return Err(DataFusionError::External(Box::new(too_many_added())));
        }
        let filled = expr.clone().transform_up(|part| match part {
            // Operators decide types, which the body did not know.
            Expr::BinaryExpr(BinaryExpr { left, op, right }) => operated(*left, op, *right, schema),
            part => Ok(match place(&part).and_then(|place| args.get(place)) {
                Some(arg) => Transformed::yes(arg.clone()),
                None => Transformed::no(part),
            }),
        })?;
        Ok(filled.data)
    }
}

/// Which argument a placeholder stands for, from 0.
fn place(part: &Expr) -> Option<usize> {
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

// Names are unique among functions, so they stand for the whole.
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
        internal_err!("{} has the field of what it stands for", self.name)
    }

    /// The field of the expression over columns that are like the arguments.
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
        let field = self.expanded(likes.collect(), &schema, &Cell::new(0))?.to_field(&schema)?.1;
        Ok(field)
    }

    fn invoke_with_args(&self, _: ScalarFunctionArgs) -> Result<ColumnarValue> {
        internal_err!("{} was not replaced by what it stands for", self.name)
    }

    fn documentation(&self) -> Option<&Documentation> {
        self.documentation.as_ref()
    }
}

/// The step that puts expressions in the place of calls.
#[derive(Debug)]
pub struct Macros;

impl AnalyzerRule for Macros {
    fn name(&self) -> &str {
        "macros"
    }

    fn analyze(&self, plan: LogicalPlan, _: &ConfigOptions) -> Result<LogicalPlan> {
        let added = Cell::new(0);
        every_part(plan, |part, schema| {
            let Expr::ScalarFunction(call) = part else { return Ok(Transformed::no(part)) };
            let function = call.func.clone();
            match Macro::downcast(&function) {
                Some(function) => function.expanded(call.args, schema, &added).map(Transformed::yes),
                None => Ok(Transformed::no(Expr::ScalarFunction(call))),
            }
        })
    }
}
