//! A built-in function with other types, kernels or names. What a wrapper does not define is that of the built-in function.

use std::fmt::Debug;
use std::hash::Hash;

use datafusion::logical_expr::Documentation;
use datafusion::logical_expr::interval_arithmetic::Interval;
use datafusion::logical_expr::preimage::PreimageResult;
use datafusion::logical_expr::simplify::{ExprSimplifyResult, SimplifyContext};
use datafusion::logical_expr::sort_properties::{ExprProperties, SortProperties};
use quarry_runtime::check_stopped;

use crate::prelude::*;

/// What differs from the built-in function.
pub(crate) trait Wrapper: Debug + Eq + Hash + Send + Sync + 'static {
    /// Whether [`Wrapper::coerce_types`] takes the place of the built-in signature.
    const OWN_TYPES: bool = false;
    /// Whether the optimizer may use what it knows of the built-in function: its order, bounds and simplifications.
    const KEEPS_PROPERTIES: bool = true;

    fn keeps_properties(&self) -> bool {
        Self::KEEPS_PROPERTIES
    }

    fn aliases<'a>(&'a self, builtin: &'a ScalarUDF) -> &'a [String] {
        builtin.aliases()
    }

    fn coerce_types(&self, builtin: &ScalarUDF, types: &[DataType]) -> Result<Vec<DataType>> {
        builtin.coerce_types(types)
    }

    fn return_type(&self, builtin: &ScalarUDF, types: &[DataType]) -> Result<DataType> {
        builtin.return_type(types)
    }

    fn return_field(&self, builtin: &ScalarUDF, args: ReturnFieldArgs) -> Result<FieldRef> {
        builtin.return_field_from_args(args)
    }

    fn invoke(&self, builtin: &ScalarUDF, args: ScalarFunctionArgs) -> Result<ColumnarValue> {
        builtin.invoke_with_args(args)
    }

    fn simplify(&self, builtin: &ScalarUDF, args: Vec<Expr>, context: &SimplifyContext) -> Result<ExprSimplifyResult> {
        match self.keeps_properties() {
            true => builtin.simplify(args, context),
            false => Ok(ExprSimplifyResult::Original(args)),
        }
    }
}

pub(crate) fn wrapped<W: Wrapper>(builtin: impl Into<Arc<ScalarUDF>>, wrapper: W) -> ScalarUDF {
    let builtin = builtin.into();
    let signature = match W::OWN_TYPES {
        true => Signature::user_defined(builtin.signature().volatility),
        false => builtin.signature().clone(),
    };
    ScalarUDF::new_from_impl(Wrapped { builtin, wrapper, signature })
}

#[derive(Debug, PartialEq, Eq, Hash)]
pub(super) struct Wrapped<W> {
    pub builtin: Arc<ScalarUDF>,
    pub wrapper: W,
    signature: Signature,
}

impl<W: Wrapper> ScalarUDFImpl for Wrapped<W> {
    fn name(&self) -> &str {
        self.builtin.name()
    }

    fn aliases(&self) -> &[String] {
        self.wrapper.aliases(&self.builtin)
    }

    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn coerce_types(&self, types: &[DataType]) -> Result<Vec<DataType>> {
        self.wrapper.coerce_types(&self.builtin, types)
    }

    fn return_type(&self, types: &[DataType]) -> Result<DataType> {
        self.wrapper.return_type(&self.builtin, types)
    }

    fn return_field_from_args(&self, args: ReturnFieldArgs) -> Result<FieldRef> {
        self.wrapper.return_field(&self.builtin, args)
    }

    fn invoke_with_args(&self, args: ScalarFunctionArgs) -> Result<ColumnarValue> {
        check_stopped()?;
        self.wrapper.invoke(&self.builtin, args)
    }

    fn simplify(&self, args: Vec<Expr>, context: &SimplifyContext) -> Result<ExprSimplifyResult> {
        self.wrapper.simplify(&self.builtin, args, context)
    }

    fn preimage(&self, args: &[Expr], literal: &Expr, context: &SimplifyContext) -> Result<PreimageResult> {
        match self.wrapper.keeps_properties() {
            true => self.builtin.preimage(args, literal, context),
            false => Ok(PreimageResult::None),
        }
    }

    fn short_circuits(&self) -> bool {
        self.wrapper.keeps_properties() && self.builtin.short_circuits()
    }

    fn conditional_arguments<'a>(&self, args: &'a [Expr]) -> Option<(Vec<&'a Expr>, Vec<&'a Expr>)> {
        let builtin = &self.builtin;
        self.wrapper.keeps_properties().then(|| builtin.conditional_arguments(args)).flatten()
    }

    fn evaluate_bounds(&self, inputs: &[&Interval]) -> Result<Interval> {
        match self.wrapper.keeps_properties() {
            true => self.builtin.evaluate_bounds(inputs),
            false => Interval::make_unbounded(&DataType::Null),
        }
    }

    fn output_ordering(&self, inputs: &[ExprProperties]) -> Result<SortProperties> {
        match self.wrapper.keeps_properties() {
            true => self.builtin.output_ordering(inputs),
            false => Ok(SortProperties::Unordered),
        }
    }

    fn documentation(&self) -> Option<&Documentation> {
        self.builtin.documentation()
    }
}
