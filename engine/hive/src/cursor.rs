//! Walks over the tokens of a statement that the parser does not read.

use arrow::datatypes::Field;
use datafusion::sql::sqlparser::parser::Parser;
use datafusion::sql::sqlparser::tokenizer::{Token, TokenWithSpan};

use super::dialect::HiveQl;
use super::literals::{is_value, literal};
use super::tokens::is_word;
use quarry_functions::hive::types;
use quarry_sql::errors;
use quarry_sql::parameters::as_name;
use quarry_sql::tokens::end_of;
use quarry_types::{Error, ErrorCode, Position, Result};

/// Words that end the type of a column.
const AFTER_TYPE: [&str; 13] = [
    "comment",
    "not",
    "default",
    "primary",
    "disable",
    "enable",
    "unique",
    "check",
    "constraint",
    "first",
    "after",
    "cascade",
    "restrict",
];

pub(super) struct Cursor<'a> {
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

    pub fn rest(&self) -> &'a [TokenWithSpan] {
        &self.tokens[self.at.min(self.tokens.len())..]
    }

    pub fn is_done(&self) -> bool {
        self.at >= self.tokens.len()
    }

    pub fn at(&self, token: &Token) -> bool {
        self.peek() == Some(token)
    }

    /// The next word in small letters.
    pub fn word(&mut self) -> Option<String> {
        let Some(Token::Word(word)) = self.peek() else { return None };
        self.at += 1;
        Some(word.value.to_lowercase())
    }

    /// The next word or text, as it is written.
    pub fn text(&mut self) -> Option<String> {
        let text = match self.peek()? {
            Token::Word(word) => word.value.clone(),
            Token::SingleQuotedString(text) => text.clone(),
            _ => return None,
        };
        self.at += 1;
        Some(text)
    }

    /// Goes past a word if it is the next.
    pub fn take(&mut self, word: &str) -> bool {
        let found = self.peek().is_some_and(|token| is_word(token, word));
        self.at += usize::from(found);
        found
    }

    /// Goes past words if they are the next ones.
    pub fn take_all(&mut self, words: &[&str]) -> bool {
        let next = self.rest();
        let found =
            next.len() >= words.len() && words.iter().zip(next).all(|(word, token)| is_word(&token.token, word));
        self.at += if found { words.len() } else { 0 };
        found
    }

    /// Goes past one token, or past everything in parentheses.
    pub fn skip(&mut self) {
        if self.at(&Token::LParen) { self.at = self.group_end() + 1 } else { self.at += 1 }
    }

    /// Whether a query begins here.
    pub fn is_query(&self) -> bool {
        self.peek().is_some_and(|token| ["select", "with"].iter().any(|word| is_word(token, word)))
    }

    /// Whether the parentheses that open here hold a query.
    pub fn group_is_query(&self) -> bool {
        let inner = self.rest().iter().map(|token| &token.token).find(|token| **token != Token::LParen);
        inner.is_some_and(|token| ["select", "with", "values"].iter().any(|word| is_word(token, word)))
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

    /// What stands in the parentheses that open here; goes past them.
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

    /// What stands between their commas; goes past them.
    pub fn parts(&mut self) -> Result<Vec<&'a [TokenWithSpan]>> {
        let group = self.group()?;
        if group.is_empty() {
            return Ok(Vec::new());
        }
        let (mut parts, mut from, mut depth) = (Vec::new(), 0, 0i32);
        for (index, token) in group.iter().enumerate() {
            match token.token {
                Token::LParen | Token::Lt => depth += 1,
                Token::RParen | Token::Gt => depth -= 1,
                Token::ShiftRight => depth -= 2,
                Token::Comma if depth <= 0 => {
                    parts.push(&group[from..index]);
                    from = index + 1;
                }
                _ => {}
            }
        }
        parts.push(&group[from..]);
        Ok(parts)
    }

    /// Names in parentheses.
    pub fn names(&mut self) -> Result<Vec<String>> {
        self.parts()?.into_iter().map(|part| Cursor::new(part).name()).collect()
    }

    /// Columns with their types in parentheses; constraints are left out.
    pub fn columns(&mut self) -> Result<Vec<Field>> {
        let mut fields = Vec::new();
        for part in self.parts()? {
            let mut cursor = Cursor::new(part);
            if ["primary", "constraint", "foreign", "unique", "check"].iter().any(|word| cursor.take(word)) {
                continue;
            }
            fields.push(cursor.column()?);
        }
        Ok(fields)
    }

    /// A column with its type, up to what is told of it besides.
    pub fn column(&mut self) -> Result<Field> {
        let name = as_name(self.word().ok_or_else(|| self.syntax("the name of a column"))?)?;
        let words: Vec<String> = self
            .rest()
            .iter()
            .take_while(|token| !AFTER_TYPE.iter().any(|word| is_word(&token.token, word)))
            .map(|token| token.token.to_string())
            .collect();
        let data_type = words.join(" ");
        let field = types::field(&name, &data_type).ok_or_else(|| {
            let message = format!("There is no type '{data_type}' for the column {name}.");
            self.place(Error::new(ErrorCode::InvalidQuery, message))
        })?;
        self.at += words.len();
        let default = self.rest().iter().position(|token| is_word(&token.token, "default"));
        let Some(default) = default else { return Ok(field) };
        let mut parser = Parser::new(&HiveQl).with_tokens_with_locations(self.rest()[default + 1..].to_vec());
        let value = parser.parse_prefix().map_err(|error| errors::from_sqlparser(&error))?;
        if !is_value(&value) {
            return Err(self.refuse("What DEFAULT gives a column is a text, a number, a day or NULL."));
        }
        Ok(match literal(&value) {
            Some(value) => types::with_default(field, value),
            None => field,
        })
    }

    /// Nothing may follow.
    pub fn end(&self) -> Result<()> {
        if self.is_done() { Ok(()) } else { Err(self.syntax("the end of the statement")) }
    }

    fn syntax(&self, expected: &str) -> Error {
        let found = self.peek().map_or_else(|| "the end".to_string(), |token| format!("'{token}'"));
        self.place(Error::new(ErrorCode::Syntax, format!("Syntax error. Expected {expected}, found {found}.")))
    }

    pub fn refuse(&self, message: &str) -> Error {
        self.place(Error::new(ErrorCode::NotAllowed, message))
    }

    /// The error at this place, or at the last one there is.
    fn place(&self, error: Error) -> Error {
        match self.tokens.get(self.at).or(self.tokens.last()).map(|token| token.span.start) {
            Some(start) if start.line > 0 => error.at(Position { line: start.line, column: start.column }),
            _ => error,
        }
    }
}
