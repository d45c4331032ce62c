//! Operators of HiveQL by the types of their operands: Hive converts rather than refuses.

use arrow::datatypes::{DataType, Field, TimeUnit};
use datafusion::common::{Column, DFSchema, Result, ScalarValue, TableReference};
use datafusion::logical_expr::planner::{ExprPlanner, PlannerResult, RawBinaryExpr, RawFieldAccessExpr};
use datafusion::logical_expr::{BinaryExpr, Expr, ExprSchemable, GetFieldAccess, Operator, cast, lit};
use datafusion::sql::sqlparser::ast::BinaryOperator as Op;

use crate::analyzer::Operators;
use quarry_functions as functions;
use quarry_functions::hive::cast::call as hive_cast;
use quarry_functions::hive::intervals::{MONTHS, TIME, is_interval};
use quarry_functions::hive::types::{self, char_length};
use quarry_functions::hive::{collections, decimals, hive_function};
use quarry_types::byte_columns::{is_bytes, is_text};
use quarry_types::invalid;
use quarry_types::uint256::is_uint256;

/// The operator that converts its left operand to a boolean.
pub const TRUTH: &str = "hive_truth";

/// Plans operators and field accesses.
#[derive(Debug)]
pub struct HiveOperators;

impl ExprPlanner for HiveOperators {
    fn plan_binary_op(&self, raw: RawBinaryExpr, schema: &DFSchema) -> Result<PlannerResult<RawBinaryExpr>> {
        if raw.op == Op::Custom(TRUTH.to_string()) {
            let truth = match raw.left.get_type(schema) {
                // The planner refuses what has no type.
                Err(_) | Ok(DataType::Boolean | DataType::Null) => raw.left,
                Ok(_) => hive_cast(raw.left, "boolean"),
            };
            return Ok(PlannerResult::Planned(truth));
        }
        if let Op::Custom(name) = &raw.op
            && let Some(op) = tried_operator(name)
        {
            return tried(op, raw, schema);
        }
        let (Ok((_, left)), Ok((_, right))) = (raw.left.to_field(schema), raw.right.to_field(schema)) else {
            // An operand has no type; the planner's error is better than one from here.
            return Ok(PlannerResult::Original(raw));
        };
        let is_chain_type = |field: &Field| is_bytes(field.data_type()) || is_uint256(field);
        let operators = [Op::Eq, Op::NotEq, Op::Lt, Op::LtEq, Op::Gt, Op::GtEq];
        if is_chain_type(&left) && operators.contains(&raw.op) || is_chain_type(&right) && operators.contains(&raw.op) {
            return Operators.plan_binary_op(raw, schema);
        }
        if is_uint256(&left) || is_uint256(&right) {
            // Numbers of 256 bits divide as whole numbers anyway.
            let op = if raw.op == Op::MyIntegerDivide { Op::Divide } else { raw.op };
            return Operators.plan_binary_op(RawBinaryExpr { op, ..raw }, schema);
        }
        let RawBinaryExpr { op, left: a, right: b } = raw;
        let (from, to) = (left.data_type(), right.data_type());
        if matches!(op, Op::Divide | Op::Modulo | Op::MyIntegerDivide) && (is_interval(from) || is_interval(to)) {
            return Err(invalid("HiveQL can't divide intervals; divide the seconds from unix_timestamp instead."));
        }
        match op {
            Op::Plus | Op::Minus | Op::Multiply => arithmetic(op, a, from, b, to),
            Op::Divide => Ok(PlannerResult::Planned(quotient(a, from, b, to))),
            Op::Modulo => planned("hive_mod", vec![a, b]),
            Op::MyIntegerDivide => whole_quotient(a, from, b, to),
            Op::StringConcat => planned("concat", vec![a, b]),
            Op::Eq | Op::NotEq | Op::Lt | Op::LtEq | Op::Gt | Op::GtEq | Op::Spaceship => {
                let (a, b) = comparable(a, from, b, to);
                let (a, b) = (beside_char(a, &right), beside_char(b, &left));
                Ok(PlannerResult::Original(RawBinaryExpr { op, left: a, right: b }))
            }
            Op::And | Op::Or => {
                let truth = |expr: Expr, data_type: &DataType| match data_type {
                    DataType::Boolean | DataType::Null => expr,
                    _ => hive_cast(expr, "boolean"),
                };
                Ok(PlannerResult::Original(RawBinaryExpr { op, left: truth(a, from), right: truth(b, to) }))
            }
            _ => Ok(PlannerResult::Original(RawBinaryExpr { op, left: a, right: b })),
        }
    }

