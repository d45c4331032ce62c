//! Fields of rows: their names match in any letter case where only one does, and `row[1]` is the first field, as in Trino. Parts
//! of JSON with the same syntax, as in BigQuery and Snowflake: `json['a']`, `json[0]` for the first item, and `f(json).a`. A
//! column needs parentheses, `(json).a`, since the planner lower-cases names, and members of JSON have a letter case.

use arrow::datatypes::{DataType, Field, Fields};
use datafusion::common::{Column, DFSchema, Result, TableReference};
use datafusion::functions::core::get_field;
use datafusion::logical_expr::planner::{ExprPlanner, PlannerResult, RawFieldAccessExpr};
use datafusion::logical_expr::{Expr, ExprSchemable, GetFieldAccess, lit};

use super::literal;
use quarry_functions::json::is_json_field;
use quarry_functions::{element_at, json_extract};
use quarry_types::invalid;

/// Runs before the stock planner, which knows exact names only.
#[derive(Debug)]
pub struct FieldAccess;

impl ExprPlanner for FieldAccess {
    fn plan_field_access(
        &self,
        raw: RawFieldAccessExpr,
        schema: &DFSchema,
    ) -> Result<PlannerResult<RawFieldAccessExpr>> {
        let Ok((_, field)) = raw.expr.to_field(schema) else { return Ok(PlannerResult::Original(raw)) };
        let (name, place) = match &raw.field_access {
            GetFieldAccess::NamedStructField { name } => (name.try_as_str().flatten().map(str::to_string), None),
            GetFieldAccess::ListIndex { key } => (None, literal::whole_number(key).map(|place| place.to_string())),
            GetFieldAccess::ListRange { .. } => (None, None),
        };
        let path = match (&name, &place) {
            (Some(name), _) if is_json_field(&field) => member(name),
            (_, Some(place)) if is_json_field(&field) => Some(format!("$[{place}]")),
            _ => None,
        };
        if let Some(path) = path {
            return Ok(PlannerResult::Planned(json_extract().call(vec![raw.expr, lit(path)])));
        }
        if matches!(field.data_type(), DataType::List(_) | DataType::LargeList(_)) && place.as_deref() == Some("0") {
            return Err(invalid("List indexes start at 1: the first item is [1], or [offset(0)] in BigQuery syntax."));
        }
        // The stock planner takes literal keys only.
        if let (DataType::Map(..), GetFieldAccess::ListIndex { key }) = (field.data_type(), &raw.field_access)
            && !matches!(key.as_ref(), Expr::Literal(..))
        {
            return Ok(PlannerResult::Planned(element_at().call(vec![raw.expr, key.as_ref().clone()])));
        }
        let DataType::Struct(fields) = field.data_type() else { return Ok(PlannerResult::Original(raw)) };
        let found = match (name, place) {
            (Some(name), _) => field_name(fields, &name),
            (_, Some(place)) => Some(field_at(fields, &place)?),
            _ => None,
        };
        Ok(match found {
            Some(name) => PlannerResult::Planned(get_field().call(vec![raw.expr, lit(name)])),
            None => PlannerResult::Original(raw),
        })
    }

    fn plan_compound_identifier(
        &self,
        field: &Field,
        qualifier: Option<&TableReference>,
        nested_names: &[String],
    ) -> Result<PlannerResult<Vec<Expr>>> {
        let mut expr = Expr::Column(Column::from((qualifier, field)));
        let mut inside = field.data_type();
        for name in nested_names {
            let found = match inside {
                DataType::Struct(fields) => field_name(fields, name).and_then(|name| fields.find(name)),
                _ => None,
            };
            let Some((_, field)) = found else { return Ok(PlannerResult::Original(Vec::new())) };
            expr = get_field().call(vec![expr, lit(field.name().as_str())]);
            inside = field.data_type();
        }
        Ok(PlannerResult::Planned(expr))
    }
}

/// The path to a member of JSON.
fn member(name: &str) -> Option<String> {
    (!name.contains('"')).then(|| format!("$[\"{name}\"]"))
}

/// The name of a field in the row: the same name, or the only one that differs by letter case.
fn field_name<'a>(fields: &'a Fields, name: &str) -> Option<&'a str> {
    if let Some((_, field)) = fields.find(name) {
        return Some(field.name());
    }
    let mut alike = fields.iter().filter(|field| field.name().eq_ignore_ascii_case(name));
    alike.next().filter(|_| alike.next().is_none()).map(|field| field.name().as_str())
}

/// The name of a field by its place, counted from 1.
fn field_at<'a>(fields: &'a Fields, place: &str) -> Result<&'a str> {
    let index = place.parse::<usize>().ok().and_then(|place| place.checked_sub(1));
    match index.and_then(|index| fields.get(index)) {
        Some(field) => Ok(field.name()),
        None => Err(invalid(format!("This row has {} values; there is none at position {place}.", fields.len()))),
    }
}
