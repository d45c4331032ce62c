//! `PIVOT` and `UNPIVOT` after a table, as BigQuery, Snowflake, DuckDB and Spark write them: values of a column become
//! columns of aggregates, and columns become rows.
//!
//! `t PIVOT (sum(x) FOR day IN ('mon', 'tue'))` groups by all columns of `t` but `x` and `day`; its columns are called like
//! the values, with the alias of the aggregate before them where it has one, as in BigQuery.

use std::collections::HashSet;

use datafusion::common::{Column, DFSchema, Result, UnnestOptions};
use datafusion::logical_expr::planner::{PlannedRelation, RelationPlanner, RelationPlannerContext, RelationPlanning};
use datafusion::logical_expr::{Expr, LogicalPlan, LogicalPlanBuilder, col};
use datafusion::sql::sqlparser::ast::{
    BinaryOperator, Expr as SqlExpr, ExprWithAlias, Function, FunctionArg, FunctionArgExpr, FunctionArguments, Ident,
    NullInclusion, ObjectName, PivotValueSource, TableFactor, Value,
};

use quarry_types::ErrorCode;
use quarry_types::invalid;

/// Most columns that a PIVOT makes: values times aggregates.
const MAX_COLUMNS: usize = 500;
/// Names of the lists of an `UNPIVOT` before their items become rows.
const NAMES: &str = "__names";
const VALUES: &str = "__values";

#[derive(Debug)]
pub struct Pivots {
    /// Whether columns are named as in Spark: the alias of the aggregate is behind the value, and only if there are several
    /// aggregates.
    pub as_spark: bool,
}

impl RelationPlanner for Pivots {
    fn plan_relation(
        &self,
        relation: TableFactor,
        context: &mut dyn RelationPlannerContext,
    ) -> Result<RelationPlanning> {
        let (plan, alias) = match relation {
            TableFactor::Pivot { table, aggregate_functions, value_column, value_source, default_on_null, alias } => {
                if default_on_null.is_some() {
                    return Err(invalid(
                        "PIVOT with DEFAULT ON NULL is not supported; write coalesce(column, value) instead.",
                    ));
                }
                let PivotValueSource::List(values) = value_source else {
                    return Err(invalid("PIVOT needs a literal list of values: FOR column IN ('a', 'b')."));
                };
                let [over] = value_column.as_slice() else {
                    return Err(invalid("PIVOT expects the values of a single column: FOR column IN ('a', 'b')."));
                };
                let input = context.plan(*table)?;
                (self.pivot(input, &aggregate_functions, over, &values, context)?, alias)
            }
            TableFactor::Unpivot { table, value, name, columns, null_inclusion, alias } => {
                let SqlExpr::Identifier(value) = value else {
                    return Err(invalid("UNPIVOT supports only one value column: UNPIVOT (value FOR name IN (a, b))."));
                };
                let input = context.plan(*table)?;
                let nulls = null_inclusion == Some(NullInclusion::IncludeNulls);
                (unpivot(input, value, name, &columns, nulls, context)?, alias)
            }
            other => return Ok(RelationPlanning::Original(Box::new(other))),
        };
        Ok(RelationPlanning::Planned(Box::new(PlannedRelation::new(plan, alias))))
    }
}

impl Pivots {
    fn pivot(
        &self,
        input: LogicalPlan,
        aggregates: &[ExprWithAlias],
        over: &SqlExpr,
        values: &[ExprWithAlias],
        context: &mut dyn RelationPlannerContext,
    ) -> Result<LogicalPlan> {
        if aggregates.len().saturating_mul(values.len()) > MAX_COLUMNS {
            let error = quarry_types::Error::new(
                ErrorCode::TooComplex,
                format!("PIVOT can produce at most {MAX_COLUMNS} columns."),
            );
            return Err(error.into());
        }
        let schema = input.schema().clone();
        let mut used = referenced_columns(&context.sql_to_expr(over.clone(), &schema)?, &schema);
        let mut outputs: Vec<(Expr, String)> = Vec::new();
        for value in values {
            for aggregate in aggregates {
                let SqlExpr::Function(call) = &aggregate.expr else {
                    return Err(invalid("PIVOT expects aggregate functions such as sum(x) or count(*)."));
                };
                let expr = context.sql_to_expr(SqlExpr::Function(filtered_call(call, over, &value.expr)), &schema)?;
                used.extend(referenced_columns(&expr, &schema));
                outputs.push((expr, self.output_name(value, aggregate, aggregates.len(), context)?));
            }
        }
        let keys: Vec<Expr> =
            schema.columns().into_iter().filter(|column| !used.contains(column)).map(Expr::Column).collect();
        let calls = outputs.iter().map(|(expr, _)| expr.clone());
        // One value twice is one aggregate under two names.
        let mut distinct: Vec<Expr> = Vec::new();
        for call in calls {
            if !distinct.contains(&call) {
                distinct.push(call);
            }
        }
        let named =
            outputs.into_iter().map(|(call, name)| col(Column::from_name(call.schema_name().to_string())).alias(name));
        let columns: Vec<Expr> = keys.iter().cloned().chain(named).collect();
        LogicalPlanBuilder::from(input).aggregate(keys, distinct)?.project(columns)?.build()
    }

