//! `LATERAL VIEW`: the rewriter hides it in an UNPIVOT, which Hive does not have; here it becomes a plan.

use arrow::datatypes::DataType;
use datafusion::common::{Column, NullHandling, Result, TableReference, UnnestOptions};
use datafusion::logical_expr::planner::{PlannedRelation, RelationPlanner, RelationPlannerContext, RelationPlanning};
use datafusion::logical_expr::{Expr, ExprSchemable, LogicalPlanBuilder, col, lit};
use datafusion::sql::sqlparser::ast::{
    Expr as SqlExpr, FunctionArg, FunctionArgExpr, FunctionArguments, Ident, NullInclusion, SelectItem, TableAlias,
    TableFactor,
};

use quarry_functions::hive::generate::{GENERATORS, rows_of};
use quarry_functions::hive::named;
use quarry_types::{Error, ErrorCode};

/// Name of the column that holds the made rows until they are taken apart.
pub const MADE: &str = "__made_rows";

/// Whether a column is a call of a function that makes rows.
pub fn is_generator(item: &SelectItem) -> bool {
    let (SelectItem::UnnamedExpr(expr)
    | SelectItem::ExprWithAlias { expr, .. }
    | SelectItem::ExprWithAliases { expr, .. }) = item
    else {
        return false;
    };
    matches!(expr, SqlExpr::Function(function)
        if GENERATORS.contains(&function.name.to_string().to_lowercase().as_str()))
}

/// A LATERAL VIEW over a table, as the rewriter writes it.
pub fn relation(table: TableFactor, generator: SqlExpr, outer: bool, alias: TableAlias) -> TableFactor {
    TableFactor::Unpivot {
        table: Box::new(table),
        value: generator,
        name: Ident::new(MADE),
        columns: Vec::new(),
        null_inclusion: outer.then_some(NullInclusion::IncludeNulls),
        alias: Some(alias),
    }
}

/// Plans what [`relation`] wrote.
#[derive(Debug)]
pub struct LateralViews;

impl RelationPlanner for LateralViews {
    fn plan_relation(
        &self,
        relation: TableFactor,
        context: &mut dyn RelationPlannerContext,
    ) -> Result<RelationPlanning> {
        let (table, value, null_inclusion, alias) = match relation {
            TableFactor::Unpivot { table, value, name, null_inclusion, alias, .. } if name.value == MADE => {
                (table, value, null_inclusion, alias)
            }
            other => return Ok(RelationPlanning::Original(Box::new(other))),
        };
        let (SqlExpr::Function(generator), Some(alias)) = (value, alias) else {
            return Err(refuse("LATERAL VIEW takes a function that makes rows."));
        };
        let written = generator.name.to_string().to_lowercase();
        // Spark's `explode_outer` is `explode` of a LATERAL VIEW OUTER.
        let function = written.strip_suffix("_outer").unwrap_or(&written).to_string();
        let outer = null_inclusion.is_some() || function != written;
        let input = context.plan(*table)?;
        let mut args = Vec::new();
        if let FunctionArguments::List(list) = generator.args {
            for arg in list.args {
                let FunctionArg::Unnamed(FunctionArgExpr::Expr(arg)) = arg else {
                    return Err(refuse(&format!("{function} takes values.")));
                };
                args.push(context.sql_to_expr(arg, input.schema())?);
            }
        }
        let aliases: Vec<String> =
            alias.columns.into_iter().map(|column| context.normalize_ident(column.name)).collect();
        let qualifier = TableReference::bare(context.normalize_ident(alias.name));
        let before: Vec<Expr> = input.schema().columns().into_iter().map(Expr::Column).collect();

        let fields = match function.as_str() {
            "json_tuple" => return one_row("hive_json_field", input, before, args, &aliases, &qualifier),
            "parse_url_tuple" => return one_row("hive_url_field", input, before, args, &aliases, &qualifier),
            _ => {
                let made = rows_of(&function, args, outer)?;
                let DataType::List(item) = made.get_type(input.schema())? else {
                    return Err(refuse("LATERAL VIEW takes a function that makes rows."));
                };
                let DataType::Struct(fields) = item.data_type() else {
                    return Err(refuse("LATERAL VIEW takes a function that makes rows."));
                };
                let fields: Vec<String> = fields.iter().map(|field| field.name().clone()).collect();
                let with_made = before.iter().cloned().chain([made.alias(MADE)]);
                let null_handling = if outer { NullHandling::Preserve } else { NullHandling::Drop };
                let options = UnnestOptions { null_handling, recursions: Vec::new() };
                let plan = LogicalPlanBuilder::from(input)
                    .project(with_made.collect::<Vec<_>>())?
                    .unnest_column_with_options(Column::from_name(MADE), options)?;
                (plan, fields)
            }
        };
        let (plan, fields) = fields;
        check_names(&function, &aliases, fields.len())?;
        let part = named("get_field")?;
        let mut all = before;
        for (index, field) in fields.iter().enumerate() {
            let name = aliases.get(index).unwrap_or(field);
            let value = part.call(vec![col(Column::from_name(MADE)), lit(field.as_str())]);
            all.push(value.alias_qualified(Some(qualifier.clone()), name));
        }
        let plan = plan.project(all)?.build()?;
        Ok(RelationPlanning::Planned(Box::new(PlannedRelation::new(plan, None))))
    }
}

/// A generator that makes one row: its columns beside those there are.
fn one_row(
    function: &'static str,
    input: datafusion::logical_expr::LogicalPlan,
    mut columns: Vec<Expr>,
    args: Vec<Expr>,
    aliases: &[String],
    qualifier: &TableReference,
) -> Result<RelationPlanning> {
    let Some((text, keys)) = args.split_first() else {
        return Err(refuse("The function takes a text and the names of its parts."));
    };
    check_names(function, aliases, keys.len())?;
    let field = named(function)?;
    for (index, key) in keys.iter().enumerate() {
        let value = field.call(vec![text.clone(), key.clone()]);
        let name = aliases.get(index).cloned().unwrap_or_else(|| format!("c{index}"));
        columns.push(value.alias_qualified(Some(qualifier.clone()), name));
    }
    let plan = LogicalPlanBuilder::from(input).project(columns)?.build()?;
    Ok(RelationPlanning::Planned(Box::new(PlannedRelation::new(plan, None))))
}

fn check_names(function: &str, aliases: &[String], columns: usize) -> Result<()> {
    if aliases.is_empty() || aliases.len() == columns {
        return Ok(());
    }
    Err(refuse(&format!("{function} makes {columns} columns and {} names are given.", aliases.len())))
}

fn refuse(message: &str) -> datafusion::common::DataFusionError {
    datafusion::common::DataFusionError::External(Box::new(Error::new(ErrorCode::InvalidQuery, message)))
}