    /// `column.field` where the column is an array of structs: that field of each.
    fn plan_compound_identifier(
        &self,
        field: &Field,
        qualifier: Option<&TableReference>,
        nested_names: &[String],
    ) -> Result<PlannerResult<Vec<Expr>>> {
        if !has_list(field.data_type(), nested_names) {
            return Ok(PlannerResult::Original(Vec::new()));
        }
        let column = Expr::Column(Column::new(qualifier.cloned(), field.name()));
        let (mut value, mut data_type) = (column, field.data_type());
        for name in nested_names {
            let function =
                hive_function(if matches!(data_type, DataType::List(_)) { "hive_list_field" } else { "get_field" })?;
            // A list of fields stays a list: the next field is one of its items.
            let found = field_of(data_type, name);
            let own_name = found.map_or(name.as_str(), |found| found.name());
            value = function.call(vec![value, lit(own_name)]);
            data_type = match (data_type, found) {
                (DataType::Struct(_), Some(found)) => found.data_type(),
                _ => data_type,
            };
        }
        Ok(PlannerResult::Planned(value))
    }

    fn plan_field_access(
        &self,
        raw: RawFieldAccessExpr,
        schema: &DFSchema,
    ) -> Result<PlannerResult<RawFieldAccessExpr>> {
        let data_type = raw.expr.get_type(schema)?;
        match (raw.field_access, data_type) {
            (GetFieldAccess::ListIndex { key }, DataType::List(_) | DataType::Map(..)) => {
                Ok(PlannerResult::Planned(collections::index(raw.expr, *key)))
            }
            (GetFieldAccess::NamedStructField { name }, DataType::Map(..)) => {
                Ok(PlannerResult::Planned(collections::index(raw.expr, Expr::Literal(name, None))))
            }
            (GetFieldAccess::NamedStructField { name }, DataType::List(_)) => Ok(PlannerResult::Planned(
                hive_function("hive_list_field")?.call(vec![raw.expr, Expr::Literal(name, None)]),
            )),
            (field_access, _) => Ok(PlannerResult::Original(RawFieldAccessExpr { field_access, expr: raw.expr })),
        }
    }
}

/// A field of a struct, or of the structs in an array, by its name in any letter case.
fn field_of<'a>(data_type: &'a DataType, name: &str) -> Option<&'a Field> {
    match data_type {
        DataType::List(item) => field_of(item.data_type(), name),
        DataType::Struct(fields) => {
            fields.iter().find(|field| field.name().eq_ignore_ascii_case(name)).map(AsRef::as_ref)
        }
        _ => None,
    }
}

/// Whether a path of names leads through an array.
fn has_list(data_type: &DataType, names: &[String]) -> bool {
    match (data_type, names.split_first()) {
        (DataType::List(_), Some(_)) => true,
        (DataType::Struct(_), Some((name, rest))) => {
            field_of(data_type, name).is_some_and(|found| has_list(found.data_type(), rest))
        }
        _ => false,
    }
}

/// The operator of a function that returns null on overflow.
fn tried_operator(name: &str) -> Option<Op> {
    match name {
        "try_add" => Some(Op::Plus),
        "try_subtract" => Some(Op::Minus),
        "try_multiply" => Some(Op::Multiply),
        _ => None,
    }
}

/// `try_add(a, b)` and its like: whole numbers would wrap around, those of 256 bits fail.
fn tried(op: Op, raw: RawBinaryExpr, schema: &DFSchema) -> Result<PlannerResult<RawBinaryExpr>> {
    let (a, from) = number(raw.left.clone(), &raw.left.get_type(schema)?);
    let (b, to) = number(raw.right.clone(), &raw.right.get_type(schema)?);
    if from.is_integer() && to.is_integer() {
        let function = match op {
            Op::Plus => "hive_try_add",
            Op::Minus => "hive_try_subtract",
            _ => "hive_try_multiply",
        };
        return planned(function, vec![a, b]);
    }
    match HiveOperators.plan_binary_op(RawBinaryExpr { op, ..raw }, schema)? {
        PlannerResult::Planned(expr) => Ok(PlannerResult::Planned(functions::try_call(expr))),
        original => Ok(original),
    }
}

