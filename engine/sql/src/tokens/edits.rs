//! The tokens of a text with their parentheses, and changes to them.

use std::collections::HashMap;

use datafusion::sql::sqlparser::keywords::Keyword;
use datafusion::sql::sqlparser::tokenizer::{Token, TokenWithSpan};

use super::{after, before, is, is_any};

/// Looks at one token, and notes changes.
pub type Rule = fn(&Tokens<'_>, usize, &mut Edits);

/// The tokens of a text.
#[derive(Debug)]
pub struct Tokens<'a> {
    tokens: &'a [TokenWithSpan],
    /// Of a parenthesis, the one that it belongs to.
    partners: Vec<Option<usize>>,
    /// The innermost parenthesis that is open at each token.
    enclosing: Vec<Option<usize>>,
}

impl<'a> Tokens<'a> {
    fn new(tokens: &'a [TokenWithSpan]) -> Tokens<'a> {
        let (mut partners, mut enclosing) = (vec![None; tokens.len()], Vec::with_capacity(tokens.len()));
        let mut open = Vec::new();
        for (at, token) in tokens.iter().enumerate() {
            enclosing.push(open.last().copied());
            match token.token {
                Token::LParen => open.push(at),
                Token::RParen => {
                    partners[at] = open.pop();
                    if let Some(open) = partners[at] {
                        partners[open] = Some(at);
                    }
                }
                _ => {}
            }
        }
        Tokens { tokens, partners, enclosing }
    }

    pub(crate) fn len(&self) -> usize {
        self.tokens.len()
    }

    pub(crate) fn token(&self, at: usize) -> &'a Token {
        &self.tokens[at].token
    }

    pub(crate) fn with_span(&self, at: usize) -> &'a TokenWithSpan {
        &self.tokens[at]
    }

    /// The next token that is no whitespace.
    pub(crate) fn after(&self, at: usize) -> Option<usize> {
        after(self.tokens, at)
    }

    /// The token before one that is no whitespace.
    pub(crate) fn before(&self, at: usize) -> Option<usize> {
        before(self.tokens, at)
    }

    /// The next token, if it is an open parenthesis.
    pub(crate) fn open_after(&self, at: usize) -> Option<usize> {
        self.after(at).filter(|open| *self.token(*open) == Token::LParen)
    }

    /// The next token, if it is one of some keywords.
    pub(crate) fn keyword_after(&self, at: usize, keywords: &[Keyword]) -> Option<usize> {
        self.after(at).filter(|word| is_any(self.token(*word), keywords))
    }

    /// The token before, if it is one of some keywords.
    pub(crate) fn keyword_before(&self, at: usize, keywords: &[Keyword]) -> Option<usize> {
        self.before(at).filter(|word| is_any(self.token(*word), keywords))
    }

    pub(crate) fn is(&self, at: usize, keyword: Keyword) -> bool {
        is(self.token(at), keyword)
    }

    /// The parenthesis that closes an open one, or that a closing one belongs to.
    pub(crate) fn partner(&self, at: usize) -> Option<usize> {
        self.partners[at]
    }

    /// The innermost parenthesis that is open at a token.
    pub(crate) fn enclosing(&self, at: usize) -> Option<usize> {
        self.enclosing[at]
    }

    /// The first token from an index on that closes the parenthesis or bracket around it, ends the statement or is accepted, outside of
    /// parentheses and brackets that open after it. The number of tokens if there is none.
    pub(crate) fn end(&self, from: usize, ends: impl Fn(&Token) -> bool) -> usize {
        let mut depth = 0usize;
        let end = (from..self.len()).find(|at| {
            match self.token(*at) {
                Token::LParen | Token::LBracket => depth += 1,
                Token::RParen | Token::RBracket if depth == 0 => return true,
                Token::RParen | Token::RBracket => depth -= 1,
                Token::SemiColon | Token::EOF => return true,
                token => return depth == 0 && ends(token),
            }
            false
        });
        end.unwrap_or(self.len())
    }
}

/// Changes to tokens, by their index.
#[derive(Debug, Default)]
pub struct Edits {
    before: HashMap<usize, Vec<Token>>,
    after: HashMap<usize, Vec<Token>>,
    /// `None` for a token that is removed.
    replaced: HashMap<usize, Option<Token>>,
}

impl Edits {
    /// Puts tokens before one that stays.
    pub(crate) fn insert_before(&mut self, at: usize, tokens: impl IntoIterator<Item = Token>) {
        self.before.entry(at).or_default().extend(tokens);
    }

    /// Puts tokens after one that stays.
    pub(crate) fn insert_after(&mut self, at: usize, tokens: impl IntoIterator<Item = Token>) {
        self.after.entry(at).or_default().extend(tokens);
    }

    pub(crate) fn replace(&mut self, at: usize, token: Token) {
        self.replaced.insert(at, Some(token));
    }

    pub(crate) fn remove(&mut self, at: usize) {
        self.replaced.insert(at, None);
    }

    fn is_empty(&self) -> bool {
        self.before.is_empty() && self.after.is_empty() && self.replaced.is_empty()
    }
}

/// The tokens with what some rules change.
pub fn apply(tokens: Vec<TokenWithSpan>, rules: impl IntoIterator<Item = Rule>) -> Vec<TokenWithSpan> {
    let mut edits = Edits::default();
    let indexed = Tokens::new(&tokens);
    for rule in rules {
        (0..indexed.len()).for_each(|at| rule(&indexed, at, &mut edits));
    }
    if edits.is_empty() {
        return tokens;
    }
    let mut edited = Vec::with_capacity(tokens.len() + edits.before.len() + edits.after.len());
    for (at, TokenWithSpan { token, span }) in tokens.into_iter().enumerate() {
        let kept = edits.replaced.remove(&at).unwrap_or(Some(token));
        let before = edits.before.remove(&at).into_iter().flatten();
        let after = edits.after.remove(&at).into_iter().flatten();
        edited.extend(before.chain(kept).chain(after).map(|token| TokenWithSpan { token, span }));
    }
    edited
}

#[cfg(test)]
pub(super) mod testing {
    use datafusion::sql::sqlparser::dialect::GenericDialect;
    use datafusion::sql::sqlparser::tokenizer::{Token, Tokenizer};

    use super::{Rule, apply};

    /// The tokens of a text with what a rule changes.
    pub fn edited(text: &str, rules: &[Rule]) -> Vec<Token> {
        let tokens = Tokenizer::new(&GenericDialect {}, text).tokenize_with_location().unwrap();
        apply(tokens, rules.iter().copied()).into_iter().map(|token| token.token).collect()
    }

    #[track_caller]
    pub fn check(rules: &[Rule], cases: &[(&str, &str)]) {
        for (text, expected) in cases {
            let found: String = edited(text, rules).iter().map(Token::to_string).collect();
            assert_eq!(found, *expected);
        }
    }
}
