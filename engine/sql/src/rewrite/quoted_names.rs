//! BigQuery's quotes: a whole path in backticks, and text in double quotes.

use datafusion::sql::sqlparser::ast::{Expr, Ident, ObjectName, ObjectNamePart};

use super::ast::text;

/// `` `bigquery-public-data.crypto_ethereum.blocks` `` is three names.
pub(super) fn split_path(ObjectName(parts): &mut ObjectName) {
    let path = match parts.as_slice() {
        [ObjectNamePart::Identifier(ident)] if ident.quote_style == Some('`') && ident.value.contains('.') => {
            ident.clone()
        }
        _ => return,
    };
    let ident = |name: &str| Ident { value: name.to_string(), ..path.clone() };
    *parts = path.value.split('.').map(|name| ObjectNamePart::Identifier(ident(name))).collect();
}

/// A date or hex in double quotes as text: no column has such a name.
pub(super) fn as_text(name: &Ident) -> Option<Expr> {
    let value = name.value.as_str();
    let is_date = value.len() >= 10
        && value.bytes().enumerate().take(10).all(|(index, byte)| match index {
            4 | 7 => byte == b'-',
            _ => byte.is_ascii_digit(),
        });
    let is_hex = value
        .strip_prefix("0x")
        .is_some_and(|digits| digits.len() >= 8 && digits.bytes().all(|digit| digit.is_ascii_hexdigit()));
    (name.quote_style == Some('"') && (is_date || is_hex)).then(|| text(value))
}