    fn output_name(
        &self,
        value: &ExprWithAlias,
        aggregate: &ExprWithAlias,
        aggregates: usize,
        context: &dyn RelationPlannerContext,
    ) -> Result<String> {
        let name = match (&value.alias, &value.expr) {
            (Some(alias), _) => context.normalize_ident(alias.clone()),
            (None, SqlExpr::Value(value)) => match &value.value {
                // Names of HiveQL have no letter case.
                Value::SingleQuotedString(text) if self.as_spark => text.to_lowercase(),
                Value::SingleQuotedString(text) => text.clone(),
                Value::Number(digits, _) => digits.clone(),
                other => other.to_string().to_lowercase(),
            },
            (None, SqlExpr::TypedString(typed)) => typed.value.value.clone().into_string().unwrap_or_default(),
            (None, _) if self.as_spark => {
                return Err(invalid(
                    "A PIVOT value that is neither a string nor a number needs an alias: IN (x AS y).",
                ));
            }
            (None, other) => other.to_string(),
        };
        match &aggregate.alias {
            _ if self.as_spark && aggregates == 1 => Ok(name),
            Some(alias) if self.as_spark => Ok(format!("{name}_{}", context.normalize_ident(alias.clone()))),
            Some(alias) => Ok(format!("{}_{name}", context.normalize_ident(alias.clone()))),
            None if aggregates == 1 => Ok(name),
            None => Err(invalid("Multiple aggregates in PIVOT need aliases: sum(x) AS total, count(*) AS n.")),
        }
    }
}

/// The aggregate of the rows with a value, which may be null.
fn filtered_call(call: &Function, over: &SqlExpr, value: &SqlExpr) -> Function {
    let nested = |expr: &SqlExpr| Box::new(SqlExpr::Nested(Box::new(expr.clone())));
    let is = SqlExpr::IsNotDistinctFrom(nested(over), nested(value));
    let filter = match &call.filter {
        Some(filter) => SqlExpr::BinaryOp { left: nested(filter), op: BinaryOperator::And, right: Box::new(is) },
        None => is,
    };
    Function { filter: Some(Box::new(filter)), ..call.clone() }
}

/// The columns that an expression refers to.
fn referenced_columns(expr: &Expr, schema: &DFSchema) -> HashSet<Column> {
    let known = schema.columns();
    expr.column_refs().into_iter().filter(|column| known.contains(column)).cloned().collect()
}

fn unpivot(
    input: LogicalPlan,
    value: Ident,
    name: Ident,
    columns: &[ExprWithAlias],
    nulls: bool,
    context: &mut dyn RelationPlannerContext,
) -> Result<LogicalPlan> {
    let schema = input.schema().clone();
    let (value, name) = (context.normalize_ident(value), context.normalize_ident(name));
    let (mut used, mut names, mut values) = (HashSet::new(), Vec::new(), Vec::new());
    for column in columns {
        let expr = context.sql_to_expr(column.expr.clone(), &schema)?;
        let Expr::Column(known) = &expr else {
            return Err(invalid("UNPIVOT expects columns: UNPIVOT (value FOR name IN (a, b))."));
        };
        names.push(literal(match &column.alias {
            Some(alias) if alias.quote_style.is_some() => alias.value.clone(),
            Some(alias) => context.normalize_ident(alias.clone()),
            None => known.name.clone(),
        }));
        used.insert(known.clone());
        values.push(column.expr.clone());
    }
    // By the name of the function, which gives items of several types one.
    let names = context.sql_to_expr(call("make_array", names), &schema)?.alias(NAMES);
    let values = context.sql_to_expr(call("make_array", values), &schema)?.alias(VALUES);
    let rest: Vec<Expr> =
        schema.columns().into_iter().filter(|column| !used.contains(column)).map(Expr::Column).collect();
    let lists: Vec<Expr> = rest.iter().cloned().chain([names, values]).collect();
    let both = vec![Column::from_name(NAMES), Column::from_name(VALUES)];
    let rows =
        LogicalPlanBuilder::from(input).project(lists)?.unnest_columns_with_options(both, UnnestOptions::default())?;
    let rows = if nulls { rows } else { rows.filter(col(VALUES).is_not_null())? };
    rows.project(rest.into_iter().chain([col(NAMES).alias(name), col(VALUES).alias(value)]))?.build()
}

fn literal(text: String) -> SqlExpr {
    SqlExpr::Value(Value::SingleQuotedString(text).into())
}

fn call(name: &str, args: Vec<SqlExpr>) -> SqlExpr {
    let args = args.into_iter().map(|arg| FunctionArg::Unnamed(FunctionArgExpr::Expr(arg))).collect();
    let list =
        datafusion::sql::sqlparser::ast::FunctionArgumentList { duplicate_treatment: None, args, clauses: Vec::new() };
    SqlExpr::Function(Function {
        name: ObjectName::from(vec![Ident::new(name)]),
        uses_odbc_syntax: false,
        parameters: FunctionArguments::None,
        args: FunctionArguments::List(list),
        filter: None,
        null_treatment: None,
        over: None,
        within_group: Vec::new(),
    })
}
