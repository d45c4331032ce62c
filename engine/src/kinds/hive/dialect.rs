//! How HiveQL is read: what the parser's own Hive dialect has, with Hive's strings and operators.

use std::any::TypeId;

use datafusion::sql::sqlparser::ast::{BinaryOperator, Expr};
use datafusion::sql::sqlparser::dialect::{Dialect, HiveDialect, Precedence};
use datafusion::sql::sqlparser::keywords::Keyword;
use datafusion::sql::sqlparser::parser::{Parser, ParserError};
use datafusion::sql::sqlparser::tokenizer::Token;

use crate::kinds::sql::distinct_from;

/// HiveQL as in Hive 3.
#[derive(Debug)]
pub(super) struct HiveQl;

impl Dialect for HiveQl {
    fn dialect(&self) -> TypeId {
        // The parser asks for this where Hive differs.
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

    fn supports_string_literal_backslash_escape(&self) -> bool {
        true
    }

    fn supports_lambda_functions(&self) -> bool {
        true
    }

    fn supports_filter_during_aggregation(&self) -> bool {
        true
    }

    fn supports_bang_not_operator(&self) -> bool {
        true
    }

    fn supports_group_by_expr(&self) -> bool {
        true
    }

    fn supports_group_by_with_modifier(&self) -> bool {
        true
    }

    fn supports_limit_comma(&self) -> bool {
        true
    }

    fn supports_select_item_multi_column_alias(&self) -> bool {
        true
    }

    fn supports_window_clause_named_window_reference(&self) -> bool {
        true
    }

    fn supports_values_as_table_factor(&self) -> bool {
        true
    }

    fn supports_table_sample_before_alias(&self) -> bool {
        true
    }

    fn supports_interval_options(&self) -> bool {
        true
    }

    fn get_next_precedence(&self, parser: &Parser) -> Option<Result<u8, ParserError>> {
        is_div(&parser.peek_token_ref().token).then(|| Ok(self.prec_value(Precedence::MulDivModOp)))
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
