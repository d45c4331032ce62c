//! Stock aggregates that may be handed bytes and 256-bit numbers, and their names in other dialects.

use std::any::Any;
use std::sync::Arc;

use arrow::datatypes::{DataType, FieldRef};
use datafusion::common::{Result, ScalarValue};
use datafusion::logical_expr::function::{AccumulatorArgs, StateFieldsArgs};
use datafusion::logical_expr::type_coercion::functions::fields_with_udf;
use datafusion::logical_expr::utils::AggregateOrderSensitivity;
use datafusion::logical_expr::{
    Accumulator, AggregateUDF, AggregateUDFImpl, Documentation, GroupsAccumulator, ReversedUDAF, SetMonotonicity,
    Signature,
};

use super::exact::recomputed;
use crate::stock::adapt::{Takes, any_arguments, retyped, unless_converted};
use quarry_types::invalid;

/// A stock aggregate that takes sums of squares from each other when it answers for many groups, which leaves nothing
/// of numbers far from zero. What answers for one group is right, and does so for many too.
pub(crate) const IMPRECISE: &str = "corr";

/// Puts its texts in order itself, so that two of them in one query may have two orders.
const SORTS: &str = "string_agg";

/// Whether an aggregate takes two values.
fn of_pairs(stock: &str) -> bool {
    stock == "corr" || stock.starts_with("covar_") || stock.starts_with("regr_")
}

/// A stock aggregate that takes more types, under more names.
pub(crate) fn adapted(stock: &Arc<AggregateUDF>, takes: Takes, aliases: &[&str]) -> Arc<AggregateUDF> {
    let mut all = stock.aliases().to_vec();
    all.extend(aliases.iter().map(|alias| alias.to_string()));
    let adapted = Adapted { stock: stock.clone(), takes, aliases: all, signature: any_arguments() };
    Arc::new(AggregateUDF::new_from_impl(adapted))
}

#[derive(Debug, PartialEq, Eq, Hash)]
struct Adapted {
    stock: Arc<AggregateUDF>,
    takes: Takes,
    aliases: Vec<String>,
    signature: Signature,
}

impl Adapted {
    /// The arguments as the stock function takes them. Only the values are adapted: what follows them (a percentile, a
    /// separator) has a type of its own.
    fn wanted(&self, types: &[DataType]) -> Result<Vec<FieldRef>> {
        let mut fields = self.takes.adapt_all(types);
        let values = if of_pairs(self.stock.name()) { 2 } else { 1 };
        for (field, from) in fields.iter_mut().zip(types).skip(values) {
            *field = Arc::new(field.as_ref().clone().with_data_type(from.clone()));
        }
        fields_with_udf(&fields, self.stock.as_ref())
    }
}

/// As what types an aggregate takes its arguments, when it is one of these.
pub fn wanted(function: &AggregateUDF, types: &[DataType]) -> Option<Vec<FieldRef>> {
    let function: &dyn Any = function.inner().as_ref();
    function.downcast_ref::<Adapted>()?.wanted(types).ok()
}

impl Adapted {
    /// The stock aggregates of several arguments take DISTINCT and pay no heed to it.
    fn refuse_distinct(&self, is_distinct: bool) -> Result<()> {
        let name = self.stock.name();
        match is_distinct && (of_pairs(name) || name.starts_with("approx_percentile")) {
            true => Err(invalid(format!("{name} takes no DISTINCT; select the distinct values first."))),
            false => Ok(()),
        }
    }
}

impl AggregateUDFImpl for Adapted {
    fn name(&self) -> &str {
        self.stock.name()
    }

    fn aliases(&self) -> &[String] {
        &self.aliases
    }

    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn coerce_types(&self, types: &[DataType]) -> Result<Vec<DataType>> {
        let wanted = self.wanted(types)?;
        Ok(types.iter().zip(wanted).map(|(from, field)| unless_converted(from, field.data_type())).collect())
    }

    fn return_type(&self, types: &[DataType]) -> Result<DataType> {
        let types: Vec<DataType> = self.wanted(types)?.iter().map(|field| field.data_type().clone()).collect();
        self.stock.return_type(&types)
    }

    fn return_field(&self, fields: &[FieldRef]) -> Result<FieldRef> {
        let types: Vec<DataType> = fields.iter().map(|field| field.data_type().clone()).collect();
        let wanted = self.wanted(&types)?;
        let fields: Vec<FieldRef> = fields.iter().zip(wanted).map(|(field, to)| retyped(field, &to)).collect();
        self.stock.return_field(&fields)
    }

    fn is_nullable(&self) -> bool {
        self.stock.is_nullable()
    }

    fn state_fields(&self, args: StateFieldsArgs) -> Result<Vec<FieldRef>> {
        self.stock.state_fields(args)
    }

    fn accumulator(&self, args: AccumulatorArgs) -> Result<Box<dyn Accumulator>> {
        self.refuse_distinct(args.is_distinct)?;
        self.stock.accumulator(args)
    }

    fn create_sliding_accumulator(&self, args: AccumulatorArgs) -> Result<Box<dyn Accumulator>> {
        self.refuse_distinct(args.is_distinct)?;
        recomputed::sliding(&self.stock, args)
    }

    fn groups_accumulator_supported(&self, args: AccumulatorArgs) -> bool {
        self.stock.name() != IMPRECISE && self.stock.groups_accumulator_supported(args)
    }

    fn create_groups_accumulator(&self, args: AccumulatorArgs) -> Result<Box<dyn GroupsAccumulator>> {
        self.refuse_distinct(args.is_distinct)?;
        self.stock.create_groups_accumulator(args)
    }

    fn order_sensitivity(&self) -> AggregateOrderSensitivity {
        match self.stock.name() {
            SORTS => AggregateOrderSensitivity::SoftRequirement,
            _ => self.stock.order_sensitivity(),
        }
    }

    fn with_beneficial_ordering(self: Arc<Self>, _: bool) -> Result<Option<Arc<dyn AggregateUDFImpl>>> {
        Ok((self.stock.name() == SORTS).then_some(self as Arc<dyn AggregateUDFImpl>))
    }

    fn reverse_expr(&self) -> ReversedUDAF {
        match self.stock.name() {
            SORTS => ReversedUDAF::NotSupported,
            _ => self.stock.reverse_udf(),
        }
    }

    fn default_value(&self, data_type: &DataType) -> Result<ScalarValue> {
        self.stock.default_value(data_type)
    }

    fn supports_null_handling_clause(&self) -> bool {
        self.stock.supports_null_handling_clause()
    }

    fn supports_within_group_clause(&self) -> bool {
        self.stock.supports_within_group_clause()
    }

    fn set_monotonicity(&self, data_type: &DataType) -> SetMonotonicity {
        self.stock.inner().set_monotonicity(data_type)
    }

    fn documentation(&self) -> Option<&Documentation> {
        self.stock.documentation()
    }
}
