//! Aggregates of numbers that take texts too, as doubles.

use std::hash::{Hash, Hasher};
use std::sync::Arc;

use arrow::datatypes::{DataType, Field, FieldRef};
use datafusion::common::Result;
use datafusion::functions_aggregate::correlation::corr_udaf;
use datafusion::functions_aggregate::covariance::{covar_pop_udaf, covar_samp_udaf};
use datafusion::functions_aggregate::stddev::{stddev_pop_udaf, stddev_udaf};
use datafusion::functions_aggregate::sum::sum_udaf;
use datafusion::functions_aggregate::variance::{var_pop_udaf, var_samp_udaf};
use datafusion::logical_expr::function::{AccumulatorArgs, StateFieldsArgs};
use datafusion::logical_expr::type_coercion::functions::fields_with_udf;
use datafusion::logical_expr::{Accumulator, AggregateUDF, AggregateUDFImpl, GroupsAccumulator, Signature, Volatility};

use crate::aggregates::adapted::IMPRECISE;
use crate::aggregates::avg::avg;
use crate::aggregates::distinct;
use crate::aggregates::exact::recomputed;
use crate::aggregates::sum::sum;
use quarry_types::byte_columns::is_text;
use quarry_types::invalid;
use quarry_types::uint256::is_number;

/// A stock aggregate under Hive's name.
#[derive(Debug)]
struct Numeric {
    name: &'static str,
    inner: Arc<AggregateUDF>,
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
    all.map(|(name, inner)| {
        let signature = Signature::user_defined(Volatility::Immutable);
        AggregateUDF::new_from_impl(Numeric { name, inner, signature })
    })
    .into()
}

impl PartialEq for Numeric {
    fn eq(&self, other: &Numeric) -> bool {
        self.name == other.name
    }
}

impl Eq for Numeric {}

impl Hash for Numeric {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.name.hash(state);
    }
}

impl Numeric {
    /// What does the work for arguments of this type.
    fn of(&self, first: Option<&DataType>) -> Result<Arc<AggregateUDF>> {
        match first {
            Some(first) if is_number(first) => self.exact(std::slice::from_ref(first)),
            // A window may slide over doubles; the stock sum of decimals wraps around.
            Some(DataType::Float64 | DataType::Decimal128(..)) if self.name == "sum" => Ok(sum()),
            _ => Ok(Arc::clone(&self.inner)),
        }
    }

    /// What says the type of the answer: a sum of decimals has ten digits more than they, as in Hive.
    fn typing(&self, first: Option<&DataType>) -> Result<Arc<AggregateUDF>> {
        match first {
            Some(DataType::Decimal128(..)) => Ok(Arc::clone(&self.inner)),
            first => self.of(first),
        }
    }

    fn of_args(&self, args: &AccumulatorArgs) -> Result<Arc<AggregateUDF>> {
        self.of(args.expr_fields.first().map(|field| field.data_type()))
    }

    /// Numbers of 256 bits add up exactly, as in SQL; for the others they become doubles first.
    fn exact(&self, types: &[DataType]) -> Result<Arc<AggregateUDF>> {
        match (self.name, types) {
            ("sum", [_]) => Ok(sum()),
            ("avg", [_]) => Ok(avg()),
            (name, _) => Err(invalid(format!("{name} takes no uint256; write {name}(to_double(…))."))),
        }
    }

    /// Whether the stock function knows no DISTINCT.
    fn takes_all(&self) -> bool {
        !["sum", "avg"].contains(&self.name)
    }
}

impl AggregateUDFImpl for Numeric {
    fn name(&self) -> &str {
        self.name
    }

    fn signature(&self) -> &Signature {
        &self.signature
    }

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
        let fields = fields_with_udf(&fields, self.inner.as_ref())?;
        Ok(fields.iter().map(|field| field.data_type().clone()).collect())
    }

    fn return_type(&self, types: &[DataType]) -> Result<DataType> {
        self.typing(types.first())?.return_type(types)
    }

    fn return_field(&self, fields: &[FieldRef]) -> Result<FieldRef> {
        let field = self.typing(fields.first().map(|field| field.data_type()))?.return_field(fields)?;
        Ok(Arc::new(field.as_ref().clone().with_name(self.name)))
    }

    fn state_fields(&self, args: StateFieldsArgs) -> Result<Vec<FieldRef>> {
        if args.is_distinct && self.takes_all() {
            let item = args.input_fields.first().map_or(DataType::Float64, |field| field.data_type().clone());
            return Ok(vec![distinct::state_field(args.name, &item)]);
        }
        self.of(args.input_fields.first().map(|field| field.data_type()))?.state_fields(args)
    }

    fn accumulator(&self, args: AccumulatorArgs) -> Result<Box<dyn Accumulator>> {
        if args.is_distinct && args.exprs.len() > 1 {
            return Err(invalid(format!("{} takes no DISTINCT; select the distinct values first.", self.name)));
        }
        if args.is_distinct && self.takes_all() {
            let item = args.expr_fields[0].data_type().clone();
            let all = self.inner.accumulator(AccumulatorArgs { is_distinct: false, ..args })?;
            return Ok(distinct::once(item, all));
        }
        self.of_args(&args)?.accumulator(args)
    }

    fn create_sliding_accumulator(&self, args: AccumulatorArgs) -> Result<Box<dyn Accumulator>> {
        recomputed::sliding(&self.of_args(&args)?, args)
    }

    fn groups_accumulator_supported(&self, args: AccumulatorArgs) -> bool {
        let of = self.of_args(&args);
        !(args.is_distinct && self.takes_all())
            && self.name != IMPRECISE
            && of.is_ok_and(|of| of.groups_accumulator_supported(args))
    }

    fn create_groups_accumulator(&self, args: AccumulatorArgs) -> Result<Box<dyn GroupsAccumulator>> {
        self.of_args(&args)?.create_groups_accumulator(args)
    }
}
