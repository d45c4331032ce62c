//! Translates a client's query for the engine: `$1` becomes a parameter, days of the week are counted as in PostgreSQL, and a
//! selected series becomes rows.

use std::collections::HashMap;
use std::ops::Range;

use sqlparser::tokenizer::{Token, TokenWithSpan};

use super::places::{declaration, number, word};
use super::selected;
use super::statement::Places;

/// A query with `$1` replaced by parameters of the engine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bindable {
    pub text: String,
    /// Characters of the statement before the query, such as `COPY (`.
    pub before: usize,
    /// Where the text grew: an offset in the new text in characters, and by how many characters.
    grown: Vec<(usize, usize)>,
}

/// A byte range of the client's text, and its replacement.
pub(super) type Edit = (Range<usize>, String);

impl Bindable {
    /// A text that can't be tokenized.
    pub fn unchanged(text: &str) -> Bindable {
        Bindable { text: text.to_string(), before: 0, grown: Vec::new() }
    }

    /// The query at these bytes of the text. Everything but the edits is kept as written.
    pub fn of(places: &Places, at: Range<usize>, tokens: &[TokenWithSpan]) -> Bindable {
        Bindable::behind("", places, at, tokens)
    }

    /// The same with a prefix that the client did not write.
    pub fn behind(start: &str, places: &Places, at: Range<usize>, tokens: &[TokenWithSpan]) -> Bindable {
        let mut edits = Vec::new();
        if !start.is_empty() {
            edits.push((at.start..at.start, start.to_string()));
        }
        let tokens: Vec<&TokenWithSpan> =
            tokens.iter().filter(|token| !matches!(token.token, Token::Whitespace(_))).collect();
        edits.extend(values(places, &tokens));
        let closing = closing(&tokens);
        edits.extend(days_of_week(places, &tokens, &closing));
        edits.extend(selected::series(places, &tokens, &closing));
        edits.sort_by_key(|(range, _)| range.start);
        let mut bindable = Bindable { text: String::new(), before: 0, grown: Vec::new() };
        let (mut from, mut letters) = (at.start, 0);
        for (range, new) in edits {
            let kept = &places.text[from..range.start];
            bindable.text.push_str(kept);
            bindable.text.push_str(&new);
            let written = new.chars().count();
            letters += kept.chars().count() + written;
            // No edit makes the text shorter.
            let by = written - places.text[range.clone()].chars().count();
            bindable.grown.push((letters, by));
            from = range.end;
        }
        bindable.text.push_str(&places.text[from..at.end]);
        bindable
    }

    /// The character of the statement, from 1, for a line and column of this text.
    pub fn position(&self, line: u64, column: u64) -> usize {
        let line = usize::try_from(line).unwrap_or(1).max(1);
        let before: usize = self.text.split('\n').take(line - 1).map(|line| line.chars().count() + 1).sum();
        let place = before + usize::try_from(column).unwrap_or(1);
        let grown: usize = self.grown.iter().filter(|(at, _)| *at < place).map(|(_, by)| by).sum();
        self.before + place.saturating_sub(grown)
    }
}

/// `{{p1}}` for each `$1`, and for `$1::numeric`.
fn values(places: &Places, tokens: &[&TokenWithSpan]) -> Vec<Edit> {
    let plain: Vec<&Token> = tokens.iter().map(|token| &token.token).collect();
    let edit = |(at, token): (usize, &&TokenWithSpan)| {
        let number = number(&token.token)?;
        let last = tokens.get(at + declaration(&plain[at + 1..])).unwrap_or(token);
        let range = places.byte(token.span.start)..places.byte(last.span.end);
        // Padded to the original width, so that no edit makes the text shorter.
        let width = places.text[range.clone()].chars().count();
        Some((range, format!("{:width$}", format!("{{{{p{number}}}}}"))))
    };
    tokens.iter().enumerate().filter_map(edit).collect()
}

