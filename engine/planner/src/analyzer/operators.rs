//! Plans binary operators, and coerces the arguments of calls.

use arrow::datatypes::{DataType, FieldRef};
use datafusion::common::{DFSchema, DataFusionError, Result};
use datafusion::logical_expr::planner::{ExprPlanner, PlannerResult, RawBinaryExpr};
use datafusion::logical_expr::{Expr, ExprSchemable, Operator, cast};
use datafusion::sql::sqlparser::ast::BinaryOperator as Op;

use super::binary::{Binary, binary};
use super::literal;
use super::unify::unify;
use quarry_functions::as_hex;
use quarry_functions::uint256::number_to;
use quarry_types::byte_columns::{is_bytes, is_text};
use quarry_types::uint256::is_number;
use quarry_types::{Error, ErrorCode};

/// Plans operators by the types of their operands.
#[derive(Debug)]
pub struct Operators;

impl ExprPlanner for Operators {
    fn plan_binary_op(&self, raw: RawBinaryExpr, schema: &DFSchema) -> Result<PlannerResult<RawBinaryExpr>> {
        if matches!(raw.op, Op::BitwiseXor | Op::PGExp) {
            return Err(refuse("^ is ambiguous; write power(a, b) or bitwise_xor(a, b)."));
        }
        let Some(operator) = operator(&raw.op) else { return Ok(PlannerResult::Original(raw)) };
        Ok(match binary(raw.left, operator, raw.right, schema)? {
            Binary::Whole(expr) => PlannerResult::Planned(expr),
            Binary::Sides(left, right) => PlannerResult::Original(RawBinaryExpr { op: raw.op, left, right }),
        })
    }
}

fn operator(op: &Op) -> Option<Operator> {
    Some(match op {
        Op::Plus => Operator::Plus,
        Op::Minus => Operator::Minus,
        Op::Multiply => Operator::Multiply,
        Op::Divide => Operator::Divide,
        Op::Modulo => Operator::Modulo,
        Op::Eq => Operator::Eq,
        Op::NotEq => Operator::NotEq,
        Op::Lt => Operator::Lt,
        Op::LtEq => Operator::LtEq,
        Op::Gt => Operator::Gt,
        Op::GtEq => Operator::GtEq,
        Op::StringConcat => Operator::StringConcat,
        _ => return None,
    })
}

/// The arguments of a call as types that the function accepts: a 256-bit number becomes a double, a decimal or its 32 bytes, and
/// bytes become hex text. `wanted` returns the accepted types for those of the arguments.
pub(super) fn arguments(
    args: Vec<Expr>,
    schema: &DFSchema,
    wanted: impl FnOnce(&[DataType]) -> Option<Vec<FieldRef>>,
) -> Vec<Expr> {
    let types: Result<Vec<DataType>> = args.iter().map(|arg| arg.get_type(schema)).collect();
    let Some(types) = types.ok().filter(|types| types.iter().any(is_bytes)) else { return args };
    let Some(wanted) = wanted(&types) else { return args };
    let coerce = |(arg, (from, to)): (Expr, (&DataType, FieldRef))| match (from, to.data_type()) {
        (from, to) if from == to => arg,
        (from, to) if is_number(from) && (to.is_numeric() || is_text(to) || is_bytes(to)) => number_to(arg, to),
        (from, to) if is_bytes(from) && is_text(to) => cast(as_hex().call(vec![arg]), to.clone()),
        _ => arg,
    };
    args.into_iter().zip(types.iter().zip(wanted)).map(coerce).collect()
}

/// The arguments of a window function: positions count from 1, and the default of `lag` and `lead` has the type of the
/// column.
pub(super) fn shifted(mut args: Vec<Expr>, name: &str, schema: &DFSchema) -> Result<Vec<Expr>> {
    match (name, args.get(1)) {
        ("lag" | "lead", Some(Expr::Literal(offset, _))) if offset.is_null() => {
            return Err(refuse("The offset of lag and lead must be an integer, not null."));
        }
        ("nth_value", Some(place)) if literal::whole_number(place).is_some_and(|place| !place.is_positive()) => {
            return Err(refuse("The position of nth_value must be greater than 0."));
        }
        _ => {}
    }
    if !["lag", "lead"].contains(&name) || args.len() != 3 {
        return Ok(args);
    }
    let (Ok((_, from)), Ok((_, other))) = (args[0].to_field(schema), args[2].to_field(schema)) else { return Ok(args) };
    if !is_bytes(from.data_type()) {
        return Ok(args);
    }
    let Some(beyond) = args.pop() else { return Ok(args) };
    let unified = unify(vec![(args[0].clone(), from), (beyond, other)])?;
    args.extend(unified.into_iter().nth(1));
    Ok(args)
}

fn refuse(message: &str) -> DataFusionError {
    DataFusionError::External(Box::new(Error::new(ErrorCode::InvalidQuery, message)))
}