fn planned(function: &'static str, args: Vec<Expr>) -> Result<PlannerResult<RawBinaryExpr>> {
    Ok(PlannerResult::Planned(hive_function(function)?.call(args)))
}

/// A side of arithmetic: texts count as doubles.
fn number(expr: Expr, data_type: &DataType) -> (Expr, DataType) {
    match (data_type, &expr) {
        // A number in the text of a query is an int when it fits.
        (DataType::Int64, Expr::Literal(ScalarValue::Int64(Some(value)), _)) if i32::try_from(*value).is_ok() => {
            (Expr::Literal(ScalarValue::Int32(i32::try_from(*value).ok()), None), DataType::Int32)
        }
        (text, _) if is_text(text) => (hive_cast(expr, "double"), DataType::Float64),
        (DataType::Null, _) => (cast(expr, DataType::Float64), DataType::Float64),
        (other, _) => (expr, other.clone()),
    }
}

fn arithmetic(op: Op, a: Expr, from: &DataType, b: Expr, to: &DataType) -> Result<PlannerResult<RawBinaryExpr>> {
    if from.is_temporal() || to.is_temporal() {
        return Ok(PlannerResult::Original(time_arithmetic(op, a, from, b, to)));
    }
    let ((a, from), (b, to)) = (number(a, from), number(b, to));
    let (left, right) = match beside_float(&from, &to) {
        Some(float) => (cast(a, float.clone()), cast(b, float)),
        None => (a, b),
    };
    if (from.is_decimal() || to.is_decimal()) && !from.is_floating() && !to.is_floating() {
        let (wide, other) = (decimal_type(&from), decimal_type(&to));
        if let (Some(from_digits), Some(to_digits)) = (wide, other)
            && decimals::is_too_long(op == Op::Multiply, &from_digits, &to_digits)
        {
            let function = match op {
                Op::Plus => "hive_decimal_add",
                Op::Minus => "hive_decimal_subtract",
                _ => "hive_decimal_multiply",
            };
            return planned(function, vec![decimal(left, &from), decimal(right, &to)]);
        }
        // The planner would give a bigint a digit more than it has.
        let (left, right) = (decimal(left, &from), decimal(right, &to));
        return Ok(PlannerResult::Original(RawBinaryExpr { op, left, right }));
    }
    Ok(PlannerResult::Original(RawBinaryExpr { op, left, right }))
}

/// Days and times with intervals, and with each other. A day and months make a day, everything else makes a time; the
/// difference of two is an interval of time.
fn time_arithmetic(op: Op, a: Expr, from: &DataType, b: Expr, to: &DataType) -> RawBinaryExpr {
    let time = |expr: Expr, data_type: &DataType| match data_type {
        DataType::Timestamp(TimeUnit::Nanosecond, None) => expr,
        _ => hive_cast(expr, "timestamp"),
    };
    let is_time = |data_type: &DataType| {
        matches!(data_type, DataType::Date32 | DataType::Date64 | DataType::Timestamp(..)) || is_text(data_type)
    };
    let (left, right) = match (from, to) {
        // The interval is the right operand.
        (from, to) if op == Op::Plus && is_interval(from) && is_time(to) => return time_arithmetic(op, b, to, a, from),
        (from, to) if is_time(from) && *to == MONTHS && *from != DataType::Date32 => (time(a, from), b),
        (from, to) if is_time(from) && *to == TIME => (time(a, from), b),
        (from, to) if op == Op::Minus && is_time(from) && is_time(to) => (time(a, from), time(b, to)),
        _ => (a, b),
    };
    RawBinaryExpr { op, left, right }
}

fn double(expr: Expr) -> Expr {
    cast(expr, DataType::Float64)
}

/// What a decimal and a float are together: the float that it is.
fn beside_float(from: &DataType, to: &DataType) -> Option<DataType> {
    match (from, to) {
        (decimal, float) | (float, decimal) if decimal.is_decimal() && float.is_floating() => Some(float.clone()),
        _ => None,
    }
}

