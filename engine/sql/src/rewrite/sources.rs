//! What stands after FROM: BigQuery's quoted paths, joins that only look whether there is a row; and text in double quotes.

use datafusion::sql::sqlparser::ast::{Expr, Ident, JoinOperator, ObjectName, ObjectNamePart, Select};

use super::ast::text;

/// BigQuery quotes a whole path: `` `bigquery-public-data.crypto_ethereum.blocks` `` is three names.
pub(super) fn split_quoted_path(ObjectName(parts): &mut ObjectName) {
    let quoted_path = match parts.as_slice() {
        [ObjectNamePart::Identifier(ident)] if ident.quote_style == Some('`') && ident.value.contains('.') => {
            ident.clone()
        }
        _ => return,
    };
    let ident = |name: &str| Ident { value: name.to_string(), quote_style: Some('`'), span: quoted_path.span };
    *parts = quoted_path.value.split('.').map(|name| ObjectNamePart::Identifier(ident(name))).collect();
}

/// DuckDB's `SEMI JOIN` and `ANTI JOIN`, which show the table before them, with that said.
pub(super) fn looked_up(select: &mut Select) {
    for join in select.from.iter_mut().flat_map(|table| &mut table.joins) {
        join.join_operator = match &join.join_operator {
            JoinOperator::Semi(on) => JoinOperator::LeftSemi(on.clone()),
            JoinOperator::Anti(on) => JoinOperator::LeftAnti(on.clone()),
            _ => continue,
        };
    }
}

/// BigQuery writes text in double quotes too: dates and hex can't be names of columns.
pub(super) fn quoted_text(name: &Ident) -> Option<Expr> {
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
