//! `array_agg` in an order. The stock function keeps each item as a value of its own, and of a row it counts the memory of all
//! rows that it came with: `array_agg(struct(hash, value) order by value desc limit 1)` of a few thousand rows would be told that
//! it needs more than there is. Here the items stay in their columns, which are put in order once, at the end.

use std::sync::Arc;

use arrow::array::{Array, ArrayRef, AsArray, StructArray, UInt64Array, new_empty_array};
use arrow::compute::{SortColumn, SortOptions, concat, filter, is_not_null, lexsort_to_indices, take};
use arrow::datatypes::{DataType, Field, FieldRef, Fields};
use datafusion::common::utils::SingleRowListArrayBuilder;
use datafusion::common::{Result, ScalarValue, internal_err};
use datafusion::functions_aggregate::array_agg::array_agg_udaf;
use datafusion::logical_expr::function::{AccumulatorArgs, StateFieldsArgs};
use datafusion::logical_expr::utils::AggregateOrderSensitivity;
use datafusion::logical_expr::{
    Accumulator, AggregateUDF, AggregateUDFImpl, Documentation, GroupsAccumulator, ReversedUDAF, Signature,
};

use crate::json::{is_json_field, json_list_field};

/// Bytes of an array beside its values, about.
const OF_AN_ARRAY: usize = 200;

pub(super) fn aggregate() -> Arc<AggregateUDF> {
    Arc::new(AggregateUDF::new_from_impl(ArrayAgg { stock: array_agg_udaf() }))
}

#[derive(Debug, PartialEq, Eq, Hash)]
struct ArrayAgg {
    stock: Arc<AggregateUDF>,
}

impl AggregateUDFImpl for ArrayAgg {
    fn name(&self) -> &str {
        self.stock.name()
    }

    fn aliases(&self) -> &[String] {
        self.stock.aliases()
    }

    fn signature(&self) -> &Signature {
        self.stock.signature()
    }

    fn return_type(&self, types: &[DataType]) -> Result<DataType> {
        self.stock.return_type(types)
    }

    fn return_field(&self, fields: &[FieldRef]) -> Result<FieldRef> {
        let list = self.stock.return_field(fields)?;
        Ok(match fields.first() {
            Some(item) if is_json_field(item) => Arc::new(json_list_field(&list)),
            _ => list,
        })
    }

    fn state_fields(&self, args: StateFieldsArgs) -> Result<Vec<FieldRef>> {
        self.stock.state_fields(args)
    }

    fn accumulator(&self, args: AccumulatorArgs) -> Result<Box<dyn Accumulator>> {
        if args.is_distinct || args.order_bys.is_empty() {
            return self.stock.accumulator(args);
        }
        let types = args.order_bys.iter().map(|order| order.expr.data_type(args.schema));
        let types = types.collect::<Result<Vec<_>>>()?;
        // Named as the stock function says that its state is.
        let orders = args.order_bys.iter().zip(types);
        let fields = orders.map(|(order, data_type)| Arc::new(Field::new(order.expr.to_string(), data_type, true)));
        Ok(Box::new(Ordered {
            item: args.expr_fields[0].data_type().clone(),
            order: fields.collect(),
            options: args.order_bys.iter().map(|order| order.options).collect(),
            known: args.ignore_nulls,
            items: Vec::new(),
            keys: vec![Vec::new(); args.order_bys.len()],
            held: 0,
        }))
    }

    fn groups_accumulator_supported(&self, args: AccumulatorArgs) -> bool {
        self.stock.groups_accumulator_supported(args)
    }

    fn create_groups_accumulator(&self, args: AccumulatorArgs) -> Result<Box<dyn GroupsAccumulator>> {
        self.stock.create_groups_accumulator(args)
    }

    // In which order rows come makes no difference; they are put in order at the end.
    fn order_sensitivity(&self) -> AggregateOrderSensitivity {
        AggregateOrderSensitivity::SoftRequirement
    }

