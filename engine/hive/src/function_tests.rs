//! Every function of HiveQL ends with rows or an error, for any arguments.

use std::collections::BTreeSet;
use std::path::Path;

use datafusion::physical_plan::collect;

use crate::function_calls;
use crate::parse::parse_script;
use crate::plan::plan_physical;
use crate::rewrite::rewritten_functions;
use crate::tokens::words;
use quarry_functions::hive;
use quarry_functions::hive::generators::GENERATORS;
use quarry_runtime::job::Parameters;
use quarry_sql::errors::Names;
use quarry_sql::session::Session;
use quarry_sql::session::tables::{QueryCatalog, TablesByName};
use quarry_types::{Error, Result};

#[test]
fn every_function_ends_well_with_any_arguments() {
    function_calls::block_on(async {
        let (_dir, sessions) = function_calls::sessions();
        let catalog = QueryCatalog::new(
            function_calls::chain(),
            TablesByName::from([("t".to_string(), function_calls::table())]),
        );
        let session = sessions.start_hive(catalog);
        let state = &session.state;
        let functions = state.scalar_functions().keys().chain(state.aggregate_functions().keys()).cloned();
        let mut names: BTreeSet<(String, bool)> = functions.map(|name| (name, false)).collect();
        names.extend(state.window_functions().keys().map(|name| (name.clone(), true)));
        let written = rewritten_functions().chain(GENERATORS);
        names.extend(written.map(|name| (name.to_string(), false)));
        let mut failures = Vec::new();
        for (function, over) in names {
            for call in function_calls::calls(&function) {
                let text = format!("select {call}{} from t", if over { " over (order by l)" } else { "" });
                let failure = function_calls::outcome(&text, run(&session, &text)).await;
                failures.extend(failure.map(|failure| (function.clone(), failure)));
            }
        }
        function_calls::report(failures);
    });
}

/// Two functions of the libraries have the same name.
#[test]
fn a_name_means_the_same_function_in_every_process() {
    function_calls::block_on(async {
        let functions = || {
            let (_dir, sessions) = function_calls::sessions();
            let state = sessions.start_hive(QueryCatalog::new(function_calls::chain(), TablesByName::new())).state;
            let scalars = state.scalar_functions().iter();
            let mut functions: Vec<_> = scalars
                .map(|(name, function)| (name.clone(), function.name().to_string(), function.aliases().to_vec()))
                .collect();
            let aggregates = state.aggregate_functions().iter();
            functions.extend(
                aggregates
                    .map(|(name, function)| (name.clone(), function.name().to_string(), function.aliases().to_vec())),
            );
            functions.sort();
            functions
        };
        assert_eq!(functions(), functions());
    });
}

/// Functions of Hive that are functions of DataFusion.
const STOCK: &[&str] = words![
    array_contains count crc32 cume_dist current_date current_timestamp dense_rank explode first_value grouping lag
    last_value lead map_keys map_values max min named_struct ntile nullif percent_rank printf rank regr_avgx regr_avgy
    regr_count regr_intercept regr_slope regr_sxx regr_sxy regr_syy row_number sha2 size str_to_map uuid
];

#[test]
fn every_function_of_hive_has_a_case() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../engine/tests/slt");
    let files = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let hive = files.filter(|file| file.file_name().unwrap().to_string_lossy().starts_with("hive"));
    let text: String = hive.map(|file| std::fs::read_to_string(file).unwrap().to_lowercase()).collect();
    let words: BTreeSet<&str> = text.split(|letter: char| !letter.is_alphanumeric() && letter != '_').collect();
    // Functions that only the rewrite calls are tested by the names that it rewrites.
    let own = hive::own_names().into_iter().filter(|name| !name.starts_with("hive_"));
    let written = rewritten_functions().chain(GENERATORS).chain(STOCK.iter().copied()).map(str::to_string);
    let missing: Vec<String> = own.chain(written).filter(|name| !words.contains(name.as_str())).collect();
    assert!(missing.is_empty(), "no case of tests/slt/hive*.slt calls {missing:?}");
}

async fn run(session: &Session, text: &str) -> Result<()> {
    let statement = parse_script(text, &Parameters::default(), 1_000_000, false)?.pop();
    let query = statement.and_then(|statement| statement.query().cloned());
    let query = query.ok_or_else(|| Error::internal("the text is no query"))?;
    let names = Names::new(text, session.catalog.table_names());
    // Without the position of an error, which would take thousands of searches.
    let planned = plan_physical(&session.state, &session.catalog, names, query, true).await?;
    let rows = collect(planned.physical, session.tasks()).await;
    rows.map(drop).map_err(|error| planned.names.explain(&error))
}
