//! Limits of a text before it is parsed and planned: planning recurses, and its time grows faster than the text.

use std::collections::HashMap;
use std::ops::ControlFlow;

use datafusion::sql::sqlparser::ast::{
    Cte, Expr, Function, FunctionArguments, GroupByExpr, GroupByWithModifier, Query, SetExpr, Statement, Visitor,
    VisitorMut,
};
use datafusion::sql::sqlparser::dialect::GenericDialect;
use datafusion::sql::sqlparser::keywords::Keyword;
use datafusion::sql::sqlparser::tokenizer::{Token, TokenWithSpan, Tokenizer};

use super::errors;
use crate::error_location::{error_at, location_position};
use crate::syntax::visitor::{Node, visit, visit_mut, visit_relations};
use quarry_types::{Error, ErrorCode, Result};

/// Tokens of a text; a list of a few thousand addresses fits.
const MAX_TOKENS: usize = 40_000;
/// Operators of a text. They chain into a tree as deep as their count, which planning walks by recursion many times.
const MAX_OPERATORS: usize = 800;
/// Operators of arithmetic in a row: finding the type of such a chain takes time by the square of its length.
const MAX_CHAIN: usize = 200;
/// Grouping sets of one GROUP BY, as those of a CUBE of 12 columns. Each makes a group of every row.
const MAX_GROUPING_SETS: usize = 4_096;
/// Nested parentheses and brackets.
const MAX_DEPTH: usize = 60;
/// Tables that a text joins and unites. The planner copies a common table expression to each use, so its tables count for each.
const MAX_TABLES: usize = 128;
/// `UNION`, `INTERSECT` and `EXCEPT` of a text.
const MAX_SET_OPERATIONS: usize = 100;

/// Splits the text into tokens, or says why it is not SQL or too much of it.
pub fn tokens(text: &str) -> Result<Vec<TokenWithSpan>> {
    let tokens = Tokenizer::new(&GenericDialect {}, text)
        .tokenize_with_location()
        .map_err(|error| errors::syntax(&error.to_string()))?;
    count(&tokens)?;
    Ok(tokens)
}

/// Refuses a text that is too long.
pub fn bytes(text: &str, max_bytes: usize) -> Result<()> {
    if text.len() > max_bytes {
        return Err(too_complex(format!("The query text has {} bytes; at most {max_bytes} are allowed.", text.len())));
    }
    Ok(())
}

/// Refuses a text of too many words, operators or parentheses.
pub fn count(tokens: &[TokenWithSpan]) -> Result<()> {
    let (mut count, mut operators, mut chain, mut set_operations, mut depth) = (0, 0, 0, 0, 0usize);
    for token in tokens {
        match &token.token {
            Token::Whitespace(_) => continue,
            Token::LParen | Token::LBracket | Token::LBrace => depth += 1,
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
        let message = if depth > MAX_DEPTH {
            format!("Parentheses are nested more than {MAX_DEPTH} levels deep here.")
        } else if count > MAX_TOKENS {
            format!("The query text has more than {MAX_TOKENS} tokens.")
        } else if operators > MAX_OPERATORS {
            format!("The query text has more than {MAX_OPERATORS} operators.")
        } else if chain > MAX_CHAIN {
            format!("More than {MAX_CHAIN} operators are chained here.")
        } else if set_operations > MAX_SET_OPERATIONS {
            format!("The query text has more than {MAX_SET_OPERATIONS} set operations.")
        } else {
            continue;
        };
        return Err(error_at(too_complex(message), location_position(token.span.start)));
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
            // Signs, and strings in rare quotes.
            let text = other.to_string();
            text.len() <= 3 && !text.chars().any(|c| c.is_alphanumeric() || c.is_whitespace())
        }
    }
}

/// Refuses a statement that joins too many tables, also when it hides them in repeated common table expressions, or that
/// groups by too many grouping sets.
pub fn statement(statement: &Statement) -> Result<()> {
    grouping_sets(statement)?;
    tables(statement)
}

/// The planner expands all grouping sets, so they are counted before.
fn grouping_sets(statement: &Statement) -> Result<()> {
    let mut largest = LargestGrouping(0);
    // The visitor never breaks off.
    let _ = visit(statement, &mut largest);
    if largest.0 > MAX_GROUPING_SETS {
        let message = format!(
            "GROUP BY produces {} grouping sets; at most {MAX_GROUPING_SETS} are allowed, as many as CUBE of 12 \
             columns produces.",
            if largest.0 == usize::MAX { "far too many".to_string() } else { largest.0.to_string() }
        );
        return Err(too_complex(message));
    }
    Ok(())
}

/// How many grouping sets the largest GROUP BY makes.
struct LargestGrouping(usize);

impl Visitor for LargestGrouping {
    type Break = ();

    fn pre_visit_query(&mut self, query: &Query) -> ControlFlow<()> {
        self.visit_set(&query.body);
        ControlFlow::Continue(())
    }
}

impl LargestGrouping {
    /// Queries inside of it that have parentheses are visited by themselves.
    fn visit_set(&mut self, set: &SetExpr) {
        match set {
            SetExpr::Select(select) => self.0 = self.0.max(grouping_sets_of(&select.group_by)),
            SetExpr::SetOperation { left, right, .. } => {
                self.visit_set(left);
                self.visit_set(right);
            }
            _ => {}
        }
    }
}

