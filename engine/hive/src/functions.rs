//! Every function of HiveQL with any arguments.

use std::collections::BTreeSet;
use std::path::Path;

use datafusion::physical_plan::collect;

use super::command::Command;
use super::plan::ready_here;
use super::settings::Settings;
use super::{calls, read};
use crate::extremes;
use quarry_functions::hive;
use quarry_functions::hive::generate::GENERATORS;
use quarry_runtime::job::Parameters;
use quarry_sql::errors::Names;
use quarry_sql::session::Session;
use quarry_sql::session::tables::{Named, QueryCatalog};
use quarry_types::{Error, Result};

#[test]
fn every_function_ends_well_with_any_arguments() {
    extremes::block_on(async {
        let (_dir, sessions) = extremes::sessions();
        let catalog = QueryCatalog::new(extremes::chain(), Named::from([("t".to_string(), extremes::table())]));
        let session = sessions.start_hive(catalog);
        let state = &session.state;
        let plain = state.scalar_functions().keys().chain(state.aggregate_functions().keys()).cloned();
        let mut names: BTreeSet<(String, bool)> = plain.map(|name| (name, false)).collect();
        names.extend(state.window_functions().keys().map(|name| (name.clone(), true)));
        let written = calls::written().chain(GENERATORS);
        names.extend(written.map(|name| (name.to_string(), false)));
        let mut failures = Vec::new();
        for (function, over) in names {
            for call in extremes::calls(&function) {
                let text = format!("select {call}{} from t", if over { " over (order by l)" } else { "" });
                let failure = extremes::outcome(&text, run(&session, &text)).await;
                failures.extend(failure.map(|failure| (function.clone(), failure)));
            }
        }
        extremes::report(failures);
    });
}

/// Some names are told by two functions of the libraries.
#[test]
fn a_name_means_the_same_function_in_every_process() {
    extremes::block_on(async {
        let held = || {
            let (_dir, sessions) = extremes::sessions();
            let state = sessions.start_hive(QueryCatalog::new(extremes::chain(), Named::new())).state;
            let scalars = state.scalar_functions().iter();
            let mut held: Vec<_> =
                scalars.map(|(name, of)| (name.clone(), of.name().to_string(), of.aliases().to_vec())).collect();
            let aggregates = state.aggregate_functions().iter();
            held.extend(aggregates.map(|(name, of)| (name.clone(), of.name().to_string(), of.aliases().to_vec())));
            held.sort();
            held
        };
        assert_eq!(held(), held());
    });
}

/// Functions of Hive that the query engine has of its own.
const STOCK: [&str; 36] = [
    "array_contains",
    "count",
    "crc32",
    "cume_dist",
    "current_date",
    "current_timestamp",
    "dense_rank",
    "explode",
    "first_value",
    "grouping",
    "lag",
    "last_value",
    "lead",
    "map_keys",
    "map_values",
    "max",
    "min",
    "named_struct",
    "ntile",
    "nullif",
    "percent_rank",
    "printf",
    "rank",
    "regr_avgx",
    "regr_avgy",
    "regr_count",
    "regr_intercept",
    "regr_slope",
    "regr_sxx",
    "regr_sxy",
    "regr_syy",
    "row_number",
    "sha2",
    "size",
    "str_to_map",
    "uuid",
];

#[test]
fn every_function_of_hive_stands_in_a_case() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../engine/tests/slt");
    let files = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let hive = files.filter(|file| file.file_name().unwrap().to_string_lossy().starts_with("hive"));
    let text: String = hive.map(|file| std::fs::read_to_string(file).unwrap().to_lowercase()).collect();
    let words: BTreeSet<&str> = text.split(|letter: char| !letter.is_alphanumeric() && letter != '_').collect();
    // Those that only the rewriter writes go by the names that it rewrites.
    let own = hive::own_names().into_iter().filter(|name| !name.starts_with("hive_"));
    let written = calls::written().chain(GENERATORS).chain(STOCK).map(str::to_string);
    let missing: Vec<String> = own.chain(written).filter(|name| !words.contains(name.as_str())).collect();
    assert!(missing.is_empty(), "no case of tests/slt/hive*.slt calls {missing:?}");
}

async fn run(session: &Session, text: &str) -> Result<()> {
    let Some(Command::Query(query)) = read(text, &Parameters::default(), 1_000_000, Settings::default())?.pop() else {
        return Err(Error::internal("no query was read"));
    };
    let names = Names::new(text, session.catalog.table_names());
    // Without the place of an error, which would be looked for thousands of times.
    let planned = ready_here(&session.state, &session.catalog, names, *query, true).await?;
    let rows = collect(planned.physical, session.tasks()).await;
    rows.map(drop).map_err(|error| planned.names.explain(&error))
}
