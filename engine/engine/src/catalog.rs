//! The tables, columns, functions and keywords of SQL here, for editors and documentation.

use arrow::datatypes::{Field, SchemaRef};
use datafusion::logical_expr::Documentation;

use quarry_functions::{INTERNAL, LAMBDAS};
use quarry_labels as labels;
use quarry_lake::tables::{Column, Synonym, Table};
use quarry_sql::context::QueryContext;
use quarry_sql::function_docs;
use quarry_sql::session::tables::{CHAIN, MAIN, ROLLUPS};
use quarry_sql::views;
use quarry_types::Result;
use quarry_types::type_names::type_name;
use quarry_types::uint256::is_uint256;

/// Everything a query can name.
#[derive(Debug, Clone, serde::Serialize)]
pub struct Catalog {
    pub schemas: Vec<SchemaEntry>,
    pub functions: Vec<FunctionEntry>,
    pub keywords: Vec<&'static str>,
}

#[derive(Debug, Clone, serde::Serialize)]
pub struct SchemaEntry {
    pub name: String,
    pub tables: Vec<TableEntry>,
}

#[derive(Debug, Clone, serde::Serialize)]
pub struct TableEntry {
    pub name: String,
    pub doc: String,
    /// Rows now, if known.
    pub rows: Option<u64>,
    pub columns: Vec<ColumnEntry>,
    pub synonyms: Vec<SynonymEntry>,
}

#[derive(Debug, Clone, serde::Serialize)]
pub struct SynonymEntry {
    pub name: &'static str,
    /// The column, or an expression over columns of the table.
    pub means: &'static str,
}

#[derive(Debug, Clone, serde::Serialize)]
pub struct ColumnEntry {
    pub name: String,
    #[serde(rename = "type")]
    pub type_name: String,
    pub doc: String,
    /// The unit of its numbers (`wei`, `gas`, `bytes`, …), or empty.
    pub unit: &'static str,
    pub nullable: bool,
}

#[derive(Debug, Clone, serde::Serialize)]
pub struct FunctionEntry {
    pub name: String,
    /// `scalar`, `aggregate` or `window`.
    pub kind: &'static str,
    pub signature: String,
    pub doc: String,
    pub example: String,
}

/// Words that the editor completes and highlights.
const KEYWORDS: &str = "\
    select, distinct, from, where, group by, having, order by, limit, offset, join, inner join, left join, \
    right join, full join, cross join, on, using, union, union all, intersect, except, with, recursive, as, and, \
    or, not, in, exists, between, like, ilike, is null, is not null, case, when, then, else, end, cast, try_cast, \
    interval, date, timestamp, true, false, null, asc, desc, nulls first, nulls last, over, partition by, \
    rows between, range between, unbounded preceding, unbounded following, current row, filter, qualify, values, \
    explain";

pub(crate) async fn build(core: &QueryContext) -> Result<Catalog> {
    let snapshot = core.lake.snapshot().await?;
    let chain = Table::ALL.into_iter().map(|table| chain_table(table, snapshot.rows(table))).collect();
    let mut schemas = vec![SchemaEntry { name: CHAIN.to_string(), tables: chain }];
    let table = |name: &str, doc: &str, columns: Vec<ColumnEntry>| TableEntry {
        name: name.to_string(),
        doc: doc.to_string(),
        rows: None,
        columns,
        synonyms: Vec::new(),
    };
    let has_rollups = snapshot.without_rollups.is_empty();
    for view in views::ALL.into_iter().filter(|view| view.schema != ROLLUPS || has_rollups) {
        let columns = view.columns.iter().map(|defined| column(&defined.field(), defined.doc, defined.unit));
        add(&mut schemas, view.schema, vec![table(view.name, view.doc, columns.collect())]);
    }
    if has_rollups {
        let tables = Table::DERIVED.into_iter().map(|table| chain_table(table, snapshot.rows(table))).collect();
        add(&mut schemas, ROLLUPS, tables);
    }
    let label_columns = |schema: SchemaRef, columns: &[Column]| {
        let columns = schema.fields().iter().zip(columns);
        columns.map(|(field, defined)| column(field, defined.doc, defined.unit)).collect()
    };
    let addresses = label_columns(labels::address_schema(), &labels::ADDRESS_COLUMNS);
    let dapps = label_columns(labels::dapp_schema(), &labels::DAPP_COLUMNS);
    let labels = vec![
        table(labels::ADDRESSES, "Labels of addresses, found by rules or assigned by people.", addresses),
        table(labels::DAPPS, "The registry of DApps: one row per contract.", dapps),
    ];
    add(&mut schemas, labels::SCHEMA, labels);
    let attached = core.attached.all();
    if !attached.is_empty() {
        let columns = |schema: SchemaRef| schema.fields().iter().map(|field| column(field, "", "")).collect();
        let tables = attached.iter();
        let tables = tables.map(|(name, file)| table(name, "An attached file.", columns(file.schema()))).collect();
        add(&mut schemas, MAIN, tables);
    }
    Ok(Catalog { schemas, functions: functions(core), keywords: KEYWORDS.split(", ").collect() })
}