    fn with_beneficial_ordering(self: Arc<Self>, _: bool) -> Result<Option<Arc<dyn AggregateUDFImpl>>> {
        Ok(Some(self))
    }

    fn reverse_expr(&self) -> ReversedUDAF {
        ReversedUDAF::NotSupported
    }

    fn supports_null_handling_clause(&self) -> bool {
        self.stock.supports_null_handling_clause()
    }

    fn documentation(&self) -> Option<&Documentation> {
        self.stock.documentation()
    }
}

/// The items of one group, and what they are ordered by.
#[derive(Debug)]
struct Ordered {
    item: DataType,
    order: Fields,
    options: Vec<SortOptions>,
    /// Whether items that are null are left out.
    known: bool,
    items: Vec<ArrayRef>,
    keys: Vec<Vec<ArrayRef>>,
    /// Bytes of them.
    held: usize,
}

impl Ordered {
    fn add(&mut self, items: ArrayRef, keys: Vec<ArrayRef>) -> Result<()> {
        if items.is_empty() {
            return Ok(());
        }
        for array in keys.iter().chain([&items]) {
            self.held += array.to_data().get_slice_memory_size()? + OF_AN_ARRAY;
        }
        self.items.push(items);
        self.keys.iter_mut().zip(keys).for_each(|(all, keys)| all.push(keys));
        Ok(())
    }

    /// Items and keys in their order; equal ones as they came.
    fn in_order(&self) -> Result<(ArrayRef, Vec<ArrayRef>)> {
        let items = joined(&self.items, &self.item)?;
        let of = |(keys, field): (&Vec<ArrayRef>, &FieldRef)| joined(keys, field.data_type());
        let keys = self.keys.iter().zip(&self.order).map(of).collect::<Result<Vec<_>>>()?;
        let places: ArrayRef = Arc::new(UInt64Array::from_iter_values(0..items.len() as u64));
        let columns = keys.iter().zip(&self.options);
        let columns =
            columns.map(|(values, options)| SortColumn { values: Arc::clone(values), options: Some(*options) });
        let columns: Vec<SortColumn> = columns.chain([SortColumn { values: places, options: None }]).collect();
        let order = lexsort_to_indices(&columns, None)?;
        let ordered = |array: &ArrayRef| take(array, &order, None);
        Ok((ordered(&items)?, keys.iter().map(ordered).collect::<Result<_, _>>()?))
    }
}

/// Parts of a column as one; none of them as an empty one.
pub(super) fn joined(parts: &[ArrayRef], data_type: &DataType) -> Result<ArrayRef> {
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
        if !self.known || items.logical_null_count() == 0 {
            return self.add(Arc::clone(items), keys.to_vec());
        }
        let kept = is_not_null(items)?;
        let keys = keys.iter().map(|keys| filter(keys, &kept)).collect::<Result<_, _>>()?;
        self.add(filter(items, &kept)?, keys)
    }

    fn merge_batch(&mut self, states: &[ArrayRef]) -> Result<()> {
        let [items, keys] = states else { return internal_err!("array_agg has items and what they are ordered by") };
        for (items, keys) in items.as_list::<i32>().iter().zip(keys.as_list::<i32>().iter()) {
            if let (Some(items), Some(keys)) = (items, keys) {
                self.add(items, keys.as_struct().columns().to_vec())?;
            }
        }
        Ok(())
    }

    fn state(&mut self) -> Result<Vec<ScalarValue>> {
        let (items, keys) = self.in_order()?;
        let keys = StructArray::try_new(self.order.clone(), keys, None)?;
        Ok(vec![list(items), list(Arc::new(keys))])
    }

    fn evaluate(&mut self) -> Result<ScalarValue> {
        match self.items.is_empty() {
            true => Ok(ScalarValue::new_null_list(self.item.clone(), true, 1)),
            false => Ok(list(self.in_order()?.0)),
        }
    }

    fn size(&self) -> usize {
        let parts = self.items.capacity() + self.keys.iter().map(Vec::capacity).sum::<usize>();
        size_of_val(self) + self.held + parts * size_of::<ArrayRef>()
    }
}
