//! Aggregates of numbers that take texts too, as doubles.

use datafusion::functions_aggregate::correlation::corr_udaf;
use datafusion::functions_aggregate::covariance::{covar_pop_udaf, covar_samp_udaf};
use datafusion::functions_aggregate::stddev::{stddev_pop_udaf, stddev_udaf};
use datafusion::functions_aggregate::sum::sum_udaf;
use datafusion::functions_aggregate::variance::{var_pop_udaf, var_samp_udaf};
use datafusion::logical_expr::function::{AccumulatorArgs, StateFieldsArgs};
use datafusion::logical_expr::type_coercion::functions::fields_with_udf;
use datafusion::logical_expr::{Accumulator, AggregateUDF, AggregateUDFImpl, GroupsAccumulator};

use crate::aggregates::adapted::IMPRECISE;
use crate::aggregates::avg::avg;
use crate::aggregates::distinct_values::{self, distinct};
use crate::aggregates::methods::name_and_signature;
use crate::aggregates::sliding::recomputed;
use crate::aggregates::sum::sum;
use crate::prelude::*;
use crate::wrappers::adapt::any_arguments;

/// A built-in aggregate under Hive's name.
#[derive(Debug, PartialEq, Eq, Hash)]
struct Numeric {
    name: &'static str,
    builtin: Arc<AggregateUDF>,
    signature: Signature,
}

pub(super) fn functions() -> Vec<AggregateUDF> {
    let all = [
        ("sum", sum_udaf()),
        ("avg", avg()),
        ("var_pop", var_pop_udaf()),
        ("variance", var_pop_udaf()),
        ("var_samp", var_samp_udaf()),
        ("stddev", stddev_pop_udaf()),
        ("std", stddev_pop_udaf()),
        ("stddev_pop", stddev_pop_udaf()),
        ("stddev_samp", stddev_udaf()),
        ("corr", corr_udaf()),
        ("covar_pop", covar_pop_udaf()),
        ("covar_samp", covar_samp_udaf()),
    ];
    all.map(|(name, builtin)| AggregateUDF::new_from_impl(Numeric { name, builtin, signature: any_arguments() })).into()
}

impl Numeric {
    /// The aggregate for arguments of this type.
    fn aggregate(&self, first: Option<&DataType>) -> Result<Arc<AggregateUDF>> {
        match first {
            Some(first) if is_number(first) => self.exact(std::slice::from_ref(first)),
            // Windows may slide over doubles, and the built-in sum of decimals wraps around.
            Some(DataType::Float64 | DataType::Decimal128(..)) if self.name == "sum" => Ok(sum()),
            _ => Ok(Arc::clone(&self.builtin)),
        }
    }

    /// The aggregate that has the type of the answer: a sum of decimals has ten digits more than they, as in Hive.
    fn typed_aggregate(&self, first: Option<&DataType>) -> Result<Arc<AggregateUDF>> {
        match first {
            Some(DataType::Decimal128(..)) => Ok(Arc::clone(&self.builtin)),
            first => self.aggregate(first),
        }
    }

    fn aggregate_of(&self, args: &AccumulatorArgs) -> Result<Arc<AggregateUDF>> {
        self.aggregate(args.expr_fields.first().map(|field| field.data_type()))
    }

    /// 256-bit numbers add up exactly, as in SQL; the other aggregates do not take them.
    fn exact(&self, types: &[DataType]) -> Result<Arc<AggregateUDF>> {
        match (self.name, types) {
            ("sum", [_]) => Ok(sum()),
            ("avg", [_]) => Ok(avg()),
            (name, _) => Err(invalid(format!("{name} does not support uint256; write {name}(to_double(…))."))),
        }
    }

    /// Whether the built-in function does not support DISTINCT.
    fn ignores_distinct(&self) -> bool {
        !["sum", "avg"].contains(&self.name)
    }
}

impl AggregateUDFImpl for Numeric {
    name_and_signature!();

    fn coerce_types(&self, types: &[DataType]) -> Result<Vec<DataType>> {
        if types.iter().any(is_number) {
            return self.exact(types)?.coerce_types(types);
        }
        let number = |data_type: &DataType| match data_type {
            text if is_text(text) => DataType::Float64,
            DataType::Boolean => DataType::Int32,
            DataType::Null => DataType::Float64,
            other => other.clone(),
        };
        let fields: Vec<FieldRef> =
            types.iter().map(|data_type| Arc::new(Field::new("argument", number(data_type), true))).collect();
        if let ("avg", [decimal @ DataType::Decimal128(..)]) = (self.name, types) {
            return Ok(vec![decimal.clone()]);
        }
        let fields = fields_with_udf(&fields, self.builtin.as_ref())?;
        Ok(fields.iter().map(|field| field.data_type().clone()).collect())
    }

    fn return_type(&self, types: &[DataType]) -> Result<DataType> {
        self.typed_aggregate(types.first())?.return_type(types)
    }

    fn return_field(&self, fields: &[FieldRef]) -> Result<FieldRef> {
        let field = self.typed_aggregate(fields.first().map(|field| field.data_type()))?.return_field(fields)?;
        Ok(Arc::new(field.as_ref().clone().with_name(self.name)))
    }

    fn state_fields(&self, args: StateFieldsArgs) -> Result<Vec<FieldRef>> {
        if args.is_distinct && self.ignores_distinct() {
            let item = args.input_fields.first().map_or(DataType::Float64, |field| field.data_type().clone());
            return Ok(vec![distinct_values::state_field(args.name, &item)]);
        }
        self.aggregate(args.input_fields.first().map(|field| field.data_type()))?.state_fields(args)
    }

    fn accumulator(&self, args: AccumulatorArgs) -> Result<Box<dyn Accumulator>> {
        if args.is_distinct && args.exprs.len() > 1 {
            return Err(invalid(format!("{} does not support DISTINCT; select the distinct values first.", self.name)));
        }
        if args.is_distinct && self.ignores_distinct() {
            let item = args.expr_fields[0].data_type().clone();
            return Ok(distinct(item, self.builtin.accumulator(AccumulatorArgs { is_distinct: false, ..args })?));
        }
        self.aggregate_of(&args)?.accumulator(args)
    }

    fn create_sliding_accumulator(&self, args: AccumulatorArgs) -> Result<Box<dyn Accumulator>> {
        recomputed::sliding(&self.aggregate_of(&args)?, args)
    }

    fn groups_accumulator_supported(&self, args: AccumulatorArgs) -> bool {
        let aggregate = self.aggregate_of(&args);
        !(args.is_distinct && self.ignores_distinct())
            && self.name != IMPRECISE
            && aggregate.is_ok_and(|aggregate| aggregate.groups_accumulator_supported(args))
    }

    fn create_groups_accumulator(&self, args: AccumulatorArgs) -> Result<Box<dyn GroupsAccumulator>> {
        self.aggregate_of(&args)?.create_groups_accumulator(args)
    }
}