/// Adds tables to a schema, which may be new.
fn add(schemas: &mut Vec<SchemaEntry>, name: &str, tables: Vec<TableEntry>) {
    match schemas.iter_mut().find(|schema| schema.name == name) {
        Some(schema) => schema.tables.extend(tables),
        None => schemas.push(SchemaEntry { name: name.to_string(), tables }),
    }
}

fn chain_table(table: Table, rows: u64) -> TableEntry {
    let def = table.def();
    let columns = def.columns.iter().map(|defined| column(&defined.field(), defined.doc, defined.unit));
    let synonyms = def.synonyms.iter().map(|&Synonym { name, means }| SynonymEntry { name, means });
    TableEntry {
        name: def.name.to_string(),
        doc: def.doc.to_string(),
        rows: Some(rows),
        columns: columns.collect(),
        synonyms: synonyms.collect(),
    }
}

fn column(field: &Field, doc: &str, unit: &'static str) -> ColumnEntry {
    ColumnEntry {
        name: field.name().clone(),
        type_name: type_name(field.data_type(), is_uint256(field)),
        doc: doc.to_string(),
        unit,
        nullable: field.is_nullable(),
    }
}

fn functions(core: &QueryContext) -> Vec<FunctionEntry> {
    let state = core.sessions.base();
    let mut entries: Vec<FunctionEntry> = Vec::new();
    let scalar = state.scalar_functions().iter().map(|(name, function)| (name, function.documentation()));
    let listed = scalar.filter(|(_, doc)| doc.is_none_or(|doc| doc.doc_section.include));
    entries.extend(listed.map(|(name, doc)| entry(name, "scalar", doc)));
    let aggregate = state.aggregate_functions().iter();
    entries.extend(aggregate.map(|(name, function)| entry(name, "aggregate", function.documentation())));
    let window = state.window_functions().iter();
    entries.extend(window.map(|(name, function)| entry(name, "window", function.documentation())));
    let has_own_entry = |name: &str| function_docs().any(|function| function.name == name);
    entries.retain(|entry| !INTERNAL.contains(&entry.name.as_str()) && !has_own_entry(&entry.name));
    let documented = function_docs().map(|function| (function.name, function.kind, &function.doc));
    let documented = documented.chain(LAMBDAS.iter().map(|(name, doc)| (*name, "scalar", doc)));
    entries.extend(documented.map(|(name, kind, doc)| entry(name, kind, Some(&doc.documentation()))));
    entries.sort_by(|a, b| (&a.name, a.kind).cmp(&(&b.name, b.kind)));
    entries
}

fn entry(name: &str, kind: &'static str, doc: Option<&Documentation>) -> FunctionEntry {
    FunctionEntry {
        name: name.to_string(),
        kind,
        signature: doc.map_or_else(|| format!("{name}(…)"), |doc| doc.syntax_example.clone()),
        doc: doc.map(|doc| doc.description.trim().to_string()).unwrap_or_default(),
        example: doc.and_then(|doc| doc.sql_example.clone()).unwrap_or_default(),
    }
}
