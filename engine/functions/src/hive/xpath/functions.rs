//! The functions of XPath 1.0.

use super::value::{Item, Place, Value, number_of};

/// The answer of a call; `None` for an unknown function or other arguments.
pub(super) fn call<'d>(name: &str, args: &[Value<'d>], place: Place<'d>) -> Option<Value<'d>> {
    let text = |at: usize| args.get(at).map(Value::text);
    // Without an argument some take the context node.
    let here = || match args {
        [] => Some(place.item.text()),
        [one] => Some(one.text()),
        _ => None,
    };
    let node = || match args {
        [] => Some(Some(place.item)),
        [Value::Nodes(nodes)] => Some(nodes.first().copied()),
        _ => None,
    };
    let nodes = || match args {
        [Value::Nodes(nodes)] => Some(nodes),
        _ => None,
    };
    let one = || match args {
        [one] => Some(one),
        _ => None,
    };
    Some(match (name, args.len()) {
        ("last", 0) => Value::Number(place.last as f64),
        ("position", 0) => Value::Number(place.position as f64),
        ("count", 1) => Value::Number(nodes()?.len() as f64),
        ("name" | "local-name", _) => Value::Text(node()?.map(|node| node.name().to_string()).unwrap_or_default()),
        ("string", _) => Value::Text(here()?),
        ("concat", 2..) => Value::Text(args.iter().map(Value::text).collect()),
        ("starts-with", 2) => Value::Truth(text(0)?.starts_with(&text(1)?)),
        ("contains", 2) => Value::Truth(text(0)?.contains(&text(1)?)),
        ("substring-before", 2) => {
            let (whole, part) = (text(0)?, text(1)?);
            Value::Text(whole.split_once(&part).map(|(before, _)| before.to_string()).unwrap_or_default())
        }
        ("substring-after", 2) => {
            let (whole, part) = (text(0)?, text(1)?);
            Value::Text(whole.split_once(&part).map(|(_, after)| after.to_string()).unwrap_or_default())
        }
        ("substring", 2..=3) => Value::Text(substring(&text(0)?, args[1].number(), args.get(2).map(Value::number))),
        ("string-length", _) => Value::Number(here()?.chars().count() as f64),
        ("normalize-space", _) => Value::Text(
            here()?.split([' ', '\t', '\r', '\n']).filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" "),
        ),
        ("translate", 3) => {
            let (from, to): (Vec<char>, Vec<char>) = (text(1)?.chars().collect(), text(2)?.chars().collect());
            let letter = |letter: char| match from.iter().position(|known| *known == letter) {
                Some(at) => to.get(at).copied(),
                None => Some(letter),
            };
            Value::Text(text(0)?.chars().filter_map(letter).collect())
        }
        ("boolean", 1) => Value::Truth(one()?.truth()),
        ("not", 1) => Value::Truth(!one()?.truth()),
        ("true", 0) => Value::Truth(true),
        ("false", 0) => Value::Truth(false),
        ("number", 0) => Value::Number(number_of(&here()?)),
        ("number", 1) => Value::Number(one()?.number()),
        ("sum", 1) => Value::Number(nodes()?.iter().map(|node: &Item<'_>| number_of(&node.text())).sum()),
        ("floor", 1) => Value::Number(one()?.number().floor()),
        ("ceiling", 1) => Value::Number(one()?.number().ceil()),
        ("round", 1) => Value::Number(round(one()?.number())),
        _ => return None,
    })
}

/// Halves go up.
fn round(number: f64) -> f64 {
    (number + 0.5).floor()
}

/// The letters at positions, counted from 1, from a rounded start to a rounded length further.
fn substring(text: &str, from: f64, length: Option<f64>) -> String {
    let from = round(from);
    let end = length.map_or(f64::INFINITY, |length| from + round(length));
    let inside = |at: usize| (at + 1) as f64 >= from && ((at + 1) as f64) < end;
    text.chars().enumerate().filter(|(at, _)| inside(*at)).map(|(_, letter)| letter).collect()
}