/// How many grouping sets a GROUP BY makes: those of its elements multiply.
fn grouping_sets_of(group_by: &GroupByExpr) -> usize {
    let (exprs, modifiers) = match group_by {
        GroupByExpr::Expressions(exprs, modifiers) => (exprs.as_slice(), modifiers),
        GroupByExpr::All(modifiers) => (&[][..], modifiers),
    };
    let sets = exprs.iter().map(|expr| match expr {
        Expr::Cube(columns) => power_of_two(columns.len()),
        Expr::Rollup(columns) => columns.len() + 1,
        Expr::GroupingSets(sets) => sets.iter().map(|set| nested_sets(set)).fold(0, usize::saturating_add),
        _ => 1,
    });
    let with = modifiers.iter().map(|modifier| match modifier {
        GroupByWithModifier::Cube => power_of_two(exprs.len()),
        GroupByWithModifier::Rollup => exprs.len() + 1,
        GroupByWithModifier::GroupingSets(Expr::GroupingSets(sets)) => sets.len(),
        _ => 1,
    });
    sets.chain(with).fold(1, usize::saturating_mul)
}

/// How many grouping sets an element of GROUPING SETS makes, which may be a ROLLUP or CUBE.
fn nested_sets(set: &[Expr]) -> usize {
    let [Expr::Function(Function { name, args: FunctionArguments::List(list), .. })] = set else { return 1 };
    match name.to_string().to_lowercase().as_str() {
        "rollup" => list.args.len() + 1,
        "cube" => power_of_two(list.args.len()),
        _ => 1,
    }
}

fn power_of_two(exponent: usize) -> usize {
    u32::try_from(exponent).ok().and_then(|exponent| 1_usize.checked_shl(exponent)).unwrap_or(usize::MAX)
}

fn tables(statement: &Statement) -> Result<()> {
    let mut ctes = CteTables::default();
    // The visitor never breaks off.
    let _ = visit(statement, &mut ctes);
    let mut weights = HashMap::new();
    let named = named_outside(statement);
    let total = named.iter().map(|name| ctes.weight(name, &mut weights, 0)).fold(0, usize::saturating_add);
    if total > MAX_TABLES {
        return Err(too_complex(format!("The query joins more than {MAX_TABLES} tables.")));
    }
    Ok(())
}

/// The tables that each common table expression names.
#[derive(Default)]
struct CteTables {
    ctes: HashMap<String, Vec<String>>,
}

impl CteTables {
    /// The number of tables that a name reads.
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

impl Visitor for CteTables {
    type Break = ();

    fn pre_visit_query(&mut self, query: &Query) -> ControlFlow<()> {
        for Cte { alias, query, .. } in query.with.iter().flat_map(|with| &with.cte_tables) {
            self.ctes.entry(alias.name.value.to_lowercase()).or_default().extend(named_outside(query.as_ref()));
        }
        ControlFlow::Continue(())
    }
}

/// The tables that are named outside of common table expressions.
fn named_outside<T: Clone + Node>(part: &T) -> Vec<String> {
    let (mut part, mut names) = (part.clone(), Vec::new());
    // The visitors never break off.
    let _ = visit_mut(&mut part, &mut WithoutCtes);
    let _: ControlFlow<()> = visit_relations(&part, |relation| {
        names.push(relation.to_string().to_lowercase());
        ControlFlow::Continue(())
    });
    names
}

struct WithoutCtes;

impl VisitorMut for WithoutCtes {
    type Break = ();

    fn pre_visit_query(&mut self, query: &mut Query) -> ControlFlow<()> {
        query.with = None;
        ControlFlow::Continue(())
    }
}

pub fn too_complex(message: String) -> Error {
    Error::new(ErrorCode::TooComplex, message)
}

#[cfg(test)]
mod tests {
    use datafusion::sql::sqlparser::parser::Parser;

    use super::*;

    #[test]
    fn grouping_sets_are_counted_before_they_are_made() {
        let columns = |count: usize| (0..count).map(|column| format!("c{column}")).collect::<Vec<_>>().join(", ");
        for (group_by, sets) in [
            ("a, b".to_string(), 1),
            (format!("rollup({})", columns(5)), 6),
            (format!("cube({})", columns(12)), 4_096),
            (format!("cube({})", columns(13)), 8_192),
            (format!("cube({}), rollup(x)", columns(12)), 8_192),
            (format!("cube({})", columns(200)), usize::MAX),
            (format!("cube({}), cube({})", columns(40), columns(40)), usize::MAX),
            ("grouping sets ((a), (b), ()), rollup(c)".to_string(), 6),
        ] {
            let text = format!("select 1 from (select 1 from t group by {group_by}) x union select 2");
            let parsed = Parser::parse_sql(&GenericDialect {}, &text).unwrap().remove(0);
            let mut largest = LargestGrouping(0);
            let _ = visit(&parsed, &mut largest);
            assert_eq!(largest.0, sets, "{group_by}");
            assert_eq!(statement(&parsed).is_ok(), sets <= MAX_GROUPING_SETS, "{group_by}");
        }
    }

    #[test]
    fn a_common_table_expression_counts_where_it_is_used() {
        let text = |links: usize, rest: &str| {
            let link = |at: usize| match at {
                0 => "t0 as (select 1 from t a join u b on a.x = b.x)".to_string(),
                at => format!(
                    "t{at} as (with v as (select 2 from w) select 1 from t{0} a join t{0} b on a.x = b.x)",
                    at - 1
                ),
            };
            format!("with {} select 1 from t{} {rest}", (0..links).map(link).collect::<Vec<_>>().join(", "), links - 1)
        };
        for (text, fits) in [
            (text(5, ""), true),
            (text(7, ""), true),
            (text(7, "join x on true"), false),
            (text(8, ""), false),
            (text(200, ""), false),
            ("with recursive t as (select 1 from u union all select 1 from t, t) select 1 from t".to_string(), true),
        ] {
            let parsed = Parser::parse_sql(&GenericDialect {}, &text).unwrap().remove(0);
            assert_eq!(statement(&parsed).is_ok(), fits, "{text}");
        }
    }
}
