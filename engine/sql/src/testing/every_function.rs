//! Every function of SQL with any arguments.

use std::collections::BTreeSet;

use datafusion::physical_plan::collect;

use super::function_calls;
use crate::errors::Names;
use crate::function_docs;
use crate::parse::parse;
use crate::plan::plan_statement;
use crate::session::tables::{QueryCatalog, TablesByName};
use crate::session::{Session, Sessions};
use quarry_functions::LAMBDAS;
use quarry_runtime::job::JobRequest;
use quarry_types::Result;

#[test]
fn every_function_ends_well_with_any_arguments() {
    function_calls::block_on(async {
        let (_dir, sessions) = function_calls::sessions();
        let catalog = QueryCatalog::new(
            function_calls::chain(),
            TablesByName::from([("t".to_string(), function_calls::table())]),
        );
        let session = sessions.start(catalog);
        let mut failures = Vec::new();
        for (function, over) in names(&sessions) {
            for call in function_calls::calls(&function) {
                let text = format!("select {call}{} from t", if over { " over (order by l)" } else { "" });
                let failure = function_calls::outcome(&text, run(&session, &text)).await;
                failures.extend(failure.map(|failure| (function.clone(), failure)));
            }
        }
        function_calls::report(failures);
    });
}

/// All functions, and whether they stand over a window.
fn names(sessions: &Sessions) -> BTreeSet<(String, bool)> {
    let state = sessions.base();
    let plain = state.scalar_functions().keys().chain(state.aggregate_functions().keys());
    let mut names: BTreeSet<(String, bool)> = plain.map(|name| (name.clone(), false)).collect();
    names.extend(state.window_functions().keys().map(|name| (name.clone(), true)));
    names.extend(function_docs().map(|function| (function.name.to_string(), false)));
    names.extend(LAMBDAS.iter().map(|(name, _)| (name.to_string(), false)));
    names
}

async fn run(session: &Session, text: &str) -> Result<()> {
    let request = JobRequest { text: text.to_string(), ..JobRequest::default() };
    let names = Names::new(text, session.catalog.table_names());
    let statement = parse(text, &request.parameters, 1_000_000)?;
    // Without the place of an error, which would be looked for thousands of times.
    let planned = plan_statement(&session.state, &session.catalog, statement, names).await?;
    let rows = collect(planned.physical, session.tasks()).await;
    rows.map(drop).map_err(|error| planned.names.explain(&error))
}
