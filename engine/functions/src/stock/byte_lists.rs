//! Functions of two lists whose items are bytes of different widths, as an address and bytes without quotes are, or bytes and texts
//! that spell them out: they compare as bytes of any length.

use std::sync::Arc;

use arrow::array::{Array, ArrayRef, AsArray, BinaryArray, ListArray};
use arrow::compute::cast;
use arrow::datatypes::{DataType, Field, FieldRef};
use datafusion::common::Result;
use datafusion::logical_expr::simplify::{ExprSimplifyResult, SimplifyContext};
use datafusion::logical_expr::type_coercion::functions::fields_with_udf;
use datafusion::logical_expr::{ColumnarValue, Expr, ReturnFieldArgs, ScalarFunctionArgs, ScalarUDF};

use super::wrapped::{Wrapper, wrapped};
use quarry_types::byte_columns::{is_bytes, is_text, parse_hex, text_of};
use quarry_types::invalid;
use quarry_types::uint256::is_number;

/// A function that takes such lists too.
pub(crate) fn of_byte_lists(stock: ScalarUDF) -> ScalarUDF {
    wrapped(ByteLists { stock })
}

#[derive(Debug, PartialEq, Eq, Hash)]
struct ByteLists {
    stock: ScalarUDF,
}

impl Wrapper for ByteLists {
    const OWN_TYPES: bool = true;

    fn stock(&self) -> &ScalarUDF {
        &self.stock
    }

    /// Texts stay: a cast would take their letters for the bytes.
    fn coerce_types(&self, types: &[DataType]) -> Result<Vec<DataType>> {
        if are_mixed(types) {
            let coerced = |from: &DataType| if of_texts(from) { from.clone() } else { list_of_bytes() };
            return Ok(types.iter().map(coerced).collect());
        }
        let field = |from: &DataType| Arc::new(Field::new("argument", from.clone(), true)) as FieldRef;
        let fields: Vec<FieldRef> = types.iter().map(field).collect();
        let coerced = fields_with_udf(&fields, &self.stock)?;
        Ok(coerced.iter().map(|field| field.data_type().clone()).collect())
    }

    fn return_type(&self, types: &[DataType]) -> Result<DataType> {
        match are_mixed(types) {
            true => self.stock.return_type(&vec![list_of_bytes(); types.len()]),
            false => self.stock.return_type(types),
        }
    }

    fn return_field(&self, args: ReturnFieldArgs) -> Result<FieldRef> {
        let types: Vec<DataType> = args.arg_fields.iter().map(|field| field.data_type().clone()).collect();
        if !are_mixed(&types) {
            return self.stock.return_field_from_args(args);
        }
        let as_bytes = |field: &FieldRef| Arc::new(field.as_ref().clone().with_data_type(list_of_bytes()));
        let fields: Vec<FieldRef> = args.arg_fields.iter().map(as_bytes).collect();
        let scalar_arguments = vec![None; fields.len()];
        self.stock.return_field_from_args(ReturnFieldArgs { arg_fields: &fields, scalar_arguments: &scalar_arguments })
    }

    fn invoke(&self, mut args: ScalarFunctionArgs) -> Result<ColumnarValue> {
        let types: Vec<DataType> = args.args.iter().map(ColumnarValue::data_type).collect();
        if are_mixed(&types) {
            for (arg, field) in args.args.iter_mut().zip(&mut args.arg_fields) {
                let list = arg.to_array(args.number_rows)?;
                *arg = ColumnarValue::Array(as_bytes(&list)?);
                *field = Arc::new(field.as_ref().clone().with_data_type(list_of_bytes()));
            }
        }
        self.stock.invoke_with_args(args)
    }

    fn simplify(&self, args: Vec<Expr>, context: &SimplifyContext) -> Result<ExprSimplifyResult> {
        let types = args.iter().map(|arg| context.get_data_type(arg)).collect::<Result<Vec<DataType>>>()?;
        match are_mixed(&types) {
            true => Ok(ExprSimplifyResult::Original(args)),
            false => self.stock.simplify(args, context),
        }
    }
}

fn item(list: &DataType) -> Option<&DataType> {
    match list {
        DataType::List(item) => Some(item.data_type()),
        _ => None,
    }
}

fn of_texts(list: &DataType) -> bool {
    item(list).is_some_and(is_text)
}

fn list_of_bytes() -> DataType {
    DataType::new_list(DataType::Binary, true)
}

/// Whether lists are of bytes that are held in different ways, texts and nulls among them.
fn are_mixed(types: &[DataType]) -> bool {
    let bytes = |list: &DataType| item(list).is_some_and(|item| is_bytes(item) && !is_number(item));
    let none = |list: &DataType| list.is_null() || item(list).is_some_and(DataType::is_null);
    let known = types.iter().any(bytes) && types.iter().all(|list| bytes(list) || of_texts(list) || none(list));
    known && types.windows(2).any(|pair| item(&pair[0]) != item(&pair[1]))
}

/// A list as one of bytes.
fn as_bytes(list: &ArrayRef) -> Result<ArrayRef> {
    if !of_texts(list.data_type()) {
        return Ok(cast(list, &list_of_bytes())?);
    }
    let list = list.as_list::<i32>();
    let texts = text_of(list.values())?.into_iter();
    let bytes = texts.map(|text| text.map(bytes_of).transpose()).collect::<Result<Vec<Option<Vec<u8>>>>>()?;
    let items: BinaryArray = bytes.iter().map(Option::as_deref).collect();
    let field = Arc::new(Field::new_list_field(DataType::Binary, true));
    Ok(Arc::new(ListArray::try_new(field, list.offsets().clone(), Arc::new(items), list.nulls().cloned())?))
}

fn bytes_of(text: &str) -> Result<Vec<u8>> {
    let prefix = text.get(..2).is_some_and(|start| start.eq_ignore_ascii_case("0x"));
    let bytes = if prefix { parse_hex(text) } else { None };
    bytes.ok_or_else(|| invalid(format!("'{text}' is compared with bytes but is not 0x and pairs of hex digits.")))
}
