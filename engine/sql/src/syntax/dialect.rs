//! The dialect of SQL: the parser's generic dialect, with lambdas (`x -> x + 1`), the precedence of operators on JSON
//! (`j ->> 'a' = 'x'`), and PostgreSQL's `@ -5`.

use std::any::TypeId;

use datafusion::sql::sqlparser::ast::{Expr, UnaryOperator};
use datafusion::sql::sqlparser::dialect::{Dialect, GenericDialect, Precedence};
use datafusion::sql::sqlparser::keywords::Keyword;
use datafusion::sql::sqlparser::parser::{Parser, ParserError};
use datafusion::sql::sqlparser::tokenizer::Token;

use super::call;

/// The operator of a part of JSON, as the parser gets it.
pub const JSON_ARROW: &str = "->";

/// The precedence of operators on JSON: above arithmetic, concatenation and comparisons, below `::`.
const JSON: u8 = 45;

/// The precedence of `||`: below arithmetic, as in Trino and PostgreSQL.
const CONCATENATION: u8 = 28;

/// The precedence of `=` and `<`: below LIKE, IN and BETWEEN, as in PostgreSQL, and above IS.
const COMPARISON: u8 = 18;

/// SQL as written for Dune, BigQuery, Snowflake, PostgreSQL or DuckDB.
#[derive(Debug)]
pub struct AnySql;

/// The same as in the generic dialect.
macro_rules! as_generic {
    ($($question:ident)*) => {
        $(fn $question(&self) -> bool {
            GenericDialect {}.$question()
        })*
    };
}

/// `a IS [NOT] DISTINCT FROM b`, which ends where a comparison would. The parser would read everything after FROM as `b`, also beyond
/// AND.
pub fn distinct_from(parser: &mut Parser, left: &Expr, precedence: u8) -> Option<Result<Expr, ParserError>> {
    const DISTINCT: [Keyword; 3] = [Keyword::IS, Keyword::DISTINCT, Keyword::FROM];
    const NOT_DISTINCT: [Keyword; 4] = [Keyword::IS, Keyword::NOT, Keyword::DISTINCT, Keyword::FROM];
    let constructor = match (parser.parse_keywords(&DISTINCT), parser.parse_keywords(&NOT_DISTINCT)) {
        (true, _) => Expr::IsDistinctFrom,
        (false, true) => Expr::IsNotDistinctFrom,
        (false, false) => return None,
    };
    Some(parser.parse_subexpr(precedence).map(|right| constructor(Box::new(left.clone()), Box::new(right))))
}

/// `NOT EXISTS (…) IS NULL` negates the whole comparison. The parser would negate EXISTS alone. No upstream issue found as of 2026-11.
pub fn not_exists(parser: &mut Parser, not_precedence: u8) -> Option<Result<Expr, ParserError>> {
    let is_exists = |token: &Token| matches!(token, Token::Word(word) if word.keyword == Keyword::EXISTS);
    if !parser.peek_keyword(Keyword::NOT) || !is_exists(&parser.peek_nth_token_ref(1).token) {
        return None;
    }
    parser.next_token();
    Some(parser.parse_subexpr(not_precedence).map(|operand| match operand {
        Expr::Exists { subquery, negated: false } => Expr::Exists { subquery, negated: true },
        operand => Expr::UnaryOp { op: UnaryOperator::Not, expr: Box::new(operand) },
    }))
}

impl Dialect for AnySql {
    fn dialect(&self) -> TypeId {
        // The parser asks for this where dialects differ.
        TypeId::of::<GenericDialect>()
    }

    fn supports_lambda_functions(&self) -> bool {
        true
    }

    fn supports_order_by_all(&self) -> bool {
        true
    }

    /// `max(x) top`: words that begin a clause in other languages only.
    fn is_column_alias(&self, word: &Keyword, parser: &mut Parser) -> bool {
        matches!(word, Keyword::TOP | Keyword::VIEW) || GenericDialect {}.is_column_alias(word, parser)
    }

