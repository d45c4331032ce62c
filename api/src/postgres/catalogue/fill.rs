//! Fills the catalog with the tables and columns that a user may read.

use std::collections::BTreeSet;
use std::fmt::Write;

use quarry_engine::catalog::Catalog;
use quarry_runtime::user_tables::UserTable;

use super::super::types::{self, LISTS};
use super::arrays;

const SCHEMA: &str = include_str!("schema.sql");

/// The database that every client sees.
pub const DATABASE: &str = "quarry";
/// The schema whose tables are found without its name.
pub const MAIN_SCHEMA: &str = "ethereum";
/// The version of PostgreSQL whose catalogue it looks like.
pub const VERSION: &str = "15.0";
/// OIDs of the database and of its owner.
const DATABASE_OID: u32 = 16_384;
const OWNER: u32 = 10;
/// OID of `pg_class` itself, which descriptions refer to.
const CLASS_OF_TABLES: u32 = 1_259;

/// OID, name, length, category, and the name that `format_type` returns.
const TYPES: [(u32, &str, i32, &str, &str); 23] = [
    (types::BOOL, "bool", 1, "B", "boolean"),
    (types::BYTEA, "bytea", -1, "U", "bytea"),
    (types::CHAR, "char", 1, "Z", "\"char\""),
    (types::NAME, "name", 64, "S", "name"),
    (types::INT8, "int8", 8, "N", "bigint"),
    (types::INT2, "int2", 2, "N", "smallint"),
    (types::INT4, "int4", 4, "N", "integer"),
    (types::TEXT, "text", -1, "S", "text"),
    (types::OID, "oid", 4, "N", "oid"),
    (types::JSON, "json", -1, "U", "json"),
    (types::FLOAT4, "float4", 4, "N", "real"),
    (types::FLOAT8, "float8", 8, "N", "double precision"),
    (types::VARCHAR, "varchar", -1, "S", "character varying"),
    (types::DATE, "date", 4, "D", "date"),
    (types::TIME, "time", 8, "D", "time without time zone"),
    (types::TIMESTAMP, "timestamp", 8, "D", "timestamp without time zone"),
    (types::TIMESTAMPTZ, "timestamptz", 8, "D", "timestamp with time zone"),
    (types::INTERVAL, "interval", 16, "T", "interval"),
    (types::NUMERIC, "numeric", -1, "N", "numeric"),
    (types::BPCHAR, "bpchar", -1, "S", "character"),
    (types::TIMETZ, "timetz", 12, "D", "time with time zone"),
    (types::UUID, "uuid", 16, "U", "uuid"),
    (types::JSONB, "jsonb", -1, "U", "jsonb"),
];
/// Types whose I/O functions have an underscore: `date_in`, but `int4in`.
const SPACED: [&str; 10] =
    ["date", "interval", "json", "jsonb", "numeric", "time", "timestamp", "timestamptz", "timetz", "uuid"];

/// A column of any table.
struct Column<'a> {
    name: &'a str,
    type_name: &'a str,
    doc: &'a str,
    nullable: bool,
}

/// The script that makes the catalogue of a user.
pub fn script(user: &str, catalogue: &Catalog, own: &[UserTable], settings: &[(&str, String)]) -> String {
    let may = text(&arrays::written(&[format!("{user}=r/{user}")]));
    let mut filled = Filled { script: SCHEMA.to_string(), user: text(user), may, schemas: Vec::new() };
    filled.fixed(settings);
    filled.keywords(&catalogue.keywords);
    for schema in &catalogue.schemas {
        for table in &schema.tables {
            let columns = table.columns.iter().map(|column| Column {
                name: &column.name,
                type_name: &column.type_name,
                doc: &column.doc,
                nullable: column.nullable,
            });
            filled.table(&schema.name, &table.name, &table.doc, table.rows, &columns.collect::<Vec<_>>());
        }
    }
    for table in own {
        let columns = table.columns.iter().map(|column| Column {
            name: &column.name,
            type_name: &column.type_name,
            doc: "",
            nullable: true,
        });
        filled.table(&table.schema, &table.name, "", Some(table.rows), &columns.collect::<Vec<_>>());
    }
    filled.script
}

