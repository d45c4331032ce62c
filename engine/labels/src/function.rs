//! The functions `label(address)` and `labels(address)`.

use std::hash::{Hash, Hasher};
use std::sync::Arc;

use arrow::array::{ArrayRef, AsArray, ListBuilder, StringBuilder};
use arrow::compute::cast;
use arrow::datatypes::{DataType, Field, FieldRef};
use datafusion::common::tree_node::{Transformed, TreeNodeRecursion};
use datafusion::common::{DataFusionError, Result, ScalarValue};
use datafusion::logical_expr::{
    ColumnarValue, Documentation, Expr, LogicalPlan, ReturnFieldArgs, ScalarFunctionArgs, ScalarUDF, ScalarUDFImpl,
    Signature, Volatility,
};

use super::Index;
use quarry_functions::Doc;
use quarry_functions::tree_walk::{PlanWalk, TreeWalk};
use quarry_types::invalid;

const LABEL_DOC: Doc = Doc {
    signature: "label(address)",
    text: "The most informative label of an address in labels.addresses; null if it has none.",
    example: "select label(to_address), count(*) from transactions group by 1 order by 2 desc",
};
const LABELS_DOC: Doc = Doc {
    signature: "labels(address)",
    text: "All labels of an address in labels.addresses, the most informative first.",
    example: "select labels(miner), count(*) from blocks group by 1",
};

/// The functions for a session, without labels. [`with_labels`] replaces them in a plan.
pub fn placeholders() -> [ScalarUDF; 2] {
    functions(None)
}

/// Whether a plan calls one of the functions.
pub fn calls_labels(plan: &LogicalPlan) -> Result<bool> {
    let mut found = false;
    plan.apply_deep(|node| {
        node.apply_exprs(|expr| {
            found = found || expr.exists(|part| Ok(is_call(part)))?;
            Ok(if found { TreeNodeRecursion::Stop } else { TreeNodeRecursion::Continue })
        })
    })?;
    Ok(found)
}

/// Replaces the functions in a plan by ones with the labels of an index.
pub fn with_labels(plan: LogicalPlan, index: Arc<Index>) -> Result<LogicalPlan> {
    let [label, labels] = functions(Some(index)).map(Arc::new);
    let replace = |expr: Expr| match expr {
        Expr::ScalarFunction(mut call) if call.func.inner().is::<LabelFunction>() => {
            call.func = Arc::clone(if call.func.name() == label.name() { &label } else { &labels });
            Ok(Transformed::yes(Expr::ScalarFunction(call)))
        }
        other => Ok(Transformed::no(other)),
    };
    let replaced = plan.transform_deep_up(|node| node.map_exprs(|expr| expr.transform_up(replace)))?;
    Ok(replaced.data)
}

fn is_call(expr: &Expr) -> bool {
    matches!(expr, Expr::ScalarFunction(call) if call.func.inner().is::<LabelFunction>())
}

fn functions(index: Option<Arc<Index>>) -> [ScalarUDF; 2] {
    let function = |name, all, doc: Doc| {
        ScalarUDF::new_from_impl(LabelFunction {
            name,
            all,
            index: index.clone(),
            signature: Signature::any(1, Volatility::Stable),
            documentation: doc.documentation(),
        })
    };
    [function("label", false, LABEL_DOC), function("labels", true, LABELS_DOC)]
}

#[derive(Debug)]
struct LabelFunction {
    name: &'static str,
    /// Returns all labels and not only the first.
    all: bool,
    index: Option<Arc<Index>>,
    signature: Signature,
    documentation: Documentation,
}

// A query has one index, so the name is enough.
impl PartialEq for LabelFunction {
    fn eq(&self, other: &LabelFunction) -> bool {
        self.name == other.name
    }
}

impl Eq for LabelFunction {}

impl Hash for LabelFunction {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.name.hash(state);
    }
}

impl ScalarUDFImpl for LabelFunction {
    fn name(&self) -> &str {
        self.name
    }

    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn return_type(&self, _: &[DataType]) -> Result<DataType> {
        Ok(if self.all { DataType::new_list(DataType::Utf8, true) } else { DataType::Utf8 })
    }

    fn return_field_from_args(&self, args: ReturnFieldArgs) -> Result<FieldRef> {
        match args.arg_fields[0].data_type() {
            DataType::FixedSizeBinary(20) | DataType::Binary | DataType::BinaryView => {}
            DataType::Utf8 | DataType::Utf8View | DataType::Null => {}
            _ => {
                return Err(invalid(format!("The function {} expects an address.", self.name)));
            }
        }
        Ok(Field::new(self.name, self.return_type(&[])?, true).into())
    }

    fn invoke_with_args(&self, args: ScalarFunctionArgs) -> Result<ColumnarValue> {
        let index = self.index.as_ref().ok_or_else(|| DataFusionError::Internal("labels were not read".to_string()))?;
        let scalar = matches!(args.args[0], ColumnarValue::Scalar(_));
        let array = args.args[0].to_array(if scalar { 1 } else { args.number_rows })?;
        let addresses = addresses(&array)?;
        let found: ArrayRef = if self.all {
            let mut lists = ListBuilder::new(StringBuilder::new());
            for address in &addresses {
                address
                    .iter()
                    .flat_map(|address| index.labels_of(address))
                    .for_each(|label| lists.values().append_value(label));
                lists.append(address.is_some());
            }
            Arc::new(lists.finish())
        } else {
            let mut texts = StringBuilder::new();
            for address in &addresses {
                texts.append_option(address.as_ref().and_then(|address| index.labels_of(address).next()));
            }
            Arc::new(texts.finish())
        };
        match scalar {
            true => Ok(ColumnarValue::Scalar(ScalarValue::try_from_array(&found, 0)?)),
            false => Ok(ColumnarValue::Array(found)),
        }
    }

    fn documentation(&self) -> Option<&Documentation> {
        Some(&self.documentation)
    }
}

/// The bytes of each address.
fn addresses(array: &ArrayRef) -> Result<Vec<Option<Vec<u8>>>> {
    if array.data_type().is_binary() || matches!(array.data_type(), DataType::FixedSizeBinary(_)) {
        let bytes = cast(array, &DataType::Binary)?;
        return Ok(bytes.as_binary::<i32>().iter().map(|address| address.map(<[u8]>::to_vec)).collect());
    }
    let texts = cast(array, &DataType::Utf8)?;
    let parse = |text: &str| {
        let bytes =
            text.strip_prefix("0x").and_then(|digits| hex::decode(digits).ok()).filter(|bytes| bytes.len() == 20);
        bytes.ok_or_else(|| invalid(format!("'{text}' is not a valid address.")))
    };
    texts.as_string::<i32>().iter().map(|text| text.map(parse).transpose()).collect()
}
