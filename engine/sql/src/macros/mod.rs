//! Functions of other products in SQL: other names of our functions, and short expressions of them. They are planned as
//! [`Macro`]s. HiveQL has functions of its own.

mod aliases;
mod docs;
mod expressions;

use std::collections::BTreeMap;
use std::sync::Arc;

use datafusion::common::{DFSchema, DataFusionError, Result};
use datafusion::execution::FunctionRegistry;
use datafusion::execution::session_state::SessionState;
use datafusion::logical_expr::{DocSection, Documentation, Expr, ScalarUDF};
use datafusion::sql::sqlparser::ast::ExprWithAlias;
use datafusion::sql::sqlparser::parser::Parser;
use quarry_planner::analyzer::Macro;

use crate::syntax::dialect::AnySql;
use aliases::ALIASES;
pub use docs::{FunctionDoc, function_docs};
use expressions::EXPRESSIONS;

/// Registers them in a session that has all other functions.
pub fn register(state: &mut SessionState) -> Result<()> {
    let mut bodies: BTreeMap<&str, Vec<(usize, Expr)>> = BTreeMap::new();
    for (names, count, text) in EXPRESSIONS {
        let body = planned(state, text)?;
        for &name in *names {
            bodies.entry(name).or_default().push((*count, body.clone()));
        }
    }
    let functions = state.scalar_functions();
    // A name that is a function already keeps it for other numbers of arguments. Its function keeps its other names too, so that
    // each name belongs to one function.
    let own: Vec<&str> = bodies.keys().filter_map(|name| Some(functions.get(*name)?.name())).collect();
    for name in own {
        bodies.entry(name).or_default();
    }
    let names: Vec<&str> = bodies.keys().copied().collect();
    let expressions = bodies.into_iter().map(|(name, bodies)| {
        let own = functions.get(name);
        let other_names = functions.iter().filter(|(other, function)| {
            own.is_some_and(|own| own.name() == name && Arc::ptr_eq(own, function)) && !names.contains(&other.as_str())
        });
        let aliases = other_names.map(|(other, _)| other.clone()).collect();
        let documentation = own.map_or_else(|| Some(unlisted()), |own| own.documentation().cloned());
        Macro::udf(name, aliases, bodies, own.cloned(), documentation)
    });
    let aliases = ALIASES.iter().map(|(name, ours, example)| {
        let own = functions.get(*ours);
        let own = own.ok_or_else(|| DataFusionError::Internal(format!("there is no function {ours}")))?;
        let documentation = alias_documentation(name, ours, example, own.documentation());
        Macro::udf(name, Vec::new(), Vec::new(), Some(own.clone()), Some(documentation))
    });
    let macros = expressions.chain(aliases).collect::<Result<Vec<ScalarUDF>>>()?;
    macros.into_iter().try_for_each(|function| state.register_udf(function.into()).map(drop))
}

/// The aliases of a function, and the names of expressions that call it.
pub fn macros_of(function: &str) -> Vec<&'static str> {
    let calls =
        |text: &str| text.split(|char: char| !char.is_alphanumeric() && char != '_').any(|word| word == function);
    let aliases = ALIASES.iter().filter(|(_, ours, _)| *ours == function).map(|(alias, ..)| *alias);
    let expressions = EXPRESSIONS.iter().filter(|(.., text)| calls(text)).flat_map(|(names, ..)| *names).copied();
    aliases.chain(expressions).collect()
}

/// An expression over `$1`, `$2` … as the planner has it.
fn planned(state: &SessionState, text: &str) -> Result<Expr> {
    let expr = Parser::new(&AnySql).try_with_sql(text)?.parse_expr()?;
    state.create_logical_expr_from_sql_expr(ExprWithAlias { expr, alias: None }, &DFSchema::empty())
}

/// What the editor says of an alias of a function.
fn alias_documentation(name: &str, ours: &str, example: &str, own: Option<&Documentation>) -> Documentation {
    let Some(own) = own.filter(|_| !example.is_empty()) else { return unlisted() };
    let arguments = own.syntax_example.find('(').map_or("(…)", |open| &own.syntax_example[open..]);
    Documentation::builder(DOCS, format!("The same as {ours}."), format!("{name}{arguments}"))
        .with_sql_example(example)
        .build()
}

/// The documentation of a name that the editor does not list, or documents in [`function_docs`].
fn unlisted() -> Documentation {
    Documentation::builder(DocSection { include: false, ..DOCS }, "", "").build()
}

const DOCS: DocSection = DocSection { include: true, label: "Functions of other products", description: None };

#[cfg(test)]
mod tests {
    use datafusion::execution::session_state::SessionStateBuilder;
    use quarry_runtime::job::Parameters;
    use quarry_types::ErrorCode;

    use super::*;
    use crate::errors::Names;
    use crate::session::tables::{QueryCatalog, TablesByName};
    use crate::testing::function_calls;
    use crate::{parse, plan};

    /// The codes of the errors of queries.
    async fn refusals(queries: &[String]) -> Vec<Option<ErrorCode>> {
        let (_dir, sessions) = function_calls::sessions();
        let session = sessions.start(QueryCatalog::new(function_calls::chain(), TablesByName::new()));
        let mut refusals = Vec::new();
        for text in queries {
            let statement = parse::parse(text, &Parameters::default(), 1 << 20).unwrap();
            let planned =
                plan::plan_statement(&session.state, &session.catalog, statement, Names::new(text, Vec::new()));
            refusals.push(planned.await.err().map(|error| error.code));
        }
        refusals
    }

    #[test]
    fn nested_functions_that_double_are_refused() {
        function_calls::block_on(async {
            for (open, close, arg) in [
                ("square(", ")", "2"),
                ("div0(1, ", ")", "2"),
                ("add_months(", ", 1)", "date '2024-01-31'"),
                ("strtok('a', ", ", 1)", "'-'"),
            ] {
                let nested = [2, 50].map(|depth| format!("select {}{arg}{}", open.repeat(depth), close.repeat(depth)));
                assert_eq!(refusals(&nested).await, [None, Some(ErrorCode::TooComplex)], "{open}");
            }
        });
    }

    #[test]
    fn volatile_arguments_are_evaluated_once() {
        function_calls::block_on(async {
            let queries = ["select square(random())", "select 1 order by square(random())"].map(str::to_string);
            assert_eq!(refusals(&queries).await, [None, Some(ErrorCode::InvalidQuery)]);
        });
    }

    #[test]
    fn each_name_belongs_to_one_function() {
        let (_dir, sessions) = function_calls::sessions();
        let functions = sessions.base().scalar_functions();
        for name in EXPRESSIONS.iter().flat_map(|(names, ..)| *names) {
            let is_named = |of: &&Arc<ScalarUDF>| of.name() == *name || of.aliases().iter().any(|alias| alias == name);
            let others = functions.values().filter(is_named).filter(|of| !Arc::ptr_eq(of, &functions[*name]));
            assert_eq!(others.count(), 0, "{name}");
        }
    }

    #[test]
    fn aliases_are_no_stock_functions() {
        let mut state = SessionStateBuilder::new().with_default_features().build();
        quarry_functions::register(&mut state).unwrap();
        for (name, ..) in ALIASES {
            assert!(!state.scalar_functions().contains_key(*name), "{name}");
            assert!(!EXPRESSIONS.iter().any(|(names, ..)| names.contains(name)), "{name}");
        }
    }
}
