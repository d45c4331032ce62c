//! `array_agg` in an order. The built-in function keeps each item as a scalar, and counts the memory of its whole batch for each
//! row: `array_agg(struct(hash, value) order by value desc limit 1)` of a few thousand rows would exceed the memory limit.
//! Here the items stay in their columns, which are sorted once, at the end.

use arrow::array::{StructArray, UInt64Array, new_empty_array};
use arrow::compute::{SortColumn, SortOptions, concat, filter, is_not_null, lexsort_to_indices, take};
use arrow::datatypes::Fields;
use datafusion::common::internal_err;
use datafusion::common::utils::SingleRowListArrayBuilder;
use datafusion::functions_aggregate::array_agg::array_agg_udaf;
use datafusion::logical_expr::function::{AccumulatorArgs, StateFieldsArgs};
use datafusion::logical_expr::utils::AggregateOrderSensitivity;
use datafusion::logical_expr::{
    Accumulator, AggregateUDF, AggregateUDFImpl, Documentation, GroupsAccumulator, ReversedUDAF,
};

use super::methods::as_builtin;
use crate::json::{is_json_field, json_list_field};
use crate::prelude::*;

/// The approximate overhead of an array in bytes.
const ARRAY_OVERHEAD: usize = 200;

pub(super) fn aggregate() -> Arc<AggregateUDF> {
    Arc::new(AggregateUDF::new_from_impl(ArrayAgg { builtin: array_agg_udaf() }))
}

#[derive(Debug, PartialEq, Eq, Hash)]
struct ArrayAgg {
    builtin: Arc<AggregateUDF>,
}

impl AggregateUDFImpl for ArrayAgg {
    as_builtin! {
        name() -> &str;
        aliases() -> &[String];
        signature() -> &Signature;
        return_type(types: &[DataType]) -> Result<DataType>;
        state_fields(args: StateFieldsArgs) -> Result<Vec<FieldRef>>;
        groups_accumulator_supported(args: AccumulatorArgs) -> bool;
        create_groups_accumulator(args: AccumulatorArgs) -> Result<Box<dyn GroupsAccumulator>>;
        supports_null_handling_clause() -> bool;
        documentation() -> Option<&Documentation>;
    }

    fn return_field(&self, fields: &[FieldRef]) -> Result<FieldRef> {
        let list = self.builtin.return_field(fields)?;
        Ok(match fields.first() {
            Some(item) if is_json_field(item) => Arc::new(json_list_field(&list)),
            _ => list,
        })
    }

    fn accumulator(&self, args: AccumulatorArgs) -> Result<Box<dyn Accumulator>> {
        if args.is_distinct || args.order_bys.is_empty() {
            return self.builtin.accumulator(args);
        }
        let types = args.order_bys.iter().map(|order| order.expr.data_type(args.schema));
        let types = types.collect::<Result<Vec<_>>>()?;
        // The names that the built-in function has in its state.
        let orders = args.order_bys.iter().zip(types);
        let fields = orders.map(|(order, data_type)| Arc::new(Field::new(order.expr.to_string(), data_type, true)));
        Ok(Box::new(Ordered {
            item: args.expr_fields[0].data_type().clone(),
            order: fields.collect(),
            options: args.order_bys.iter().map(|order| order.options).collect(),
            ignore_nulls: args.ignore_nulls,
            items: Vec::new(),
            keys: vec![Vec::new(); args.order_bys.len()],
            bytes: 0,
        }))
    }

    // The rows may come in any order: they are sorted at the end.
    fn order_sensitivity(&self) -> AggregateOrderSensitivity {
        AggregateOrderSensitivity::SoftRequirement
    }

    fn with_beneficial_ordering(self: Arc<Self>, _: bool) -> Result<Option<Arc<dyn AggregateUDFImpl>>> {
        Ok(Some(self))
    }

    fn reverse_expr(&self) -> ReversedUDAF {
        ReversedUDAF::NotSupported
    }
}

