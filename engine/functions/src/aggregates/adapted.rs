//! Built-in aggregates that may be called with bytes and 256-bit numbers, and their names in other dialects.

use std::any::Any;

use datafusion::logical_expr::function::{AccumulatorArgs, StateFieldsArgs};
use datafusion::logical_expr::type_coercion::functions::fields_with_udf;
use datafusion::logical_expr::utils::AggregateOrderSensitivity;
use datafusion::logical_expr::{
    Accumulator, AggregateUDF, AggregateUDFImpl, Documentation, GroupsAccumulator, ReversedUDAF, SetMonotonicity,
};

use super::methods::as_builtin;
use super::sliding::recomputed;
use crate::prelude::*;
use crate::wrappers::adapt::{Coercion, any_arguments, retyped, unless_converted};

/// A built-in aggregate whose groups accumulator subtracts sums of squares, which loses all digits of numbers far from zero.
/// Its accumulator of one group is right, and is used for every group.
pub(crate) const IMPRECISE: &str = "corr";

/// Sorts its texts itself, so that two of them in one query may have two orders.
const SORTS: &str = "string_agg";

/// Whether an aggregate takes two values.
fn takes_pairs(builtin: &str) -> bool {
    builtin == "corr" || builtin.starts_with("covar_") || builtin.starts_with("regr_")
}

/// A built-in aggregate that takes more types, under more names.
pub(crate) fn adapted(builtin: &Arc<AggregateUDF>, takes: Coercion, aliases: &[&str]) -> Arc<AggregateUDF> {
    let mut all = builtin.aliases().to_vec();
    all.extend(aliases.iter().map(|alias| alias.to_string()));
    let adapted = Adapted { builtin: builtin.clone(), takes, aliases: all, signature: any_arguments() };
    Arc::new(AggregateUDF::new_from_impl(adapted))
}

#[derive(Debug, PartialEq, Eq, Hash)]
struct Adapted {
    builtin: Arc<AggregateUDF>,
    takes: Coercion,
    aliases: Vec<String>,
    signature: Signature,
}

/// The arguments of an adapted aggregate after coercion; `None` for other aggregates.
pub fn argument_fields(function: &AggregateUDF, types: &[DataType]) -> Option<Vec<FieldRef>> {
    let function: &dyn Any = function.inner().as_ref();
    function.downcast_ref::<Adapted>()?.argument_fields(types).ok()
}

impl Adapted {
    /// The arguments as the built-in function takes them. Only the values are adapted; a percentile or a separator after them
    /// keeps its type.
    fn argument_fields(&self, types: &[DataType]) -> Result<Vec<FieldRef>> {
        let mut fields = self.takes.adapt_all(types);
        let values = if takes_pairs(self.builtin.name()) { 2 } else { 1 };
        for (field, from) in fields.iter_mut().zip(types).skip(values) {
            *field = Arc::new(field.as_ref().clone().with_data_type(from.clone()));
        }
        fields_with_udf(&fields, self.builtin.as_ref())
    }

    /// The built-in aggregates of several arguments accept DISTINCT and ignore it.
    fn refuse_distinct(&self, is_distinct: bool) -> Result<()> {
        let name = self.builtin.name();
        match is_distinct && (takes_pairs(name) || name.starts_with("approx_percentile")) {
            true => Err(invalid(format!("{name} does not support DISTINCT; select the distinct values first."))),
            false => Ok(()),
        }
    }
}

impl AggregateUDFImpl for Adapted {
    as_builtin! {
        name() -> &str;
        is_nullable() -> bool;
        state_fields(args: StateFieldsArgs) -> Result<Vec<FieldRef>>;
        default_value(data_type: &DataType) -> Result<ScalarValue>;
        supports_null_handling_clause() -> bool;
        supports_within_group_clause() -> bool;
        set_monotonicity(data_type: &DataType) -> SetMonotonicity;
        documentation() -> Option<&Documentation>;
    }

    fn aliases(&self) -> &[String] {
        &self.aliases
    }

    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn coerce_types(&self, types: &[DataType]) -> Result<Vec<DataType>> {
        let taken = self.argument_fields(types)?;
        Ok(types.iter().zip(taken).map(|(from, field)| unless_converted(from, field.data_type())).collect())
    }

    fn return_type(&self, types: &[DataType]) -> Result<DataType> {
        let types: Vec<DataType> = self.argument_fields(types)?.iter().map(|field| field.data_type().clone()).collect();
        self.builtin.return_type(&types)
    }

    fn return_field(&self, fields: &[FieldRef]) -> Result<FieldRef> {
        let types: Vec<DataType> = fields.iter().map(|field| field.data_type().clone()).collect();
        let taken = self.argument_fields(&types)?;
        let fields: Vec<FieldRef> = fields.iter().zip(taken).map(|(field, to)| retyped(field, &to)).collect();
        self.builtin.return_field(&fields)
    }

    fn accumulator(&self, args: AccumulatorArgs) -> Result<Box<dyn Accumulator>> {
        self.refuse_distinct(args.is_distinct)?;
        self.builtin.accumulator(args)
    }

    fn create_sliding_accumulator(&self, args: AccumulatorArgs) -> Result<Box<dyn Accumulator>> {
        self.refuse_distinct(args.is_distinct)?;
        recomputed::sliding(&self.builtin, args)
    }

    fn groups_accumulator_supported(&self, args: AccumulatorArgs) -> bool {
        self.builtin.name() != IMPRECISE && self.builtin.groups_accumulator_supported(args)
    }

    fn create_groups_accumulator(&self, args: AccumulatorArgs) -> Result<Box<dyn GroupsAccumulator>> {
        self.refuse_distinct(args.is_distinct)?;
        self.builtin.create_groups_accumulator(args)
    }

    fn order_sensitivity(&self) -> AggregateOrderSensitivity {
        match self.builtin.name() {
            SORTS => AggregateOrderSensitivity::SoftRequirement,
            _ => self.builtin.order_sensitivity(),
        }
    }

    fn with_beneficial_ordering(self: Arc<Self>, _: bool) -> Result<Option<Arc<dyn AggregateUDFImpl>>> {
        Ok((self.builtin.name() == SORTS).then_some(self as Arc<dyn AggregateUDFImpl>))
    }

    fn reverse_expr(&self) -> ReversedUDAF {
        match self.builtin.name() {
            SORTS => ReversedUDAF::NotSupported,
            _ => self.builtin.reverse_udf(),
        }
    }
}
