//! Translates PostgreSQL's casts for SQLite.

use sqlparser::ast::{CastKind, DataType, Expr, Ident};

use super::functions::{regclass, regtype};
use super::rewrite::{literal, quoted};

/// Translates a cast. The value is already rewritten.
pub fn cast(inner: &Expr, data_type: &DataType) -> String {
    let name = plain_name(data_type);
    match name.as_str() {
        "regclass" => regclass(&inner.to_string()),
        // A number stays a number. PostgreSQL would show the type's name.
        "regtype" if literal(inner).is_some() => regtype(&inner.to_string()),
        // Functions are known by their names, without a schema.
        "regproc" | "regprocedure" if let Some(name) = literal(inner) => {
            quoted(name.rsplit('.').next().unwrap_or(&name))
        }
        "regtype" | "regproc" | "regprocedure" | "regnamespace" | "regrole" | "regoper" => inner.to_string(),
        _ if name.ends_with("[]") => inner.to_string(),
        number if ["int", "oid", "bigint", "smallint", "xid", "cid"].iter().any(|start| number.starts_with(start)) => {
            plain_cast(inner, "integer")
        }
        _ if is_text(data_type) => plain_cast(inner, "text"),
        _ => inner.to_string(),
    }
}

/// The name of a type in lowercase, without its schema.
pub fn plain_name(data_type: &DataType) -> String {
    let name = data_type.to_string().to_lowercase();
    name.rsplit('.').next().unwrap_or_default().to_string()
}

pub fn is_text(data_type: &DataType) -> bool {
    const TEXTS: [&str; 6] = ["text", "name", "varchar", "char", "\"char\"", "information_schema"];
    let name = plain_name(data_type);
    !name.ends_with("[]") && TEXTS.iter().any(|start| name.starts_with(start))
}

fn plain_cast(inner: &Expr, name: &str) -> String {
    let data_type = DataType::Custom(vec![Ident::new(name)].into(), Vec::new());
    let kind = CastKind::Cast;
    Expr::Cast { kind, expr: Box::new(inner.clone()), data_type, array: false, format: None }.to_string()
}
