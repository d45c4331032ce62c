//! The manuals in `data/docs`: every example that a reader can open in the editor runs on the sample chain, and the file
//! that describes the tables says what the code says.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use quarry_engine::Engine;
use quarry_ingest::sample::{FEWEST_TRANSACTIONS, SampleConfig, write};
use quarry_lake::Lake;
use quarry_mapreduce::job_file;
use quarry_runtime::EngineConfig;
use quarry_runtime::job::{JobKind, JobRequest, Schemas};
use serde_json::{Value, json};

/// The description without its examples: rows without an order come in any order.
fn without_examples(mut tables: Value) -> Value {
    let tables_of = tables.as_object_mut().unwrap().values_mut();
    for column in tables_of.flat_map(|table| table["columns"].as_array_mut().unwrap()) {
        column.as_object_mut().unwrap().remove("example");
    }
    tables
}

/// Most characters of an example value.
const LONGEST_EXAMPLE: usize = 66;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../data/docs")
}

struct Sample {
    engine: std::sync::Arc<Engine>,
    _home: tempfile::TempDir,
}

impl Sample {
    async fn open() -> Sample {
        let home = tempfile::tempdir().unwrap();
        let lake = Lake::open(&home.path().join("lake")).await.unwrap();
        write(&lake, SampleConfig { transactions: FEWEST_TRANSACTIONS, seed: 1, days: None }, |_| ()).await.unwrap();
        drop(lake);
        Sample { engine: Engine::open(EngineConfig::at(home.path())).unwrap(), _home: home }
    }

    /// The columns and first rows of a query, or why it failed.
    async fn sql(&self, id: &str, text: &str) -> Result<(Vec<String>, Vec<Vec<Value>>), String> {
        self.run(id, JobRequest { text: text.to_string(), ..JobRequest::default() }).await
    }

    async fn run(&self, id: &str, request: JobRequest) -> Result<(Vec<String>, Vec<Vec<Value>>), String> {
        // Labels and tables that an example makes are the reader's own.
        let schemas = Schemas { own: Some("user_reader".to_string()), ..Schemas::default() };
        let request = JobRequest { id: id.to_string(), owner: "reader".to_string(), schemas, ..request };
        let job = self.engine.submit(request).unwrap().wait().await;
        if let Some(error) = job.error {
            return Err(error.message);
        }
        let result = self.engine.result(id).unwrap();
        let columns = result.columns().iter().map(|column| column.name.clone()).collect();
        Ok((columns, result.page(0, 100).unwrap()))
    }
}

fn texts(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            texts(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "md") {
            found.push(path);
        }
    }
}

/// Every code fence of the manuals by what stands behind its marks and its text, with the page of each.
fn fences() -> BTreeMap<(String, String), PathBuf> {
    let mut pages = Vec::new();
    texts(&folder(), &mut pages);
    let mut found = BTreeMap::new();
    for page in pages {
        let text = std::fs::read_to_string(&page).unwrap();
        let mut parts = text.split("```");
        // Prose and code take turns.
        while let (Some(_prose), Some(code)) = (parts.next(), parts.next()) {
            let (info, code) = code.split_once('\n').unwrap();
            found.insert((info.to_string(), code.to_string()), page.clone());
        }
    }
    found
}