struct Filled {
    script: String,
    /// The user's name in quotes.
    user: String,
    /// What the user may do with tables: read them. Without it, owners may do everything.
    may: String,
    schemas: Vec<String>,
}

impl Filled {
    fn insert(&mut self, table: &str, values: std::fmt::Arguments<'_>) {
        // Writing into a text never fails.
        let _ = writeln!(self.script, "insert into {table} values ({values});");
    }

    fn fixed(&mut self, settings: &[(&str, String)]) {
        let user = self.user.clone();
        self.insert(
            "pg_catalog.pg_database",
            format_args!("{DATABASE_OID}, '{DATABASE}', {OWNER}, 6, 'c', 0, 1, -1, 0, 0, 1663, 'C.UTF-8', 'C.UTF-8', null, null, null"),
        );
        self.insert("pg_catalog.pg_roles", format_args!("{OWNER}, {user}, 0, 1, 0, 0, 1, 0, -1, null, null, 0, null"));
        self.insert("information_schema.enabled_roles", format_args!("{user}"));
        self.insert("pg_catalog.pg_user", format_args!("{user}, {OWNER}, 0, 0, 0, 0, null, null, null"));
        for (oid, name, length, category, formatted) in TYPES {
            let function = if SPACED.contains(&name) { format!("{name}_") } else { name.to_string() };
            let list = LISTS.iter().find(|(_, item)| *item == oid).map_or(0, |(list, _)| *list);
            self.data_type((oid, name, length, category, formatted), &function, (0, list));
            if list != 0 {
                let (name, formatted) = (format!("_{name}"), format!("{formatted}[]"));
                self.data_type((list, &name, -1, "A", &formatted), "array_", (oid, 0));
            }
        }
        for (name, setting) in settings {
            let setting = text(setting);
            self.insert(
                "pg_catalog.pg_settings",
                format_args!(
                    "'{name}', {setting}, null, '', '', null, 'internal', 'string', 'default', null, null, null, \
                     {setting}, {setting}, null, null, 0"
                ),
            );
        }
        self.schema("pg_catalog");
        self.schema("information_schema");
        self.schema(MAIN_SCHEMA);
    }

    /// The words of Quarry's SQL. Some of them come as pairs: `group by`.
    fn keywords(&mut self, keywords: &[&str]) {
        let words: BTreeSet<&str> = keywords.iter().flat_map(|keyword| keyword.split_whitespace()).collect();
        for word in words {
            let word = text(word);
            self.insert("pg_catalog.pg_get_keywords", format_args!("{word}, 'R', 0, 'reserved', 'requires AS'"));
        }
    }

    /// A type, with the prefix of its I/O functions, its item type and its array type (0 for none).
    fn data_type(
        &mut self,
        (oid, name, length, category, formatted): (u32, &str, i32, &str, &str),
        function: &str,
        (item, list): (u32, u32),
    ) {
        self.insert(
            "pg_catalog.pg_type",
            format_args!(
                "{oid}, '{name}', 11, {OWNER}, {length}, 0, 'b', '{category}', 0, 1, ',', 0, null, {item}, {list}, \
                 '{function}in', '{function}out', '{function}recv', '{function}send', null, null, null, 'i', 'p', 0, 0, -1, \
                 0, 0, null, null, null, '{formatted}'"
            ),
        );
    }

    fn schema(&mut self, name: &str) {
        if self.schemas.iter().any(|known| known == name) {
            return;
        }
        self.schemas.push(name.to_string());
        let (oid, quoted, user) = (schema_oid(name), text(name), self.user.clone());
        self.insert("pg_catalog.pg_namespace", format_args!("{oid}, {quoted}, {OWNER}, null"));
        self.insert(
            "information_schema.schemata",
            format_args!("'{DATABASE}', {quoted}, {user}, null, null, null, null"),
        );
    }

