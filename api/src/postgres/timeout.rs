//! How long a query of the session may take, as `SET statement_timeout` says it.

use std::time::Duration;

use sqlparser::tokenizer::{Token, TokenWithSpan};

use super::wire::Fault;

/// The setting's name.
pub const NAME: &str = "statement_timeout";
/// Its units in milliseconds; a number without one has milliseconds.
const UNITS: [(&str, f64); 6] =
    [("us", 0.001), ("ms", 1.0), ("s", 1e3), ("min", 60e3), ("h", 3_600e3), ("d", 86_400e3)];
/// Longest time in milliseconds, as in PostgreSQL.
const MOST: f64 = 2_147_483_647.0;

/// What a `SET` says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Said {
    /// As at the start.
    Default,
    /// So long; `None` for as long as the account may.
    Limit(Option<Duration>),
}

/// The limits of a session; `None` where there is none.
#[derive(Debug, Default)]
pub struct Limits {
    start: Option<Duration>,
    session: Option<Duration>,
    /// Set by `SET LOCAL`: until the end of the transaction.
    transaction: Option<Option<Duration>>,
}

impl Limits {
    /// Those of the options that a client begins with: `-c statement_timeout=5s`.
    pub fn of_options(options: &str) -> Limits {
        let said = options.split_whitespace().rev().find_map(|option| {
            let (name, value) = option.trim_start_matches("-c").trim_start_matches("--").split_once('=')?;
            (name == NAME).then_some(value)
        });
        let start = said.and_then(|said| parsed(said).ok()).flatten();
        Limits { start, session: start, transaction: None }
    }

    /// As at the start.
    pub fn reset(&mut self) {
        *self = Limits { start: self.start, session: self.start, transaction: None };
    }

    /// The limit of the next query.
    pub fn now(&self) -> Option<Duration> {
        self.transaction.unwrap_or(self.session)
    }

    /// Sets it; `SET LOCAL` means something in an open transaction only.
    pub fn set(&mut self, said: Said, local: bool, open: bool) {
        let limit = match said {
            Said::Default => self.start,
            Said::Limit(limit) => limit,
        };
        match local {
            true if open => self.transaction = Some(limit),
            true => {}
            false => (self.session, self.transaction) = (limit, None),
        }
    }

    /// The transaction ended.
    pub fn end(&mut self) {
        self.transaction = None;
    }

    /// As `SHOW` says it.
    pub fn shown(&self) -> String {
        self.now().map_or_else(|| "0".to_string(), |limit| format!("{}ms", limit.as_millis()))
    }
}

/// The limit that the tokens of a `SET` say: behind the name `=` or `TO`, and a number, a text with a unit, or DEFAULT.
pub fn read(tokens: &[TokenWithSpan]) -> Result<Said, Fault> {
    let plain = tokens.iter().map(|token| &token.token).filter(|token| !matches!(token, Token::Whitespace(_)));
    let mut after =
        plain.skip_while(|token| !matches!(token, Token::Word(word) if word.value.eq_ignore_ascii_case(NAME))).skip(2);
    let said = match after.next() {
        Some(Token::Word(word)) if word.value.eq_ignore_ascii_case("default") => return Ok(Said::Default),
        Some(Token::Number(digits, _)) => digits.clone(),
        Some(Token::SingleQuotedString(text)) => text.trim().to_string(),
        other => other.map(ToString::to_string).unwrap_or_default(),
    };
    parsed(&said).map(Said::Limit)
}

fn parsed(said: &str) -> Result<Option<Duration>, Fault> {
    let refused = || Fault::new("22023", format!("The value {said:?} is no time for {NAME}; write 5000 or '5s'."));
    let digits = said.trim_end_matches(|letter: char| letter.is_ascii_alphabetic());
    let number: f64 = digits.trim().parse().map_err(|_| refused())?;
    let unit = match &said[digits.len()..] {
        "" => 1.0,
        unit => UNITS.iter().find(|(name, _)| *name == unit).ok_or_else(refused)?.1,
    };
    let milliseconds = (number * unit).round();
    if !(0.0..=MOST).contains(&milliseconds) {
        return Err(refused());
    }
    Ok((milliseconds > 0.0).then(|| Duration::from_secs_f64(milliseconds / 1e3)))
}

#[cfg(test)]
mod tests {
    use sqlparser::dialect::PostgreSqlDialect;
    use sqlparser::tokenizer::Tokenizer;

    use super::*;

    fn limit(text: &str) -> Result<Said, Fault> {
        read(&Tokenizer::new(&PostgreSqlDialect {}, text).tokenize_with_location().unwrap())
    }

    #[test]
    fn times_have_units() {
        for (text, milliseconds) in [
            ("set statement_timeout = 1500", 1_500),
            ("SET SESSION statement_timeout TO '2s'", 2_000),
            ("set local statement_timeout to '1.5 min'", 90_000),
            ("set statement_timeout='1h'", 3_600_000),
        ] {
            assert_eq!(limit(text).unwrap(), Said::Limit(Some(Duration::from_millis(milliseconds))), "{text}");
        }
        assert_eq!(limit("set statement_timeout = 0").unwrap(), Said::Limit(None));
        for text in [
            "set statement_timeout to default",
            "SET SESSION statement_timeout = DEFAULT",
            "set local statement_timeout TO DEFAULT",
        ] {
            assert_eq!(limit(text).unwrap(), Said::Default, "{text}");
        }
        for text in
            ["set statement_timeout = 'soon'", "set statement_timeout = '-1'", "set statement_timeout = '99999d'"]
        {
            assert_eq!(limit(text).unwrap_err().state, "22023", "{text}");
        }
    }

    #[test]
    fn a_local_limit_ends_with_its_transaction() {
        let [second, minute] = [1, 60].map(|seconds| Said::Limit(Some(Duration::from_secs(seconds))));
        let mut limits = Limits::default();
        limits.set(second, false, false);
        limits.set(minute, true, false);
        assert_eq!(limits.shown(), "1000ms");
        limits.set(minute, true, true);
        assert_eq!(limits.shown(), "60000ms");
        limits.end();
        assert_eq!(limits.shown(), "1000ms");
    }

    #[test]
    fn the_default_is_what_the_client_began_with() {
        let second = Said::Limit(Some(Duration::from_secs(1)));
        let mut limits = Limits::of_options("-c search_path=x -c statement_timeout=60s");
        limits.set(second, false, false);
        limits.reset();
        assert_eq!(limits.shown(), "60000ms");
        limits.set(second, false, false);
        limits.set(Said::Default, true, true);
        assert_eq!(limits.shown(), "60000ms");
        limits.end();
        assert_eq!(limits.shown(), "1000ms");
        limits.set(Said::Default, false, true);
        assert_eq!(limits.shown(), "60000ms");
        let mut limits = Limits::default();
        limits.set(second, false, false);
        limits.set(Said::Default, false, false);
        assert_eq!(limits.shown(), "0");
    }
}