#[tokio::test(flavor = "multi_thread")]
async fn every_example_of_the_manuals_finds_something() {
    let sample = Sample::open().await;
    let fences = fences();
    let examples = fences.iter().filter_map(|((info, text), page)| Some((info.strip_suffix(" run")?, text, page)));
    let (mut wrong, mut ran) = (Vec::new(), BTreeSet::new());
    for (index, (language, text, page)) in examples.enumerate() {
        ran.insert(language);
        let request = |kind| JobRequest { kind, text: text.clone(), ..JobRequest::default() };
        let form = |kind, spec| JobRequest { kind, spec: Some(spec), ..JobRequest::default() };
        let request = match language {
            "sql" => request(JobKind::Sql),
            "cypher" => request(JobKind::Graph),
            "hive" => request(JobKind::Hive),
            "mapreduce" => form(JobKind::MapReduce, job_file(text).unwrap().spec),
            "label" => form(JobKind::Label, serde_json::from_str(text).unwrap()),
            other => panic!("{}: no query is written in {other}", page.display()),
        };
        match sample.run(&format!("example-{index}"), request).await {
            Ok((_, rows)) if !rows.is_empty() => (),
            Ok(_) => wrong.push(format!("{}: nothing found\n{text}", page.display())),
            Err(message) => wrong.push(format!("{}: {message}\n{text}", page.display())),
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert_eq!(ran.len(), 5, "every kind of query is taught: {ran:?}");
}

#[tokio::test(flavor = "multi_thread")]
#[allow(clippy::disallowed_methods, reason = "a switch of the test run, not a setting of the product")]
async fn the_description_of_the_tables_is_what_the_code_says() {
    let sample = Sample::open().await;
    let mut tables = BTreeMap::new();
    for schema in sample.engine.catalog().await.unwrap().schemas {
        for table in schema.tables {
            let name = format!("{}.{}", schema.name, table.name);
            let id = format!("rows-{}-{}", schema.name, table.name);
            let quoted: Vec<String> = table.columns.iter().map(|column| format!("\"{}\"", column.name)).collect();
            let query = format!("select {} from {name} limit 100", quoted.join(", "));
            let (_, rows) = sample.sql(&id, &query).await.unwrap();
            let columns = table.columns.iter().enumerate().map(|(index, column)| {
                let value = rows.iter().map(|row| &row[index]).find(|value| !value.is_null());
                json!({
                    "name": column.name, "type": column.type_name, "unit": column.unit, "nullable": column.nullable,
                    "doc": column.doc, "example": value.map(shown).unwrap_or_default(),
                })
            });
            let columns: Vec<Value> = columns.collect();
            tables.insert(name, json!({"doc": table.doc, "columns": columns, "synonyms": table.synonyms}));
        }
    }
    let expected = format!("{}\n", serde_json::to_string_pretty(&tables).unwrap());
    let path = folder().join("tables.json");
    if std::env::var("UPDATE_EXPECT").is_ok() {
        std::fs::write(&path, &expected).unwrap();
    }
    let held: Value = serde_json::from_str(&std::fs::read_to_string(&path).unwrap()).unwrap();
    let made: Value = serde_json::from_str(&expected).unwrap();
    assert!(
        without_examples(held) == without_examples(made),
        "data/docs/tables.json is old: run this test with UPDATE_EXPECT=1"
    );
    let shown = fences();
    let described: BTreeSet<&str> = shown.keys().filter_map(|(info, _)| info.strip_prefix("live table ")).collect();
    assert_eq!(described, tables.keys().map(String::as_str).collect(), "the tables that the manuals describe");
    let functions = sample.engine.catalog().await.unwrap().functions;
    let functions: BTreeMap<&str, &str> =
        functions.iter().map(|function| (function.name.as_str(), function.doc.as_str())).collect();
    let lists = shown.iter().filter(|((info, _), _)| info == "live functions");
    let named: BTreeSet<&str> = lists.flat_map(|((_, text), _)| text.split_whitespace()).collect();
    assert_eq!(
        named.iter().filter(|name| !functions.contains_key(**name)).collect::<Vec<_>>(),
        [&""; 0],
        "functions that are not there"
    );
    let words = std::fs::read_to_string(folder().join("zh/sentences.json")).unwrap();
    let words: BTreeMap<String, String> = serde_json::from_str(&words).unwrap();
    let columns = tables.values().flat_map(|table| table["columns"].as_array().unwrap());
    let mut sentences: BTreeSet<&str> =
        tables.values().chain(columns).map(|one| one["doc"].as_str().unwrap()).collect();
    sentences.extend(named.iter().map(|name| functions[name]));
    let missing: Vec<&&str> = sentences.iter().filter(|sentence| !words.contains_key(**sentence)).collect();
    assert!(missing.is_empty(), "data/docs/zh/sentences.json says no Chinese for {missing:#?}");
}

/// A value as the manuals show it.
fn shown(value: &Value) -> String {
    let text = value.as_str().map_or_else(|| value.to_string(), str::to_string);
    if text.chars().count() <= LONGEST_EXAMPLE {
        return text;
    }
    let kept: String = text.chars().take(LONGEST_EXAMPLE - 1).collect();
    format!("{kept}…")
}
