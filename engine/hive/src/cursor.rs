//! A cursor over the tokens of a statement that the parser does not know.

use arrow::datatypes::Field;
use datafusion::sql::sqlparser::tokenizer::{Token, TokenWithSpan};

use crate::ast::{is_literal, literal_text, parser, syntax_error};
use crate::tokens::{is_any_word, is_word, words};
use quarry_functions::hive::types;
use quarry_sql::parameters::as_name;
use quarry_sql::tokens::end_of;
use quarry_types::{Error, ErrorCode, Position, Result};

/// Words that end the type of a column.
const AFTER_TYPE: &[&str] =
    words![comment not default primary disable enable unique check constraint first after cascade restrict];

pub(crate) struct Cursor<'a> {
    tokens: &'a [TokenWithSpan],
    at: usize,
}

impl<'a> Cursor<'a> {
    pub fn new(tokens: &'a [TokenWithSpan]) -> Cursor<'a> {
        Cursor { tokens, at: 0 }
    }

    fn peek(&self) -> Option<&'a Token> {
        self.tokens.get(self.at).map(|token| &token.token)
    }

    /// The tokens that are left.
    pub fn rest(&self) -> &'a [TokenWithSpan] {
        &self.tokens[self.at.min(self.tokens.len())..]
    }

    pub fn is_done(&self) -> bool {
        self.at >= self.tokens.len()
    }

    pub fn at(&self, token: &Token) -> bool {
        self.peek() == Some(token)
    }

    /// Goes past the next word; returns it in lower case.
    pub fn word(&mut self) -> Option<String> {
        let Some(Token::Word(word)) = self.peek() else { return None };
        self.at += 1;
        Some(word.value.to_lowercase())
    }

    /// Goes past the next word or text; returns it as it is written.
    pub fn text(&mut self) -> Option<String> {
        let text = match self.peek()? {
            Token::Word(word) => word.value.clone(),
            Token::SingleQuotedString(text) => text.clone(),
            _ => return None,
        };
        self.at += 1;
        Some(text)
    }

    /// Goes past these keywords if they are the next ones.
    pub fn take(&mut self, keywords: &str) -> bool {
        let mut rest = self.rest().iter();
        let is_next = keywords.split(' ').all(|word| rest.next().is_some_and(|token| is_word(&token.token, word)));
        self.at += if is_next { keywords.split(' ').count() } else { 0 };
        is_next
    }

    /// Goes past the first of several alternatives that comes next.
    pub fn take_any(&mut self, alternatives: &[&str]) -> bool {
        alternatives.iter().any(|keywords| self.take(keywords))
    }

    /// Goes past one token, or past everything in parentheses.
    pub fn skip(&mut self) {
        if self.at(&Token::LParen) { self.at = self.group_end() + 1 } else { self.at += 1 }
    }

    /// Goes past a comma if it is the next token.
    pub fn take_comma(&mut self) {
        self.at += usize::from(self.at(&Token::Comma));
    }

    /// Goes past everything up to a keyword, and past that.
    pub fn skip_past(&mut self, keyword: &str) {
        while !self.is_done() && !self.take(keyword) {
            self.skip();
        }
    }

    /// Whether a query begins here.
    pub fn is_query(&self) -> bool {
        self.peek().is_some_and(|token| is_any_word(token, words![select with]))
    }

    /// Whether a list in parentheses begins here, and no query.
    pub fn is_list(&self) -> bool {
        let first = self.rest().iter().map(|token| &token.token).find(|token| **token != Token::LParen);
        let is_query = first.is_some_and(|token| is_any_word(token, words![select with values]));
        self.at(&Token::LParen) && !is_query
    }

    /// The name of a table: lower case, without the default database before it.
    pub fn name(&mut self) -> Result<String> {
        let mut name = as_name(self.word().ok_or_else(|| self.syntax("a name"))?)?;
        while self.at(&Token::Period) {
            self.at += 1;
            let next = self.word().ok_or_else(|| self.syntax("a name"))?;
            name = if name == "default" { next } else { format!("{name}.{next}") };
        }
        Ok(name)
    }

    /// The place of the parenthesis that closes the one here.
    fn group_end(&self) -> usize {
        end_of(self.tokens, self.at + 1)
    }

    /// Goes past parentheses; returns the tokens inside.
    pub fn group(&mut self) -> Result<&'a [TokenWithSpan]> {
        if !self.at(&Token::LParen) {
            return Err(self.syntax("("));
        }
        let (start, end) = (self.at + 1, self.group_end());
        if end >= self.tokens.len() {
            return Err(self.syntax(")"));
        }
        self.at = end + 1;
        Ok(&self.tokens[start..end])
    }

    /// Goes past parentheses; returns a cursor over each item of the list inside.
    pub fn items(&mut self) -> Result<Vec<Cursor<'a>>> {
        let group = self.group()?;
        let mut depth = 0i32;
        let items = group.split(|token| {
            match token.token {
                Token::LParen | Token::Lt => depth += 1,
                Token::RParen | Token::Gt => depth -= 1,
                Token::ShiftRight => depth -= 2,
                Token::Comma => return depth <= 0,
                _ => {}
            }
            false
        });
        Ok(if group.is_empty() { Vec::new() } else { items.map(Cursor::new).collect() })
    }

    /// Names in parentheses.
    pub fn names(&mut self) -> Result<Vec<String>> {
        self.items()?.iter_mut().map(Cursor::name).collect()
    }

    /// Columns with their types in parentheses, without constraints.
    pub fn columns(&mut self) -> Result<Vec<Field>> {
        let mut items = self.items()?;
        let columns = items.iter_mut().filter_map(|item| {
            let is_constraint = item.take_any(words![primary constraint foreign unique check]);
            (!is_constraint).then(|| item.column())
        });
        columns.collect()
    }

    /// A column with its type and its default.
    pub fn column(&mut self) -> Result<Field> {
        let name = as_name(self.word().ok_or_else(|| self.syntax("the name of a column"))?)?;
        let data_type = self.rest().iter().take_while(|token| !is_any_word(&token.token, AFTER_TYPE));
        let data_type: Vec<String> = data_type.map(|token| token.token.to_string()).collect();
        let (length, data_type) = (data_type.len(), data_type.join(" "));
        let field = types::field(&name, &data_type).ok_or_else(|| {
            let message = format!("There is no type '{data_type}' for the column {name}.");
            self.place(Error::new(ErrorCode::InvalidQuery, message))
        })?;
        self.at += length;
        let default = self.rest().iter().position(|token| is_word(&token.token, "default"));
        let Some(default) = default else { return Ok(field) };
        let value = parser(&self.rest()[default + 1..]).parse_prefix().map_err(syntax_error)?;
        if !is_literal(&value) {
            return Err(self.refuse("DEFAULT expects a string, a number, a date or NULL."));
        }
        Ok(match literal_text(&value) {
            Some(value) => types::with_default(field, value),
            None => field,
        })
    }

    /// Nothing may follow.
    pub fn end(&self) -> Result<()> {
        if self.is_done() { Ok(()) } else { Err(self.syntax("the end of the statement")) }
    }

    fn syntax(&self, expected: &str) -> Error {
        let token = self.peek().map_or_else(|| "the end".to_string(), |token| format!("'{token}'"));
        self.place(Error::new(ErrorCode::Syntax, format!("Syntax error. Expected {expected}, found {token}.")))
    }

    pub fn refuse(&self, message: &str) -> Error {
        self.place(Error::new(ErrorCode::NotAllowed, message))
    }

    /// The error at this place, or at the last token.
    fn place(&self, error: Error) -> Error {
        match self.tokens.get(self.at).or(self.tokens.last()).map(|token| token.span.start) {
            Some(start) if start.line > 0 => error.at(Position { line: start.line, column: start.column }),
            _ => error,
        }
    }
}
