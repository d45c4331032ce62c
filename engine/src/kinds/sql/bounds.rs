//! Bounds on a text before it is parsed and planned: planning recurses and its time grows faster than the text.

use std::collections::HashMap;
use std::ops::ControlFlow;

use datafusion::sql::sqlparser::ast::{Cte, ObjectName, Query, Statement, Visit, Visitor};
use datafusion::sql::sqlparser::dialect::GenericDialect;
use datafusion::sql::sqlparser::keywords::Keyword;
use datafusion::sql::sqlparser::tokenizer::{Token, TokenWithSpan, Tokenizer};

use super::errors;
use crate::error::{Error, ErrorCode, Position, Result};

/// Tokens of a text; a list of a few thousand addresses fits.
const MAX_TOKENS: usize = 40_000;
/// Operators of a text. They chain into a tree as deep as their count, which planning walks by recursion many times.
const MAX_OPERATORS: usize = 800;
/// Operators of arithmetic in a row: finding the type of such a chain takes time by the square of its length.
const MAX_CHAIN: usize = 200;
/// Nested parentheses and brackets.
const MAX_DEPTH: usize = 60;
/// Tables named in a text, each common table expression counted as often as its use repeats its tables.
const MAX_TABLES: usize = 48;
/// `UNION`, `INTERSECT` and `EXCEPT` of a text.
const MAX_SET_OPERATIONS: usize = 100;

/// Splits the text into tokens, or says why it is not SQL or too much of it.
pub(super) fn tokens(text: &str) -> Result<Vec<TokenWithSpan>> {
    let tokens = Tokenizer::new(&GenericDialect {}, text)
        .tokenize_with_location()
        .map_err(|error| errors::syntax(&error.to_string()))?;
    count(&tokens)?;
    Ok(tokens)
}

/// Refuses a text that is too long.
pub(in crate::kinds) fn bytes(text: &str, max_bytes: usize) -> Result<()> {
    if text.len() > max_bytes {
        return Err(too_complex(format!("The text has {} bytes; at most {max_bytes} are allowed.", text.len())));
    }
    Ok(())
}

/// Refuses a text of too many words, operators or parentheses.
pub(in crate::kinds) fn count(tokens: &[TokenWithSpan]) -> Result<()> {
    let (mut count, mut operators, mut chain, mut set_operations, mut depth) = (0, 0, 0, 0, 0usize);
    for token in tokens {
        let at = || Position { line: token.span.start.line, column: token.span.start.column };
        match &token.token {
            Token::Whitespace(_) => continue,
            Token::LParen | Token::LBracket | Token::LBrace => {
                depth += 1;
                if depth > MAX_DEPTH {
                    return Err(too_complex(format!("More than {MAX_DEPTH} parentheses are nested here.")).at(at()));
                }
            }
            Token::RParen | Token::RBracket | Token::RBrace => depth = depth.saturating_sub(1),
            other if is_set_operation(other) => set_operations += 1,
            Token::Comma => chain = 0,
            Token::Word(word) if word.keyword != Keyword::NoKeyword => {
                chain = 0;
                operators += usize::from(is_operator(&token.token));
            }
            other if is_operator(other) => {
                operators += 1;
                chain += 1;
            }
            _ => {}
        }
        count += 1;
        if count > MAX_TOKENS {
            return Err(too_complex(format!("The text has more than {MAX_TOKENS} words and signs.")).at(at()));
        }
        if operators > MAX_OPERATORS {
            return Err(too_complex(format!("The text has more than {MAX_OPERATORS} operators.")).at(at()));
        }
        if chain > MAX_CHAIN {
            return Err(too_complex(format!("More than {MAX_CHAIN} operators follow each other here.")).at(at()));
        }
        if set_operations > MAX_SET_OPERATIONS {
            return Err(too_complex(format!("The text has more than {MAX_SET_OPERATIONS} set operations.")).at(at()));
        }
    }
    Ok(())
}

fn is_set_operation(token: &Token) -> bool {
    use Keyword::{EXCEPT, INTERSECT, MINUS, UNION};
    matches!(token, Token::Word(word) if [UNION, INTERSECT, EXCEPT, MINUS].contains(&word.keyword))
}

fn is_operator(token: &Token) -> bool {
    use Keyword::{AND, BETWEEN, CASE, ILIKE, IN, IS, LIKE, NOT, OR, WHEN};
    match token {
        Token::Word(word) => [AND, OR, NOT, LIKE, ILIKE, BETWEEN, IS, IN, CASE, WHEN].contains(&word.keyword),
        Token::Number(..)
        | Token::SingleQuotedString(_)
        | Token::HexStringLiteral(_)
        | Token::Comma
        | Token::Period
        | Token::SemiColon
        | Token::EOF => false,
        other => {
            // What is left are signs, and strings in rare quotes.
            let text = other.to_string();
            text.len() <= 3 && !text.chars().any(|c| c.is_alphanumeric() || c.is_whitespace())
        }
    }
}

/// Refuses a statement that joins too many tables, also when it hides them in repeated common table expressions.
pub(in crate::kinds) fn tables(statement: &Statement) -> Result<()> {
    let mut collect = Collect::default();
    // The visitor never breaks off.
    let _ = statement.visit(&mut collect);
    let mut weights = HashMap::new();
    let total = collect.named.iter().map(|name| collect.weight(name, &mut weights, 0)).fold(0, usize::saturating_add);
    if total > MAX_TABLES {
        return Err(too_complex(format!("The query joins more than {MAX_TABLES} tables.")));
    }
    Ok(())
}

/// The tables each common table expression names, and those named anywhere.
#[derive(Default)]
struct Collect {
    ctes: HashMap<String, Vec<String>>,
    named: Vec<String>,
}

impl Collect {
    /// How many tables a name stands for.
    fn weight(&self, name: &str, known: &mut HashMap<String, usize>, depth: usize) -> usize {
        let Some(tables) = self.ctes.get(name) else { return 1 };
        if let Some(weight) = known.get(name) {
            return *weight;
        }
        if depth > MAX_TABLES {
            return MAX_TABLES + 1;
        }
        // A recursive expression names itself: that use counts as one table.
        known.insert(name.to_string(), 1);
        let weight =
            tables.iter().map(|table| self.weight(table, known, depth + 1)).fold(0, usize::saturating_add).max(1);
        known.insert(name.to_string(), weight);
        weight
    }
}

impl Visitor for Collect {
    type Break = ();

    fn pre_visit_query(&mut self, query: &Query) -> ControlFlow<()> {
        for Cte { alias, query, .. } in query.with.iter().flat_map(|with| &with.cte_tables) {
            let mut names = Names::default();
            // The visitor never breaks off.
            let _ = query.visit(&mut names);
            self.ctes.entry(alias.name.value.to_lowercase()).or_default().extend(names.0);
        }
        ControlFlow::Continue(())
    }

    fn pre_visit_relation(&mut self, relation: &ObjectName) -> ControlFlow<()> {
        self.named.push(relation.to_string().to_lowercase());
        ControlFlow::Continue(())
    }
}

#[derive(Default)]
struct Names(Vec<String>);

impl Visitor for Names {
    type Break = ();

    fn pre_visit_relation(&mut self, relation: &ObjectName) -> ControlFlow<()> {
        self.0.push(relation.to_string().to_lowercase());
        ControlFlow::Continue(())
    }
}

pub(super) fn too_complex(message: String) -> Error {
    Error::new(ErrorCode::TooComplex, message)
}