/// Decimals divide as decimals, everything else as doubles; by zero is null.
fn quotient(a: Expr, from: &DataType, b: Expr, to: &DataType) -> Expr {
    let ((a, from), (b, to)) = (number(a, from), number(b, to));
    let exact = |data_type: &DataType| data_type.is_decimal() || data_type.is_integer();
    let function = |name| hive_function(name).ok();
    if (from.is_decimal() || to.is_decimal())
        && exact(&from)
        && exact(&to)
        && let Some(divide) = function("hive_decimal_divide")
    {
        return divide.call(vec![decimal(a, &from), decimal(b, &to)]);
    }
    match function("hive_divide") {
        Some(divide) => divide.call(vec![a, b]),
        None => Expr::BinaryExpr(BinaryExpr::new(Box::new(double(a)), Operator::Divide, Box::new(double(b)))),
    }
}

/// `a div b`: the quotient without its fraction.
fn whole_quotient(a: Expr, from: &DataType, b: Expr, to: &DataType) -> Result<PlannerResult<RawBinaryExpr>> {
    let ((a, from), (b, to)) = (number(a, from), number(b, to));
    if from.is_floating() || to.is_floating() {
        return Ok(PlannerResult::Planned(hive_cast(quotient(a, &from, b, &to), "bigint")));
    }
    if (from.is_decimal() || to.is_decimal()) && decimal_type(&from).is_some() && decimal_type(&to).is_some() {
        return planned("hive_decimal_div", vec![decimal(a, &from), decimal(b, &to)]);
    }
    planned("hive_div", vec![a, b])
}

/// The decimal that holds every number of a type.
fn decimal_type(data_type: &DataType) -> Option<DataType> {
    Some(match data_type {
        DataType::Int8 => DataType::Decimal128(3, 0),
        DataType::Int16 => DataType::Decimal128(5, 0),
        DataType::Int32 => DataType::Decimal128(10, 0),
        other if other.is_integer() => DataType::Decimal128(19, 0),
        DataType::Decimal128(..) => data_type.clone(),
        _ => return None,
    })
}

fn decimal(expr: Expr, data_type: &DataType) -> Expr {
    match decimal_type(data_type).filter(|_| data_type.is_integer()) {
        Some(decimal) => cast(expr, decimal),
        None => expr,
    }
}

/// Two sides of a comparison as one type: a text takes the type of the other side, as a number it is a double.
pub fn comparable(a: Expr, from: &DataType, b: Expr, to: &DataType) -> (Expr, Expr) {
    match (is_text(from), is_text(to)) {
        (true, false) => {
            let (b, a) = beside_text(b, to, a);
            (a, b)
        }
        (false, true) => beside_text(a, from, b),
        _ if *from == DataType::Boolean && to.is_numeric() => (cast(a, DataType::Int32), b),
        _ if from.is_numeric() && *to == DataType::Boolean => (a, cast(b, DataType::Int32)),
        _ if matches!(from, DataType::Timestamp(..)) && to.is_numeric() => (hive_cast(a, "double"), double(b)),
        _ if from.is_numeric() && matches!(to, DataType::Timestamp(..)) => (double(a), hive_cast(b, "double")),
        _ => match beside_float(from, to) {
            Some(float) => (cast(a, float.clone()), cast(b, float)),
            None => (a, b),
        },
    }
}

/// A text literal beside a `char(n)`, which has no blanks at its end.
fn beside_char(expr: Expr, other: &Field) -> Expr {
    if char_length(other).is_none() {
        return expr;
    }
    match expr {
        Expr::Literal(ScalarValue::Utf8(Some(text)), metadata) => {
            Expr::Literal(ScalarValue::Utf8(Some(text.trim_end_matches(' ').to_string())), metadata)
        }
        other => other,
    }
}

fn beside_text(value: Expr, data_type: &DataType, text: Expr) -> (Expr, Expr) {
    match data_type {
        number if number.is_numeric() => (double(value), hive_cast(text, "double")),
        DataType::Date32 | DataType::Date64 => (value, hive_cast(text, "date")),
        local if types::is_local_time(local) => (value, hive_cast(text, &types::name(local))),
        DataType::Timestamp(..) => (value, cast(hive_cast(text, "timestamp"), data_type.clone())),
        DataType::Boolean => (value, hive_cast(text, "boolean")),
        interval if is_interval(interval) => (value, hive_cast(text, &types::name(interval))),
        _ => (value, text),
    }
}