/// `extract(dow from …)` and `date_part('dow', …)` count from Sunday 0 to Saturday 6 in PostgreSQL, in the engine from
/// Monday 1 to Sunday 7.
fn days_of_week(places: &Places, tokens: &[&TokenWithSpan], closing: &HashMap<usize, usize>) -> Vec<Edit> {
    let mut edits = Vec::new();
    for (at, call) in tokens.windows(4).enumerate() {
        let [name, open, what, next] = [0, 1, 2, 3].map(|place| &call[place].token);
        let name = word(name).unwrap_or_default();
        let is_call = match what {
            Token::Word(part) => {
                name == "extract" && part.value.eq_ignore_ascii_case("dow") && word(next).as_deref() == Some("from")
            }
            Token::SingleQuotedString(part) => {
                name == "date_part" && part.eq_ignore_ascii_case("dow") && *next == Token::Comma
            }
            _ => false,
        };
        if !is_call || *open != Token::LParen {
            continue;
        }
        let Some(close) = closing.get(&(at + 1)) else { continue };
        let start = places.byte(call[0].span.start);
        let end = places.byte(tokens[*close].span.end);
        edits.push((start..start, "mod(".to_string()));
        edits.push((end..end, ", 7)".to_string()));
    }
    edits
}

/// Maps each opening parenthesis to its closing one.
fn closing(tokens: &[&TokenWithSpan]) -> HashMap<usize, usize> {
    let (mut open, mut closing) = (Vec::new(), HashMap::new());
    for (at, token) in tokens.iter().enumerate() {
        match token.token {
            Token::LParen => open.push(at),
            Token::RParen => closing.extend(open.pop().map(|opened| (opened, at))),
            _ => {}
        }
    }
    closing
}

#[cfg(test)]
mod tests {
    use crate::postgres::statement::{What, split};

    #[test]
    fn values_become_parameters_and_positions_stay() {
        let statements = split("select 1;\nselect $2 + é,\n $1 x y").unwrap();
        let What::Query(query) = &statements[1].what else { panic!("{statements:?}") };
        assert_eq!((query.text.as_str(), statements[1].types.len()), ("\nselect {{p2}} + é,\n {{p1}} x y", 2));
        assert_eq!(statements[1].text, "\nselect $2 + é,\n $1 x y");
        // The `y`, in the text that the client wrote.
        let place = query.position(3, 11);
        assert_eq!(statements[1].text.chars().nth(place - 1), Some('y'));
        assert_eq!(query.position(1, 1), 1);
        let declared = split("select $1::numeric + $2 :: numeric(9), $3::bytea[], x").unwrap();
        let What::Query(query) = &declared[0].what else { panic!("{declared:?}") };
        let blanks = " ".repeat(5);
        let expected = ["select {{p1}}", &blanks, " + {{p2}} :: numeric(9), {{p3}}", &blanks, ", x"].concat();
        assert_eq!(query.text, expected);
        assert_eq!(query.position(1, 57), 53);
        let quoted = split("select 'it''s' != $1 and 'a $2'").unwrap();
        let What::Query(query) = &quoted[0].what else { panic!("{quoted:?}") };
        assert_eq!((query.text.as_str(), quoted[0].types.len()), ("select 'it''s' != {{p1}} and 'a $2'", 1));
    }

    #[test]
    fn days_of_the_week_count_from_sunday() {
        for (written, read) in [
            ("select extract(dow from f($1)), x", "select mod(extract(dow from f({{p1}})), 7), x"),
            (
                "select EXTRACT ( DOW FROM max(date_part('dow', t)) )",
                "select mod(EXTRACT ( DOW FROM max(mod(date_part('dow', t), 7)) ), 7)",
            ),
            ("select extract(hour from t), dow from f", "select extract(hour from t), dow from f"),
            ("select extract(dow from t", "select extract(dow from t"),
        ] {
            let statements = split(written).unwrap();
            let What::Query(query) = &statements[0].what else { panic!("{statements:?}") };
            assert_eq!(query.text, read);
        }
        let statements = split("select extract(dow from t), é x").unwrap();
        let What::Query(query) = &statements[0].what else { panic!("{statements:?}") };
        // The `é` of the text as it was written.
        assert_eq!(query.position(1, 37), 29);
    }
}