    /// `@ x` is the absolute value of the arithmetic after it, as in PostgreSQL; `@x` is one word.
    fn parse_prefix(&self, parser: &mut Parser) -> Option<Result<Expr, ParserError>> {
        if !parser.consume_token(&Token::AtSign) {
            return not_exists(parser, self.prec_value(Precedence::UnaryNot));
        }
        let value = parser.parse_subexpr(self.prec_value(Precedence::Pipe));
        Some(value.map(|value| call("abs", vec![value])))
    }

    /// `j ->> 'a' = 'x'` compares the part. The generic dialect would take the comparison for the key.
    fn get_next_precedence(&self, parser: &Parser) -> Option<Result<u8, ParserError>> {
        match &parser.peek_token_ref().token {
            Token::LongArrow | Token::HashArrow | Token::HashLongArrow => Some(Ok(JSON)),
            Token::CustomBinaryOperator(sign) if sign == JSON_ARROW => Some(Ok(JSON)),
            Token::StringConcat => Some(Ok(CONCATENATION)),
            _ => None,
        }
    }

    fn prec_value(&self, precedence: Precedence) -> u8 {
        match precedence {
            Precedence::Eq => COMPARISON,
            other => GenericDialect {}.prec_value(other),
        }
    }

    fn parse_infix(&self, parser: &mut Parser, left: &Expr, precedence: u8) -> Option<Result<Expr, ParserError>> {
        distinct_from(parser, left, precedence)
    }

    fn is_delimited_identifier_start(&self, letter: char) -> bool {
        GenericDialect {}.is_delimited_identifier_start(letter)
    }

    fn is_identifier_start(&self, letter: char) -> bool {
        GenericDialect {}.is_identifier_start(letter)
    }

    fn is_identifier_part(&self, letter: char) -> bool {
        GenericDialect {}.is_identifier_part(letter)
    }

    as_generic! {
        allow_extract_custom
        allow_extract_single_quotes
        support_map_literal_syntax
        supports_array_join_syntax
        supports_array_typedef_with_brackets
        supports_asc_desc_in_column_definition
        supports_bitwise_shift_operators
        supports_comma_separated_set_assignments
        supports_comma_separated_trim
        supports_comment_on
        supports_comment_optimizer_hint
        supports_connect_by
        supports_constraint_keyword_without_name
        supports_create_index_with_clause
        supports_create_view_comment_syntax
        supports_cte_without_as
        supports_data_type_signed_suffix
        supports_detach
        supports_dictionary_syntax
        supports_empty_projections
        supports_explain_with_utility_options
        supports_extract_comma_syntax
        supports_filter_during_aggregation
        supports_from_first_select
        supports_group_by_expr
        supports_group_by_with_modifier
        supports_install
        supports_interpolate
        supports_interval_options
        supports_key_column_option
        supports_left_associative_joins_without_parens
        supports_limit_by
        supports_limit_comma
        supports_load_extension
        supports_match_against
        supports_match_recognize
        supports_multiline_comment_hints
        supports_named_fn_args_with_assignment_operator
        supports_nested_comments
        supports_optimize_table
        supports_parens_around_table_factor
        supports_parenthesized_set_variables
        supports_partition_by_after_order_by
        supports_pipe_operator
        supports_prewhere
        supports_projection_trailing_commas
        supports_quote_delimited_string
        supports_select_format
        supports_select_item_multi_column_alias
        supports_select_wildcard_except
        supports_select_wildcard_exclude
        supports_select_wildcard_ilike
        supports_select_wildcard_rename
        supports_select_wildcard_replace
        supports_set_names
        supports_settings
        supports_start_transaction_modifier
        supports_string_escape_constant
        supports_struct_literal
        supports_try_convert
        supports_unicode_string_literal
        supports_update_order_by
        supports_user_host_grantee
        supports_values_as_table_factor
        supports_window_clause_named_window_reference
        supports_window_function_null_treatment_arg
        supports_with_fill
        supports_xml_expressions
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// When this fails the parser is right, and `not_exists` can go.
    #[test]
    fn the_stock_parser_still_negates_exists_alone() {
        let parser = Parser::new(&GenericDialect {}).try_with_sql("not exists (select 1) is null");
        assert!(matches!(parser.unwrap().parse_expr(), Ok(Expr::IsNull(_))));
    }
}
