//! Lists that become texts, by a cast, `array_join` or `concat_ws`: each item is written as its own cast to text writes it. The stock
//! functions write times as `2024-01-01T00:00:00`, and bytes without `0x`.

use arrow::datatypes::DataType;
use datafusion::common::DFSchema;
use datafusion::logical_expr::expr::{Cast, ScalarFunction, TryCast};
use datafusion::logical_expr::{Expr, ExprSchemable, lit};

use quarry_functions::cast_as;
use quarry_types::byte_columns::{is_bytes, is_text};

/// Functions that write the items of lists.
const WRITERS: [&str; 2] = ["array_to_string", "concat_ws"];

/// The expression with texts for the items of the lists that it writes.
pub(super) fn write_items(expr: Expr, schema: &DFSchema) -> Expr {
    match expr {
        Expr::Cast(Cast { expr, field }) if is_text(field.data_type()) => {
            Expr::Cast(Cast { expr: Box::new(with_texts(*expr, schema)), field })
        }
        Expr::TryCast(TryCast { expr, field }) if is_text(field.data_type()) => {
            Expr::TryCast(TryCast { expr: Box::new(with_texts(*expr, schema)), field })
        }
        Expr::ScalarFunction(ScalarFunction { func, args }) if WRITERS.contains(&func.name()) => {
            let args = args.into_iter().map(|arg| with_texts(arg, schema)).collect();
            Expr::ScalarFunction(ScalarFunction { func, args })
        }
        other => other,
    }
}

/// A list of lists of texts in place of one whose items have a text of their own; anything else as it is.
fn with_texts(list: Expr, schema: &DFSchema) -> Expr {
    let Ok(kind) = list.get_type(schema) else { return list };
    let (mut item, mut depth) = (&kind, 0);
    while let DataType::List(field) = item {
        (item, depth) = (field.data_type(), depth + 1);
    }
    if depth == 0 || !has_own_text(item) {
        return list;
    }
    cast_as().call(vec![list, lit(format!("VARCHAR{}", "[]".repeat(depth)))])
}

/// Whether the stock functions write values of a type in another way than a cast does.
fn has_own_text(item: &DataType) -> bool {
    let is_time = matches!(item, DataType::Timestamp(..) | DataType::Duration(_) | DataType::Interval(_));
    is_time || item.is_floating() || is_bytes(item)
}
