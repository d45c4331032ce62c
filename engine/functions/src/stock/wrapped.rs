//! A stock function that does something of ours besides. What a wrapper says nothing about is the stock function's own.

use std::fmt::Debug;
use std::hash::Hash;

use arrow::datatypes::{DataType, FieldRef};
use datafusion::common::Result;
use datafusion::logical_expr::interval_arithmetic::Interval;
use datafusion::logical_expr::preimage::PreimageResult;
use datafusion::logical_expr::simplify::{ExprSimplifyResult, SimplifyContext};
use datafusion::logical_expr::sort_properties::{ExprProperties, SortProperties};
use datafusion::logical_expr::{
    ColumnarValue, Documentation, Expr, ReturnFieldArgs, ScalarFunctionArgs, ScalarUDF, ScalarUDFImpl, Signature,
};

use quarry_runtime::check_stopped;

/// What is another one than of the stock function.
pub(crate) trait Wrapper: Debug + Eq + Hash + Send + Sync + 'static {
    /// Whether [`Wrapper::coerce_types`] looks at the arguments in the place of the stock signature.
    const OWN_TYPES: bool = false;
    /// Whether what the optimizer knows of the stock function holds of this one.
    const KNOWN: bool = true;

    fn stock(&self) -> &ScalarUDF;

    fn aliases(&self) -> &[String] {
        self.stock().aliases()
    }

    fn coerce_types(&self, types: &[DataType]) -> Result<Vec<DataType>> {
        self.stock().coerce_types(types)
    }

    fn return_type(&self, types: &[DataType]) -> Result<DataType> {
        self.stock().return_type(types)
    }

    fn return_field(&self, args: ReturnFieldArgs) -> Result<FieldRef> {
        self.stock().return_field_from_args(args)
    }

    fn invoke(&self, args: ScalarFunctionArgs) -> Result<ColumnarValue> {
        self.stock().invoke_with_args(args)
    }

    fn simplify(&self, args: Vec<Expr>, context: &SimplifyContext) -> Result<ExprSimplifyResult> {
        match Self::KNOWN {
            true => self.stock().simplify(args, context),
            false => Ok(ExprSimplifyResult::Original(args)),
        }
    }
}

/// The function that a wrapper makes of its stock function.
pub(crate) fn wrapped<W: Wrapper>(wrapper: W) -> ScalarUDF {
    let stock = wrapper.stock().signature();
    let signature = if W::OWN_TYPES { Signature::user_defined(stock.volatility) } else { stock.clone() };
    ScalarUDF::new_from_impl(Wrapped { wrapper, signature })
}

#[derive(Debug, PartialEq, Eq, Hash)]
pub(super) struct Wrapped<W> {
    pub wrapper: W,
    signature: Signature,
}

impl<W: Wrapper> ScalarUDFImpl for Wrapped<W> {
    fn name(&self) -> &str {
        self.wrapper.stock().name()
    }

    fn aliases(&self) -> &[String] {
        self.wrapper.aliases()
    }

    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn coerce_types(&self, types: &[DataType]) -> Result<Vec<DataType>> {
        self.wrapper.coerce_types(types)
    }

    fn return_type(&self, types: &[DataType]) -> Result<DataType> {
        self.wrapper.return_type(types)
    }

    fn return_field_from_args(&self, args: ReturnFieldArgs) -> Result<FieldRef> {
        self.wrapper.return_field(args)
    }

    fn invoke_with_args(&self, args: ScalarFunctionArgs) -> Result<ColumnarValue> {
        check_stopped()?;
        self.wrapper.invoke(args)
    }

    fn simplify(&self, args: Vec<Expr>, context: &SimplifyContext) -> Result<ExprSimplifyResult> {
        self.wrapper.simplify(args, context)
    }

    fn preimage(&self, args: &[Expr], literal: &Expr, context: &SimplifyContext) -> Result<PreimageResult> {
        match W::KNOWN {
            true => self.wrapper.stock().preimage(args, literal, context),
            false => Ok(PreimageResult::None),
        }
    }

    fn short_circuits(&self) -> bool {
        W::KNOWN && self.wrapper.stock().short_circuits()
    }

    fn conditional_arguments<'a>(&self, args: &'a [Expr]) -> Option<(Vec<&'a Expr>, Vec<&'a Expr>)> {
        let stock = self.wrapper.stock();
        W::KNOWN.then(|| stock.conditional_arguments(args)).flatten()
    }

    fn evaluate_bounds(&self, inputs: &[&Interval]) -> Result<Interval> {
        match W::KNOWN {
            true => self.wrapper.stock().evaluate_bounds(inputs),
            false => Interval::make_unbounded(&DataType::Null),
        }
    }

    fn output_ordering(&self, inputs: &[ExprProperties]) -> Result<SortProperties> {
        match W::KNOWN {
            true => self.wrapper.stock().output_ordering(inputs),
            false => Ok(SortProperties::Unordered),
        }
    }

    fn documentation(&self) -> Option<&Documentation> {
        self.wrapper.stock().documentation()
    }
}
