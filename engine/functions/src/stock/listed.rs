//! Functions of texts that are functions of lists too, under one name: `concat` and `reverse`. The stock ones of texts take
//! a list for the text that it is shown as.

use std::sync::Arc;

use arrow::datatypes::{DataType, Field, FieldRef};
use datafusion::common::Result;
use datafusion::logical_expr::simplify::{ExprSimplifyResult, SimplifyContext};
use datafusion::logical_expr::type_coercion::functions::fields_with_udf;
use datafusion::logical_expr::{ColumnarValue, Expr, ReturnFieldArgs, ScalarFunctionArgs, ScalarUDF};

use super::choose::null_where_any_is;
use super::wrapped::{Wrapper, wrapped};
use quarry_types::invalid;

/// One function of two, told apart by what it is given.
pub(crate) fn or_list(text: ScalarUDF, list: Arc<ScalarUDF>) -> ScalarUDF {
    wrapped(Listed { text, list, mixed: false })
}

/// The same, where texts stand beside lists of texts and what is null is left out.
pub(crate) fn or_lists(text: ScalarUDF, list: Arc<ScalarUDF>) -> ScalarUDF {
    wrapped(Listed { text, list, mixed: true })
}

#[derive(Debug, PartialEq, Eq, Hash)]
pub(super) struct Listed {
    pub text: ScalarUDF,
    list: Arc<ScalarUDF>,
    mixed: bool,
}

fn is_list(data_type: &DataType) -> bool {
    matches!(data_type, DataType::List(_) | DataType::LargeList(_) | DataType::FixedSizeList(..))
}

impl Listed {
    fn of<'a>(&self, mut types: impl Iterator<Item = &'a DataType>) -> &ScalarUDF {
        if types.any(is_list) { &self.list } else { &self.text }
    }
}

impl Wrapper for Listed {
    const OWN_TYPES: bool = true;

    fn stock(&self) -> &ScalarUDF {
        &self.text
    }

    fn coerce_types(&self, types: &[DataType]) -> Result<Vec<DataType>> {
        if !types.iter().any(is_list) {
            return self.text.coerce_types(types);
        }
        if !self.mixed && !types.iter().all(|data_type| is_list(data_type) || data_type.is_null()) {
            return Err(invalid(format!("{} takes lists or texts, not both.", self.text.name())));
        }
        // What is null stands for a list as well.
        let list = types.iter().find(|data_type| is_list(data_type));
        let null = |from: &DataType| if from.is_null() && !self.mixed { list } else { None };
        let field = |from: &DataType| Arc::new(Field::new("argument", null(from).unwrap_or(from).clone(), true));
        let fields: Vec<FieldRef> = types.iter().map(field).collect();
        let coerced = fields_with_udf(&fields, self.list.as_ref())?;
        Ok(coerced.iter().map(|field| field.data_type().clone()).collect())
    }

    fn return_type(&self, types: &[DataType]) -> Result<DataType> {
        self.of(types.iter()).return_type(types)
    }

    fn return_field(&self, args: ReturnFieldArgs) -> Result<FieldRef> {
        self.of(args.arg_fields.iter().map(|field| field.data_type())).return_field_from_args(args)
    }

    /// What is put together with something unknown is unknown, as with `||`; the stock functions leave it out.
    fn invoke(&self, args: ScalarFunctionArgs) -> Result<ColumnarValue> {
        let function = self.of(args.arg_fields.iter().map(|field| field.data_type())).clone();
        match self.mixed {
            true => function.invoke_with_args(args),
            false => null_where_any_is(args, |args| function.invoke_with_args(args)),
        }
    }

    fn simplify(&self, args: Vec<Expr>, context: &SimplifyContext) -> Result<ExprSimplifyResult> {
        let types = args.iter().map(|arg| context.get_data_type(arg)).collect::<Result<Vec<DataType>>>()?;
        // The stock function of several texts leaves out what is null.
        match types.len() > 1 && !self.mixed || types.iter().any(is_list) {
            true => Ok(ExprSimplifyResult::Original(args)),
            false => self.text.simplify(args, context),
        }
    }
}
