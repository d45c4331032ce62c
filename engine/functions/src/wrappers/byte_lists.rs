//! Functions of two lists whose items are bytes of different widths, such as an address and unquoted bytes, or bytes and texts that
//! spell them: they compare as bytes of any length.

use arrow::array::ListArray;
use datafusion::logical_expr::simplify::{ExprSimplifyResult, SimplifyContext};
use quarry_types::byte_columns::has_hex_prefix;

use super::adapt::{coerced, retyped_to, types_of};
use super::wrapper::{Wrapper, wrapped};
use crate::common_type::item_type;
use crate::prelude::*;

/// A function that takes such lists too.
pub(crate) fn of_byte_lists(builtin: ScalarUDF) -> ScalarUDF {
    wrapped(builtin, ByteLists)
}

#[derive(Debug, PartialEq, Eq, Hash)]
struct ByteLists;

impl Wrapper for ByteLists {
    const OWN_TYPES: bool = true;

    /// Texts stay: a cast would take their letters for the bytes.
    fn coerce_types(&self, builtin: &ScalarUDF, types: &[DataType]) -> Result<Vec<DataType>> {
        if are_mixed(types) {
            let coerced = |from: &DataType| if is_list_of_texts(from) { from.clone() } else { list_of_bytes() };
            return Ok(types.iter().map(coerced).collect());
        }
        coerced(builtin, types)
    }

    fn return_type(&self, builtin: &ScalarUDF, types: &[DataType]) -> Result<DataType> {
        match are_mixed(types) {
            true => builtin.return_type(&vec![list_of_bytes(); types.len()]),
            false => builtin.return_type(types),
        }
    }

    fn return_field(&self, builtin: &ScalarUDF, args: ReturnFieldArgs) -> Result<FieldRef> {
        if !are_mixed(&types_of(args.arg_fields)) {
            return builtin.return_field_from_args(args);
        }
        let fields: Vec<FieldRef> = args.arg_fields.iter().map(|field| retyped_to(field, list_of_bytes())).collect();
        let scalar_arguments = vec![None; fields.len()];
        builtin.return_field_from_args(ReturnFieldArgs { arg_fields: &fields, scalar_arguments: &scalar_arguments })
    }

    fn invoke(&self, builtin: &ScalarUDF, mut args: ScalarFunctionArgs) -> Result<ColumnarValue> {
        let types: Vec<DataType> = args.args.iter().map(ColumnarValue::data_type).collect();
        if are_mixed(&types) {
            for (arg, field) in args.args.iter_mut().zip(&mut args.arg_fields) {
                let list = arg.to_array(args.number_rows)?;
                *arg = ColumnarValue::Array(as_bytes(&list)?);
                *field = retyped_to(field, list_of_bytes());
            }
        }
        builtin.invoke_with_args(args)
    }

    fn simplify(&self, builtin: &ScalarUDF, args: Vec<Expr>, context: &SimplifyContext) -> Result<ExprSimplifyResult> {
        let types = args.iter().map(|arg| context.get_data_type(arg)).collect::<Result<Vec<DataType>>>()?;
        match are_mixed(&types) {
            true => Ok(ExprSimplifyResult::Original(args)),
            false => builtin.simplify(args, context),
        }
    }
}

fn is_list_of_texts(list: &DataType) -> bool {
    item_type(list).is_some_and(is_text)
}

fn list_of_bytes() -> DataType {
    DataType::new_list(DataType::Binary, true)
}

/// Whether lists are of bytes of different types, texts and nulls among them.
fn are_mixed(types: &[DataType]) -> bool {
    let has_bytes = |list: &DataType| item_type(list).is_some_and(|item| is_bytes(item) && !is_number(item));
    let has_nulls = |list: &DataType| list.is_null() || item_type(list).is_some_and(DataType::is_null);
    let is_known = |list: &DataType| has_bytes(list) || is_list_of_texts(list) || has_nulls(list);
    types.iter().any(has_bytes)
        && types.iter().all(is_known)
        && types.windows(2).any(|pair| item_type(&pair[0]) != item_type(&pair[1]))
}

/// A list as one of bytes.
fn as_bytes(list: &ArrayRef) -> Result<ArrayRef> {
    if !is_list_of_texts(list.data_type()) {
        return Ok(cast(list, &list_of_bytes())?);
    }
    let list = list.as_list::<i32>();
    let items = map_rows::<BinaryArray, _, _>(text_of(list.values())?, |text| {
        parse_hex(text).filter(|_| has_hex_prefix(text)).ok_or_else(|| {
            invalid(format!("'{text}' is compared with bytes, so it must be 0x followed by pairs of hex digits."))
        })
    })?;
    let field = Arc::new(Field::new_list_field(DataType::Binary, true));
    Ok(Arc::new(ListArray::try_new(field, list.offsets().clone(), items, list.nulls().cloned())?))
}
