//! Parses the statements about cursors.

use std::ops::Range;

use sqlparser::tokenizer::TokenWithSpan;

use super::super::answer::Direction;
use super::super::statement::{self, Places, Statement, What};
use super::super::wire::Fault;
use super::super::words::Words;

/// `DECLARE name CURSOR FOR query`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Declare {
    pub name: String,
    pub query: Statement,
    pub binary: bool,
    pub scroll: Option<bool>,
    /// Whether the cursor outlives its transaction.
    pub hold: bool,
}

/// `FETCH` and `MOVE`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fetch {
    pub name: String,
    pub direction: Direction,
    /// Whether it is a `MOVE`, which returns no rows.
    pub moving: bool,
}

/// Parses the `DECLARE` at these bytes of the text.
pub fn declare(places: &Places, at: Range<usize>, tokens: &[TokenWithSpan]) -> Result<Declare, Fault> {
    let mut words = Words::new(tokens);
    words.take("declare");
    let name = words.name().ok_or_else(|| wrong("the name of a cursor"))?;
    let (mut binary, mut scroll, mut hold) = (false, None, false);
    while let Some(option) = words.take_one(&["binary", "asensitive", "insensitive", "no", "scroll"]) {
        match option {
            "binary" => binary = true,
            "no" if !words.take("scroll") => return Err(wrong("NO SCROLL")),
            "no" => scroll = Some(false),
            "scroll" => scroll = Some(true),
            // The rows of a query never change while they are fetched.
            _ => {}
        }
    }
    if !words.take("cursor") {
        return Err(wrong("CURSOR"));
    }
    if let Some(with) = words.take_one(&["with", "without"]) {
        if !words.take("hold") {
            return Err(wrong("HOLD"));
        }
        hold = with == "with";
    }
    if !words.take("for") {
        return Err(wrong("FOR and a query"));
    }
    let query = statement::within(places, at, words.left())?;
    match &query.what {
        What::Query(_) | What::Catalogue => Ok(Declare { name, query, binary, scroll, hold }),
        What::Refused(refused) => Err(refused.clone()),
        _ => Err(wrong("FOR and a query")),
    }
}

/// Parses a `FETCH` or `MOVE`.
pub fn fetch(tokens: &[TokenWithSpan]) -> Result<Fetch, Fault> {
    let mut words = Words::new(tokens);
    let moving = words.take_one(&["fetch", "move"]) == Some("move");
    let direction = direction(&mut words)?;
    words.take_one(&["from", "in"]);
    let name = words.name().ok_or_else(|| wrong("the name of a cursor"))?;
    if !words.are_read() {
        return Err(wrong("FETCH, a direction, FROM and the name of a cursor"));
    }
    Ok(Fetch { name, direction, moving })
}

fn direction(words: &mut Words<'_>) -> Result<Direction, Fault> {
    if let Some(count) = words.whole_number() {
        return Ok(forward(count));
    }
    const NAMED: [&str; 9] = ["next", "prior", "first", "last", "absolute", "relative", "all", "forward", "backward"];
    let number = |words: &mut Words<'_>| words.whole_number().ok_or_else(|| wrong("a number of rows"));
    Ok(match words.take_one(&NAMED) {
        None | Some("next") => forward(1),
        Some("prior") => backward(1),
        Some("first") => Direction::Absolute(1),
        Some("last") => Direction::Absolute(-1),
        Some("absolute") => Direction::Absolute(number(words)?),
        Some("relative") => Direction::Relative(number(words)?),
        Some("forward") if words.take("all") => Direction::Forward(u64::MAX),
        Some("forward") => forward(words.whole_number().unwrap_or(1)),
        Some("backward") if words.take("all") => Direction::Backward(u64::MAX),
        Some("backward") => backward(words.whole_number().unwrap_or(1)),
        Some(_) => Direction::Forward(u64::MAX),
    })
}

/// This many rows forward: backward if negative, and the current row again if zero.
fn forward(count: i64) -> Direction {
    match count {
        0 => Direction::Relative(0),
        1.. => Direction::Forward(count.unsigned_abs()),
        _ => Direction::Backward(count.unsigned_abs()),
    }
}

fn backward(count: i64) -> Direction {
    forward(count.saturating_neg())
}

/// Parses `CLOSE name` or `CLOSE ALL`.
pub fn close(tokens: &[TokenWithSpan]) -> Result<What, Fault> {
    let mut words = Words::new(tokens);
    words.take("close");
    if words.take("all") {
        return Ok(What::Close(None));
    }
    words.name().map(|name| What::Close(Some(name))).ok_or_else(|| wrong("the name of a cursor"))
}

fn wrong(expected: &str) -> Fault {
    Fault::new("42601", format!("Syntax error. Expected: {expected}."))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::postgres::statement::split;

    #[test]
    fn the_options_of_a_cursor_are_parsed() {
        let text = "declare \"C 1\" binary no scroll cursor with hold for select é, x from t";
        let What::Declare(declare) = split(text).unwrap().remove(0).what else { panic!() };
        assert_eq!(
            (declare.name.as_str(), declare.binary, declare.scroll, declare.hold),
            ("C 1", true, Some(false), true)
        );
        let What::Query(query) = &declare.query.what else { panic!() };
        // Error positions refer to the whole statement.
        assert_eq!(text.chars().nth(query.position(1, 11) - 1), Some('x'));
        assert!(matches!(
            split("declare c cursor for select 1 from pg_class").unwrap()[0].query().what,
            What::Catalogue
        ));
        for (text, state) in [
            ("declare c cursor", "42601"),
            ("declare c cursor for begin", "42601"),
            ("declare c no cursor for select 1", "42601"),
            ("declare c cursor for delete from blocks", "25006"),
        ] {
            assert_eq!(split(text).unwrap_err().state, state, "{text}");
        }
        // A BigQuery variable is left to the engine.
        assert!(matches!(split("declare x int64 default 1").unwrap()[0].what, What::Query(_)));
    }

    #[test]
    fn directions_are_parsed() {
        for (text, direction) in [
            ("fetch c", Direction::Forward(1)),
            ("fetch next from c", Direction::Forward(1)),
            ("fetch 10 in c", Direction::Forward(10)),
            ("fetch -2 c", Direction::Backward(2)),
            ("fetch all from c", Direction::Forward(u64::MAX)),
            ("fetch forward 3 from c", Direction::Forward(3)),
            ("fetch forward all in c", Direction::Forward(u64::MAX)),
            ("fetch prior from c", Direction::Backward(1)),
            ("fetch backward 2 from c", Direction::Backward(2)),
            ("fetch backward all c", Direction::Backward(u64::MAX)),
            ("fetch 0 from c", Direction::Relative(0)),
            ("move relative -3 in c", Direction::Relative(-3)),
            ("move absolute 5 in c", Direction::Absolute(5)),
            ("fetch first in c", Direction::Absolute(1)),
            ("fetch last c", Direction::Absolute(-1)),
        ] {
            let What::Fetch(fetch) = split(text).unwrap().remove(0).what else { panic!("{text}") };
            assert_eq!((fetch.name.as_str(), fetch.direction), ("c", direction), "{text}");
            assert_eq!(fetch.moving, text.starts_with("move"));
        }
        for text in ["fetch", "fetch 1 from", "fetch absolute from c", "fetch c d", "close"] {
            assert_eq!(split(text).unwrap_err().state, "42601", "{text}");
        }
    }
}