/// The items of one group and their sort keys.
#[derive(Debug)]
struct Ordered {
    item: DataType,
    order: Fields,
    options: Vec<SortOptions>,
    ignore_nulls: bool,
    items: Vec<ArrayRef>,
    keys: Vec<Vec<ArrayRef>>,
    bytes: usize,
}

impl Ordered {
    fn add(&mut self, items: ArrayRef, keys: Vec<ArrayRef>) -> Result<()> {
        if items.is_empty() {
            return Ok(());
        }
        for array in keys.iter().chain([&items]) {
            self.bytes += array.to_data().get_slice_memory_size()? + ARRAY_OVERHEAD;
        }
        self.items.push(items);
        self.keys.iter_mut().zip(keys).for_each(|(all, keys)| all.push(keys));
        Ok(())
    }

    /// Items and keys in a stable order.
    fn sorted(&self) -> Result<(ArrayRef, Vec<ArrayRef>)> {
        let items = concat_or_empty(&self.items, &self.item)?;
        let concat_keys = |(keys, field): (&Vec<ArrayRef>, &FieldRef)| concat_or_empty(keys, field.data_type());
        let keys = self.keys.iter().zip(&self.order).map(concat_keys).collect::<Result<Vec<_>>>()?;
        let positions: ArrayRef = Arc::new(UInt64Array::from_iter_values(0..items.len() as u64));
        let columns = keys.iter().zip(&self.options);
        let columns =
            columns.map(|(values, options)| SortColumn { values: Arc::clone(values), options: Some(*options) });
        let columns: Vec<SortColumn> = columns.chain([SortColumn { values: positions, options: None }]).collect();
        let order = lexsort_to_indices(&columns, None)?;
        let sorted = |array: &ArrayRef| take(array, &order, None);
        Ok((sorted(&items)?, keys.iter().map(sorted).collect::<Result<_, _>>()?))
    }
}

/// Concatenates the parts of a column; no parts make an empty column.
pub(super) fn concat_or_empty(parts: &[ArrayRef], data_type: &DataType) -> Result<ArrayRef> {
    let parts: Vec<&dyn Array> = parts.iter().map(AsRef::as_ref).collect();
    match parts.is_empty() {
        true => Ok(new_empty_array(data_type)),
        false => Ok(concat(&parts)?),
    }
}

fn list(items: ArrayRef) -> ScalarValue {
    SingleRowListArrayBuilder::new(items).build_list_scalar()
}

impl Accumulator for Ordered {
    fn update_batch(&mut self, arrays: &[ArrayRef]) -> Result<()> {
        let Some((items, keys)) = arrays.split_first() else { return internal_err!("array_agg takes a value") };
        if !self.ignore_nulls || items.logical_null_count() == 0 {
            return self.add(Arc::clone(items), keys.to_vec());
        }
        let not_null = is_not_null(items)?;
        let keys = keys.iter().map(|keys| filter(keys, &not_null)).collect::<Result<_, _>>()?;
        self.add(filter(items, &not_null)?, keys)
    }

    fn merge_batch(&mut self, states: &[ArrayRef]) -> Result<()> {
        let [items, keys] = states else { return internal_err!("the state of array_agg has items and sort keys") };
        for (items, keys) in items.as_list::<i32>().iter().zip(keys.as_list::<i32>().iter()) {
            if let (Some(items), Some(keys)) = (items, keys) {
                self.add(items, keys.as_struct().columns().to_vec())?;
            }
        }
        Ok(())
    }

    fn state(&mut self) -> Result<Vec<ScalarValue>> {
        let (items, keys) = self.sorted()?;
        let keys = StructArray::try_new(self.order.clone(), keys, None)?;
        Ok(vec![list(items), list(Arc::new(keys))])
    }

    fn evaluate(&mut self) -> Result<ScalarValue> {
        match self.items.is_empty() {
            true => Ok(ScalarValue::new_null_list(self.item.clone(), true, 1)),
            false => Ok(list(self.sorted()?.0)),
        }
    }

    fn size(&self) -> usize {
        let parts = self.items.capacity() + self.keys.iter().map(Vec::capacity).sum::<usize>();
        size_of_val(self) + self.bytes + parts * size_of::<ArrayRef>()
    }
}
