//! `WHEN MATCHED …` and `WHEN NOT MATCHED …` of MERGE.

use datafusion::sql::sqlparser::ast::Expr;
use datafusion::sql::sqlparser::keywords::Keyword;
use datafusion::sql::sqlparser::parser::{Parser, ParserError};
use datafusion::sql::sqlparser::tokenizer::Token;

use super::assignments::{column_name, parse_assignments};
use crate::ast::{boolean, nested, syntax_error};
use quarry_types::{Error, ErrorCode, Position, Result};

pub(super) struct Clause {
    pub rows: RowKind,
    pub action: Action,
}

/// The rows that a clause changes.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum RowKind {
    Matched,
    /// `NOT MATCHED [BY TARGET]`.
    OnlySource,
    /// `NOT MATCHED BY SOURCE`.
    OnlyTable,
}

pub(super) enum Action {
    /// The columns that are set.
    Update(Vec<String>),
    /// `UPDATE SET *`: each column is set to that of the same name of the source.
    UpdateAll,
    Delete,
    /// The columns that get values, empty for all, and the number of values.
    Insert(Vec<String>, usize),
    /// `INSERT *`.
    InsertAll,
}

/// Parses all clauses. The condition and the values of each are appended to `expressions`.
pub(super) fn parse_clauses(parser: &mut Parser<'_>, expressions: &mut Vec<Expr>) -> Result<Vec<Clause>> {
    let mut clauses: Vec<Clause> = Vec::new();
    // Rows that a clause without a condition took.
    let mut taken: Vec<RowKind> = Vec::new();
    loop {
        let next = parser.peek_token_ref().clone();
        if next.token == Token::EOF && !clauses.is_empty() {
            return Ok(clauses);
        }
        let refuse = |code: ErrorCode, message: &str| match next.span.start {
            at if at.line > 0 => Error::new(code, message).at(Position { line: at.line, column: at.column }),
            _ => Error::new(code, message),
        };
        let invalid = |message: &str| refuse(ErrorCode::InvalidQuery, message);
        if !parser.parse_keyword(Keyword::WHEN) {
            let message = "The condition of MERGE must be followed by WHEN MATCHED THEN … or WHEN NOT MATCHED THEN ….";
            return Err(refuse(ErrorCode::Syntax, message));
        }
        let (rows, condition) = parse_rows(parser).map_err(syntax_error)?;
        if taken.contains(&rows) {
            return Err(invalid(
                "When several clauses apply to the same rows, all except the last need a condition after AND.",
            ));
        }
        if condition.is_none() {
            taken.push(rows);
        }
        expressions.push(condition.map_or_else(|| boolean(true), nested));
        let word = parser.parse_one_of_keywords(&[Keyword::UPDATE, Keyword::DELETE, Keyword::INSERT]);
        let action = match (word, rows) {
            (Some(Keyword::DELETE), RowKind::Matched | RowKind::OnlyTable) => Action::Delete,
            (Some(Keyword::UPDATE), RowKind::Matched | RowKind::OnlyTable) => parse_update(parser, expressions)?,
            (Some(Keyword::INSERT), RowKind::OnlySource) => parse_insert(parser, expressions)?,
            (_, RowKind::OnlySource) => return Err(invalid("WHEN NOT MATCHED THEN must be followed by INSERT.")),
            _ => return Err(invalid("WHEN MATCHED THEN must be followed by UPDATE SET or DELETE.")),
        };
        if rows == RowKind::OnlyTable && matches!(action, Action::UpdateAll) {
            return Err(invalid(
                "WHEN NOT MATCHED BY SOURCE must name the columns that it sets, as there is no source row.",
            ));
        }
        clauses.push(Clause { rows, action });
    }
}

/// `MATCHED AND condition THEN`.
fn parse_rows(parser: &mut Parser<'_>) -> std::result::Result<(RowKind, Option<Expr>), ParserError> {
    let not = parser.parse_keyword(Keyword::NOT);
    parser.expect_keyword_is(Keyword::MATCHED)?;
    let rows = match not {
        false => RowKind::Matched,
        true if parser.parse_keywords(&[Keyword::BY, Keyword::SOURCE]) => RowKind::OnlyTable,
        true => {
            let _ = parser.parse_keywords(&[Keyword::BY, Keyword::TARGET]);
            RowKind::OnlySource
        }
    };
    let condition = if parser.parse_keyword(Keyword::AND) { Some(parser.parse_expr()?) } else { None };
    parser.expect_keyword_is(Keyword::THEN)?;
    Ok((rows, condition))
}

/// `SET a = 1, b = s.b`, or `SET *`.
fn parse_update(parser: &mut Parser<'_>, expressions: &mut Vec<Expr>) -> Result<Action> {
    parser.expect_keyword_is(Keyword::SET).map_err(syntax_error)?;
    if parser.consume_token(&Token::Mul) {
        return Ok(Action::UpdateAll);
    }
    let (names, values): (Vec<String>, Vec<Expr>) = parse_assignments(parser)?.into_iter().unzip();
    expressions.extend(values);
    Ok(Action::Update(names))
}

/// `(a, b) VALUES (s.a, 1)`, or `*`.
fn parse_insert(parser: &mut Parser<'_>, expressions: &mut Vec<Expr>) -> Result<Action> {
    if parser.consume_token(&Token::Mul) {
        return Ok(Action::InsertAll);
    }
    let mut names = Vec::new();
    if parser.consume_token(&Token::LParen) {
        let listed = parser.parse_comma_separated(|parser| parser.parse_object_name(false)).map_err(syntax_error)?;
        parser.expect_token(&Token::RParen).map_err(syntax_error)?;
        names = listed.iter().map(column_name).collect::<Result<_>>()?;
    }
    parser.expect_keyword_is(Keyword::VALUES).map_err(syntax_error)?;
    parser.expect_token(&Token::LParen).map_err(syntax_error)?;
    let values = parser.parse_comma_separated(Parser::parse_expr).map_err(syntax_error)?;
    parser.expect_token(&Token::RParen).map_err(syntax_error)?;
    let count = values.len();
    expressions.extend(values.into_iter().map(nested));
    Ok(Action::Insert(names, count))
}
