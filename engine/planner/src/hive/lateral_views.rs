//! `LATERAL VIEW`. The rewriter writes it as a join of the SQL standard, `t CROSS JOIN LATERAL explode(x) AS v (y)`, and OUTER as
//! a LEFT JOIN; here such a join becomes an unnesting of the table. The stock planner has lateral subqueries only.

use arrow::datatypes::DataType;
use datafusion::common::{Column, NullHandling, Result, TableReference, UnnestOptions};
use datafusion::logical_expr::planner::{PlannedRelation, RelationPlanner, RelationPlannerContext, RelationPlanning};
use datafusion::logical_expr::{Expr, ExprSchemable, LogicalPlan, LogicalPlanBuilder, col, lit};
use datafusion::sql::sqlparser::ast::{
    Expr as SqlExpr, Function, FunctionArg, FunctionArgExpr, FunctionArguments, Join, JoinConstraint, JoinOperator,
    SelectItem, TableAlias, TableFactor, TableWithJoins, Value,
};

use crate::subqueries::all_columns;
use quarry_functions::hive::generators::{GENERATORS, rows_of};
use quarry_functions::hive::hive_function;
use quarry_types::invalid;

/// Name of the column with the list of generated rows until it is unnested.
const ROWS: &str = "__generated_rows";

const NOT_A_GENERATOR: &str = "LATERAL VIEW expects a function that returns rows.";

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

/// A LATERAL VIEW of a table as a join with a lateral table function; the table itself where the generator is no call of a
/// function.
pub fn join_generator(table: TableFactor, generator: SqlExpr, is_outer: bool, alias: TableAlias) -> TableFactor {
    let SqlExpr::Function(Function { name, args: FunctionArguments::List(list), .. }) = generator else { return table };
    let relation =
        TableFactor::Function { lateral: true, name, args: list.args, with_ordinality: false, alias: Some(alias) };
    let join_operator = match is_outer {
        true => JoinOperator::LeftOuter(JoinConstraint::On(SqlExpr::Value(Value::Boolean(true).into()))),
        false => JoinOperator::CrossJoin(JoinConstraint::None),
    };
    let joins = vec![Join { relation, global: false, join_operator }];
    TableFactor::NestedJoin { table_with_joins: Box::new(TableWithJoins { relation: table, joins }), alias: None }
}

/// Nests the tables and joins up to each LATERAL VIEW: the planner of relations gets single relations.
pub fn nest_generators(table: TableWithJoins) -> TableWithJoins {
    let TableWithJoins { relation, joins } = table;
    joins.into_iter().fold(TableWithJoins { relation, joins: Vec::new() }, |mut table, join| {
        let is_view = is_lateral_view(&join);
        table.joins.push(join);
        match is_view {
            true => TableWithJoins {
                relation: TableFactor::NestedJoin { table_with_joins: Box::new(table), alias: None },
                joins: Vec::new(),
            },
            false => table,
        }
    })
}

/// Whether a join is one that [`join_generator`] makes. Other joins with a lateral table function are left to the stock planner,
/// which has no such functions.
fn is_lateral_view(join: &Join) -> bool {
    let has_condition = |constraint: &JoinConstraint| match constraint {
        JoinConstraint::None => false,
        JoinConstraint::On(SqlExpr::Value(value)) => value.value != Value::Boolean(true),
        _ => true,
    };
    match (&join.relation, &join.join_operator) {
        (
            TableFactor::Function { lateral: true, alias: Some(_), .. },
            JoinOperator::CrossJoin(constraint)
            | JoinOperator::Join(constraint)
            | JoinOperator::Inner(constraint)
            | JoinOperator::Left(constraint)
            | JoinOperator::LeftOuter(constraint),
        ) => !has_condition(constraint),
        _ => false,
    }
}

/// Plans nested joins whose last table is a LATERAL VIEW.
#[derive(Debug)]
pub struct LateralViews;

impl RelationPlanner for LateralViews {
    fn plan_relation(
        &self,
        relation: TableFactor,
        context: &mut dyn RelationPlannerContext,
    ) -> Result<RelationPlanning> {
        let TableFactor::NestedJoin { mut table_with_joins, alias: None } = relation else {
            return Ok(RelationPlanning::Original(Box::new(relation)));
        };
        let Some(join) = table_with_joins.joins.pop_if(|join| is_lateral_view(join)) else {
            let relation = TableFactor::NestedJoin { table_with_joins, alias: None };
            return Ok(RelationPlanning::Original(Box::new(relation)));
        };
        let input = context.plan(match table_with_joins.joins.is_empty() {
            true => table_with_joins.relation,
            false => TableFactor::NestedJoin { table_with_joins, alias: None },
        })?;
        let TableFactor::Function { name, args: arguments, alias: Some(alias), .. } = join.relation else {
            return Err(invalid(NOT_A_GENERATOR));
        };
        let name = name.to_string().to_lowercase();
        // Spark's `explode_outer` is `explode` of a LATERAL VIEW OUTER.
        let function = name.strip_suffix("_outer").unwrap_or(&name);
        let is_outer = matches!(join.join_operator, JoinOperator::LeftOuter(_) | JoinOperator::Left(_));
        let is_outer = is_outer || function != name;
        let mut args = Vec::new();
        for arg in arguments {
            let FunctionArg::Unnamed(FunctionArgExpr::Expr(arg)) = arg else {
                return Err(invalid(format!("The arguments of {function} must be values.")));
            };
            args.push(context.sql_to_expr(arg, input.schema())?);
        }
        let view = View {
            qualifier: TableReference::bare(context.normalize_ident(alias.name)),
            columns: alias.columns.into_iter().map(|column| context.normalize_ident(column.name)).collect(),
        };
        let plan = match function {
            "json_tuple" => view.with_fields("hive_json_field", input, &args)?,
            "parse_url_tuple" => view.with_fields("hive_url_field", input, &args)?,
            _ => view.with_rows(function, input, args, is_outer)?,
        };
        Ok(RelationPlanning::Planned(Box::new(PlannedRelation::new(plan, None))))
    }
}

