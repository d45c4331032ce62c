//! The dialect of the parser: its Hive dialect, with Hive's strings and operators.

use std::any::TypeId;

use datafusion::sql::sqlparser::ast::{BinaryOperator, Expr, UnaryOperator};
use datafusion::sql::sqlparser::dialect::{Dialect, HiveDialect, Precedence};
use datafusion::sql::sqlparser::keywords::Keyword;
use datafusion::sql::sqlparser::parser::{Parser, ParserError};
use datafusion::sql::sqlparser::tokenizer::Token;

use quarry_sql::syntax::dialect::{distinct_from, not_exists};

/// Features of the parser that are on.
macro_rules! features {
    ($($feature:ident)*) => { $(fn $feature(&self) -> bool { true })* };
}

/// HiveQL as in Hive 3.
#[derive(Debug)]
pub(crate) struct HiveQl;

impl Dialect for HiveQl {
    fn dialect(&self) -> TypeId {
        // The parser checks for this dialect where Hive differs.
        TypeId::of::<HiveDialect>()
    }

    fn is_delimited_identifier_start(&self, letter: char) -> bool {
        // Double quotes are strings.
        letter == '`'
    }

    fn is_identifier_start(&self, letter: char) -> bool {
        letter.is_alphabetic() || letter == '_' || letter == '$'
    }

    fn is_identifier_part(&self, letter: char) -> bool {
        letter.is_alphanumeric() || letter == '_' || letter == '$'
    }

    features! {
        supports_string_literal_backslash_escape
        supports_lambda_functions
        supports_filter_during_aggregation
        supports_bang_not_operator
        supports_group_by_expr
        supports_group_by_with_modifier
        supports_limit_comma
        supports_select_item_multi_column_alias
        supports_window_clause_named_window_reference
        supports_values_as_table_factor
        supports_table_sample_before_alias
        supports_interval_options
    }

    /// Hive's precedence where it differs from the parser's: signs, `^`, `*`, `+` and `-`, `||`; `=` binds weaker than `<`, `IN`,
    /// `BETWEEN` and `LIKE`.
    fn get_next_precedence(&self, parser: &Parser) -> Option<Result<u8, ParserError>> {
        let sign = self.prec_value(Precedence::MulDivModOp);
        match &parser.peek_token_ref().token {
            Token::Caret => Some(Ok(sign)),
            Token::Mul | Token::Div | Token::Mod => Some(Ok(sign - 1)),
            word if is_div(word) => Some(Ok(sign - 1)),
            Token::StringConcat => Some(Ok(self.prec_value(Precedence::PlusMinus) - 1)),
            Token::Eq | Token::DoubleEq | Token::Neq | Token::Spaceship => {
                Some(Ok(self.prec_value(Precedence::Like) - 1))
            }
            _ => None,
        }
    }

    /// `~` is a sign too.
    fn parse_prefix(&self, parser: &mut Parser) -> Option<Result<Expr, ParserError>> {
        if parser.peek_token_ref().token != Token::Tilde {
            return not_exists(parser, self.prec_value(Precedence::UnaryNot));
        }
        parser.next_token();
        let operand = parser.parse_subexpr(self.prec_value(Precedence::MulDivModOp));
        Some(operand.map(|expr| Expr::UnaryOp { op: UnaryOperator::BitwiseNot, expr: Box::new(expr) }))
    }

    fn parse_infix(&self, parser: &mut Parser, left: &Expr, precedence: u8) -> Option<Result<Expr, ParserError>> {
        if !is_div(&parser.peek_token_ref().token) {
            return distinct_from(parser, left, precedence);
        }
        parser.next_token();
        Some(parser.parse_subexpr(precedence).map(|right| Expr::BinaryOp {
            left: Box::new(left.clone()),
            op: BinaryOperator::MyIntegerDivide,
            right: Box::new(right),
        }))
    }
}

fn is_div(token: &Token) -> bool {
    matches!(token, Token::Word(word) if word.keyword == Keyword::DIV && word.quote_style.is_none())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operators_bind_as_in_hive() {
        for (text, wanted) in [
            ("1 + 2 || 'a'", "(1 + 2) || 'a'"),
            ("'a' || 1 - 2 || 'b'", "('a' || (1 - 2)) || 'b'"),
            ("a || b & c", "(a || b) & c"),
            ("a = b in (1, 2)", "a = (b in (1, 2))"),
            ("a = b not in (1, 2)", "a = (b not in (1, 2))"),
            ("a <> b < c", "a <> (b < c)"),
            ("a <=> b like c", "a <=> (b like c)"),
            ("a = b between 1 and 2 and c", "(a = (b between 1 and 2)) and c"),
            ("a = b = c", "(a = b) = c"),
            ("not a = b", "not (a = b)"),
            ("1 + 2 ^ 3 * 4", "1 + ((2 ^ 3) * 4)"),
            ("2 * 3 ^ 4", "2 * (3 ^ 4)"),
            ("-2 ^ 3", "(-2) ^ 3"),
            ("~ 2 * 3", "(~ 2) * 3"),
            ("~ 2 ^ 3", "(~ 2) ^ 3"),
            ("7 div 2 * 3 % 4", "((7 div 2) * 3) % 4"),
            ("a | b & c", "a | (b & c)"),
            ("a + b = c || d", "(a + b) = (c || d)"),
        ] {
            let read = |text: &str| shape(&Parser::new(&HiveQl).try_with_sql(text).unwrap().parse_expr().unwrap());
            assert_eq!(read(text), read(wanted), "{text}");
        }
    }

    /// An expression with parentheses around each operator.
    fn shape(expr: &Expr) -> String {
        match expr {
            Expr::Nested(inner) => shape(inner),
            Expr::BinaryOp { left, op, right } => format!("({} {op} {})", shape(left), shape(right)),
            Expr::UnaryOp { op, expr } => format!("({op} {})", shape(expr)),
            Expr::InList { expr, negated, .. } => format!("({} in list {negated})", shape(expr)),
            Expr::Between { expr, .. } => format!("({} between)", shape(expr)),
            Expr::Like { expr, pattern, .. } => format!("({} like {})", shape(expr), shape(pattern)),
            other => other.to_string(),
        }
    }
}
