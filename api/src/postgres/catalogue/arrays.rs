//! Evaluates array literals such as `'{a,b}'`, and functions of them, during the rewrite: SQLite has no arrays.

use sqlparser::ast::{AccessExpr, Expr, Subscript};

use super::rewrite::{literal, placeholder, quoted, whole};
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

/// Evaluates `('{a,b}')[2]` and `('{a,b}')[1:2]`. Those of a column are null, as array columns of the catalog are.
pub fn subscript(root: &Expr, chain: &[AccessExpr]) -> Result<String, String> {
    if placeholder(root).is_some() {
        return Err("it takes an item of a bound array".to_string());
    }
    let items = literal(root).and_then(|text| items(&text));
    let (Some(items), [AccessExpr::Subscript(part)]) = (items, chain) else { return Ok("null".to_string()) };
    match part {
        Subscript::Index { index } => Ok(item(&items, index)),
        Subscript::Slice { lower_bound, upper_bound, stride: None } => {
            let bound = |bound: &Option<Expr>, none| bound.as_ref().map_or(Some(none), whole);
            let most = i64::try_from(items.len()).unwrap_or(i64::MAX);
            let bounds = bound(lower_bound, 1).zip(bound(upper_bound, most));
            let (from, to) = bounds.ok_or("it slices an array between bounds that are not numbers")?;
            let within = |place: usize| i64::try_from(place + 1).is_ok_and(|place| (from..=to).contains(&place));
            let kept = items.into_iter().enumerate().filter(|(place, _)| within(*place)).map(|(_, item)| item);
            Ok(quoted(&written(&kept.collect::<Vec<_>>())))
        }
        Subscript::Slice { .. } => Err("it slices an array with a stride".to_string()),
    }
}

/// The item at an index, which may be a column.
fn item(items: &[String], index: &Expr) -> String {
    if let Some(place) = whole(index) {
        let item = usize::try_from(place).ok().and_then(|place| items.get(place.checked_sub(1)?));
        return item.map_or_else(|| "null".to_string(), |item| quoted(item));
    }
    let cases = items.iter().enumerate().map(|(place, item)| format!("when {} then {}", place + 1, quoted(item)));
    let cases: Vec<String> = cases.collect();
    if cases.is_empty() { "null".to_string() } else { format!("case {index} {} end", cases.join(" ")) }
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
