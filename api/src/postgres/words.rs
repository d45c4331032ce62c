//! A cursor over the tokens of a statement, for the statements that are parsed here and not by the engine.

use sqlparser::tokenizer::{Token, TokenWithSpan};

/// The tokens left to read. Whitespace and comments are skipped.
pub struct Words<'a> {
    left: &'a [TokenWithSpan],
}

impl<'a> Words<'a> {
    pub fn new(tokens: &'a [TokenWithSpan]) -> Words<'a> {
        let mut words = Words { left: tokens };
        words.skip_blanks();
        words
    }

    /// The remaining tokens, including whitespace between them.
    pub fn left(&self) -> &'a [TokenWithSpan] {
        self.left
    }

    pub fn peek(&self) -> Option<&'a TokenWithSpan> {
        self.left.first()
    }

    /// The next token.
    pub fn advance(&mut self) -> Option<&'a TokenWithSpan> {
        let (first, rest) = self.left.split_first()?;
        self.left = rest;
        self.skip_blanks();
        Some(first)
    }

    /// Takes the next token if it is this keyword. A quoted identifier is not a keyword.
    pub fn take(&mut self, word: &str) -> bool {
        self.take_one(&[word]).is_some()
    }

    /// Takes the next token if it is one of these keywords, and returns which.
    pub fn take_one<'w>(&mut self, words: &[&'w str]) -> Option<&'w str> {
        let Token::Word(found) = &self.peek()?.token else { return None };
        let word =
            words.iter().copied().find(|word| found.quote_style.is_none() && found.value.eq_ignore_ascii_case(word))?;
        self.advance();
        Some(word)
    }

    /// Takes the next token if it is this symbol.
    pub fn take_sign(&mut self, sign: &Token) -> bool {
        let is_next = self.peek().is_some_and(|next| next.token == *sign);
        if is_next {
            self.advance();
        }
        is_next
    }

    /// An identifier: folded to lowercase unless quoted.
    pub fn name(&mut self) -> Option<String> {
        let Token::Word(word) = &self.peek()?.token else { return None };
        self.advance();
        Some(if word.quote_style.is_some() { word.value.clone() } else { word.value.to_lowercase() })
    }

    /// A string literal.
    pub fn text(&mut self) -> Option<String> {
        let text = match &self.peek()?.token {
            Token::SingleQuotedString(text) | Token::EscapedStringLiteral(text) => text.clone(),
            Token::DollarQuotedString(text) => text.value.clone(),
            _ => return None,
        };
        self.advance();
        Some(text)
    }

    /// An integer with an optional sign.
    pub fn whole_number(&mut self) -> Option<i64> {
        let mut ahead = Words { left: self.left };
        let sign = if ahead.take_sign(&Token::Minus) {
            "-"
        } else {
            ahead.take_sign(&Token::Plus);
            ""
        };
        let Token::Number(digits, _) = &ahead.advance()?.token else { return None };
        let number = format!("{sign}{digits}").parse().ok()?;
        self.left = ahead.left;
        Some(number)
    }

    /// The tokens between the parentheses that start here. `None` if there are none, or they are not closed.
    pub fn within_brackets(&mut self) -> Option<&'a [TokenWithSpan]> {
        let mut open = 0_usize;
        for (at, token) in self.left.iter().enumerate() {
            match token.token {
                Token::LParen => open += 1,
                Token::RParen => open = open.checked_sub(1)?,
                _ if open == 0 => return None,
                _ => {}
            }
            if open == 0 {
                let inside = &self.left[1..at];
                self.left = &self.left[at + 1..];
                self.skip_blanks();
                return Some(inside);
            }
        }
        None
    }

    pub fn are_read(&self) -> bool {
        self.left.is_empty()
    }

    fn skip_blanks(&mut self) {
        while let Some((first, rest)) = self.left.split_first()
            && matches!(first.token, Token::Whitespace(_) | Token::EOF)
        {
            self.left = rest;
        }
    }
}

#[cfg(test)]
mod tests {
    use sqlparser::dialect::PostgreSqlDialect;
    use sqlparser::tokenizer::Tokenizer;

    use super::*;

    #[test]
    fn tokens_are_read_one_after_another() {
        let text = " Fetch -- n\n -2 'it''s' (a (b) c) \"Name\" name (";
        let tokens = Tokenizer::new(&PostgreSqlDialect {}, text).tokenize_with_location().unwrap();
        let mut words = Words::new(&tokens);
        assert!(!words.take("move") && words.take("fetch"));
        assert_eq!((words.text(), words.whole_number()), (None, Some(-2)));
        assert_eq!(words.text().as_deref(), Some("it's"));
        assert_eq!(words.within_brackets().map(<[_]>::len), Some(7));
        assert_eq!(
            (words.take("name"), words.name().as_deref(), words.name().as_deref()),
            (false, Some("Name"), Some("name"))
        );
        assert!(words.within_brackets().is_none() && words.take_sign(&Token::LParen) && words.are_read());
    }
}
