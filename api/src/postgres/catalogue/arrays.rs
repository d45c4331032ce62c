//! Evaluates array literals such as `'{a,b}'`, and functions of them, during the rewrite: SQLite has no arrays.

use sqlparser::ast::{AccessExpr, Expr, Subscript};

use super::rewrite::{literal, quoted};
use crate::postgres::lists;
use crate::postgres::types::TEXT;

/// Evaluates a call whose arguments are literals; `None` for any other.
pub fn call(name: &str, args: &[String]) -> Option<String> {
    let first = text_of(args.first()?)?;
    match name {
        "parse_ident" => Some(quoted(&written(&identifier(&first)?))),
        "string_to_array" => {
            let separator = text_of(args.get(1)?).filter(|separator| !separator.is_empty())?;
            let items: Vec<String> = first.split(separator.as_str()).map(str::to_string).collect();
            Some(quoted(&written(&items)))
        }
        _ => {
            let count = items(&first)?.len();
            Some(match (name, count) {
                ("cardinality", _) => count.to_string(),
                (_, 0) => "null".to_string(),
                ("array_lower", _) => "1".to_string(),
                _ => count.to_string(),
            })
        }
    }
}

/// Evaluates `('{a,b}')[2]`. Any other subscript is null, since every array column of the catalog is null.
pub fn subscript(root: &Expr, chain: &[AccessExpr]) -> String {
    let item = || {
        let [AccessExpr::Subscript(Subscript::Index { index })] = chain else { return None };
        let place = index.to_string().parse::<usize>().ok()?.checked_sub(1)?;
        items(&literal(root)?)?.into_iter().nth(place).map(|item| quoted(&item))
    };
    item().unwrap_or_else(|| "null".to_string())
}

/// The query for `unnest('{a,b}')`, with one column.
pub fn rows(array: &Expr, column: &str) -> String {
    let column = format!("\"{}\"", column.replace('"', "\"\""));
    let items = literal(array).and_then(|text| items(&text)).unwrap_or_default();
    if items.is_empty() {
        return format!("select null as {column} where 0");
    }
    items.iter().map(|item| format!("select {} as {column}", quoted(item))).collect::<Vec<_>>().join(" union all ")
}

/// The items of `{a,b}`; `None` if it is malformed or contains a null.
pub fn items(text: &str) -> Option<Vec<String>> {
    let items = lists::items(text.as_bytes(), TEXT, 0).ok()?;
    items.into_iter().map(|item| String::from_utf8(item?).ok()).collect()
}

/// Items as an array literal, quoted where PostgreSQL quotes them.
pub fn written(items: &[String]) -> String {
    let written = |item: &String| {
        let special = |letter: char| matches!(letter, '"' | '\\' | '{' | '}' | ',') || letter.is_whitespace();
        if item.is_empty() || item.eq_ignore_ascii_case("null") || item.contains(special) {
            format!("\"{}\"", item.replace('\\', "\\\\").replace('"', "\\\""))
        } else {
            item.clone()
        }
    };
    format!("{{{}}}", items.iter().map(written).collect::<Vec<_>>().join(","))
}

/// The text of an argument that is a string literal; `None` for any other expression.
pub fn text_of(arg: &str) -> Option<String> {
    let inside = arg.strip_prefix('\'')?.strip_suffix('\'')?;
    let text = inside.replace("''", "\0");
    (!text.contains('\'')).then(|| text.replace('\0', "'"))
}

/// The parts of a name such as `ethereum."My Table"`.
fn identifier(name: &str) -> Option<Vec<String>> {
    let (mut parts, mut part, mut quoted) = (Vec::new(), String::new(), false);
    for letter in name.chars() {
        match letter {
            '"' => quoted = !quoted,
            '.' if !quoted => parts.push(std::mem::take(&mut part)),
            other if quoted => part.push(other),
            other => part.extend(other.to_lowercase()),
        }
    }
    parts.push(part);
    (!quoted && parts.iter().all(|part| !part.is_empty())).then_some(parts)
}