/// The name of a view and those of its columns, as far as the query has them.
struct View {
    qualifier: TableReference,
    columns: Vec<String>,
}

impl View {
    /// The rows of a generator beside each row of the input.
    fn with_rows(&self, function: &str, input: LogicalPlan, args: Vec<Expr>, is_outer: bool) -> Result<LogicalPlan> {
        let rows = rows_of(function, args, is_outer)?;
        let DataType::List(item) = rows.get_type(input.schema())? else { return Err(invalid(NOT_A_GENERATOR)) };
        let DataType::Struct(fields) = item.data_type() else { return Err(invalid(NOT_A_GENERATOR)) };
        let get_field = hive_function("get_field")?;
        let values = fields.iter().map(|field| {
            let value = get_field.call(vec![col(Column::from_name(ROWS)), lit(field.name().as_str())]);
            (value, field.name().clone())
        });
        let mut columns = all_columns(input.schema());
        let with_rows: Vec<Expr> = columns.iter().cloned().chain([rows.alias(ROWS)]).collect();
        columns.extend(self.name_columns(function, values.collect())?);
        let null_handling = if is_outer { NullHandling::Preserve } else { NullHandling::Drop };
        let options = UnnestOptions { null_handling, recursions: Vec::new() };
        LogicalPlanBuilder::from(input)
            .project(with_rows)?
            .unnest_column_with_options(Column::from_name(ROWS), options)?
            .project(columns)?
            .build()
    }

    /// The fields of a text beside each row of the input, for generators that make one row.
    fn with_fields(&self, function: &'static str, input: LogicalPlan, args: &[Expr]) -> Result<LogicalPlan> {
        let Some((text, keys)) = args.split_first() else {
            return Err(invalid("The function expects a string and the names of its parts."));
        };
        let field = hive_function(function)?;
        let values = keys.iter().enumerate();
        let values = values.map(|(index, key)| (field.call(vec![text.clone(), key.clone()]), format!("c{index}")));
        let mut columns = all_columns(input.schema());
        columns.extend(self.name_columns(function, values.collect())?);
        LogicalPlanBuilder::from(input).project(columns)?.build()
    }

    /// The values as columns of the view, by its own names or else those of the generator.
    fn name_columns(&self, function: &str, values: Vec<(Expr, String)>) -> Result<Vec<Expr>> {
        let (names, columns) = (self.columns.len(), values.len());
        if names != 0 && names != columns {
            return Err(invalid(format!("{function} returns {columns} columns, but {names} names are given.")));
        }
        let named = values.into_iter().enumerate().map(|(index, (value, name))| {
            value.alias_qualified(Some(self.qualifier.clone()), self.columns.get(index).unwrap_or(&name))
        });
        Ok(named.collect())
    }
}

#[cfg(test)]
mod tests {
    use datafusion::sql::sqlparser::dialect::GenericDialect;
    use datafusion::sql::sqlparser::parser::Parser;

    use super::*;

    #[test]
    fn only_joins_without_a_condition_are_lateral_views() {
        for (join, is_view) in [
            ("cross join lateral explode(x) as v(y)", true),
            ("join lateral explode(x) as v(y)", true),
            ("left join lateral explode(x) as v(y) on true", true),
            ("join lateral explode(x) as v(y) on v.y = 2", false),
            ("left join lateral explode(x) as v(y) on v.y = 2", false),
            ("right join lateral explode(x) as v(y) on true", false),
            ("join lateral explode(x) as v(y) using (y)", false),
            ("join lateral (select 1) as v on true", false),
        ] {
            let query = format!("select 1 from t {join}");
            let mut parser = Parser::new(&GenericDialect {}).try_with_sql(&query).unwrap();
            let query = parser.parse_query().unwrap();
            let select = query.body.as_select().unwrap();
            assert_eq!(is_lateral_view(&select.from[0].joins[0]), is_view, "{join}");
        }
    }
}