    fn table(&mut self, schema: &str, name: &str, doc: &str, rows: Option<u64>, columns: &[Column<'_>]) {
        self.schema(schema);
        let (oid, schema_oid) = (oid(&format!("{schema}.{name}")), schema_oid(schema));
        let (schema, name, user) = (text(schema), text(name), self.user.clone());
        let may = self.may.clone();
        let (count, rows) = (columns.len(), rows.map_or(-1, |rows| i64::try_from(rows).unwrap_or(i64::MAX)));
        self.insert(
            "pg_catalog.pg_class",
            format_args!(
                "{oid}, {name}, {schema_oid}, 0, 0, {OWNER}, 2, {oid}, 0, 0, {rows}, 0, 0, 0, 0, 'p', 'r', {count}, 0, 0, 0, \
                 0, 0, 0, 1, 'd', 0, 0, 0, 0, {may}, null, null, 0"
            ),
        );
        self.insert("pg_catalog.pg_tables", format_args!("{schema}, {name}, {user}, null, 0, 0, 0, 0"));
        self.insert(
            "pg_catalog.pg_stat_user_tables",
            format_args!("{oid}, {schema}, {name}, 0, {rows}, 0, null, null"),
        );
        self.insert(
            "information_schema.tables",
            format_args!(
                "'{DATABASE}', {schema}, {name}, 'BASE TABLE', null, null, null, null, null, 'NO', 'NO', null"
            ),
        );
        self.description(oid, 0, doc);
        for (place, column) in columns.iter().enumerate() {
            self.column((oid, &schema, &name), place + 1, column);
        }
    }

    fn column(&mut self, (table, schema, table_name): (u32, &str, &str), place: usize, column: &Column<'_>) {
        let (oid, length, modifier) = types::of_name(column.type_name);
        let known = TYPES.iter().find(|known| known.0 == oid);
        let (udt, formatted) = known.map_or(("text", "text"), |known| (known.1, known.4));
        let (name, not_null, may) = (text(column.name), i32::from(!column.nullable), self.may.clone());
        self.insert(
            "pg_catalog.pg_attribute",
            format_args!(
                "{table}, {name}, {oid}, -1, {length}, {place}, 0, -1, {modifier}, 0, 'p', 'i', '', {not_null}, 0, 0, '', '', 0, \
                 1, 0, 0, {may}, null, null, null"
            ),
        );
        let nullable = if column.nullable { "YES" } else { "NO" };
        let (precision, scale) = match modifier {
            -1 => ("null".to_string(), "null".to_string()),
            packed => (((packed - 4) >> 16).to_string(), ((packed - 4) & 0xFFFF).to_string()),
        };
        self.insert(
            "information_schema.columns",
            format_args!(
                "'{DATABASE}', {schema}, {table_name}, {name}, {place}, null, '{nullable}', '{formatted}', null, null, \
                 {precision}, 10, {scale}, null, null, '{DATABASE}', 'pg_catalog', '{udt}', 'NO', null, 'NEVER', null, 'NO'"
            ),
        );
        self.description(table, place, column.doc);
    }

    fn description(&mut self, table: u32, column: usize, doc: &str) {
        if !doc.is_empty() {
            let doc = text(doc);
            self.insert("pg_catalog.pg_description", format_args!("{table}, {CLASS_OF_TABLES}, {column}, {doc}"));
        }
    }
}

/// OID of a schema. PostgreSQL's own schemas have fixed ones.
fn schema_oid(name: &str) -> u32 {
    match name {
        "pg_catalog" => 11,
        "information_schema" => 13_000,
        other => oid(other),
    }
}

/// OID of a schema or table: the same on every connection and after a restart, since clients remember it.
fn oid(name: &str) -> u32 {
    let hash = name.bytes().fold(0x811c_9dc5_u32, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193));
    // Above the OIDs of PostgreSQL's own objects, and within the range of a signed integer.
    20_000 + hash % 2_000_000_000
}

/// A string literal.
fn text(plain: &str) -> String {
    format!("'{}'", plain.replace('\0', "").replace('\'', "''"))
}
