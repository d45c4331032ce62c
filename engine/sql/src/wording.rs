//! Messages of the planner about types, in the words people know.

use super::message_parts::{after, type_word};
use super::misplaced;

/// Signs of operators, the longer first.
const SIGNS: [&str; 13] =
    [" <= ", " >= ", " != ", " = ", " < ", " > ", " + ", " - ", " * ", " / ", " % ", " || ", " IS DISTINCT FROM "];

/// What the engine calls inside, and what people call it. The longer names come first.
pub const INSIDE: [(&str, &str); 44] = [
    ("FixedSizeBinary(33)", "uint256"),
    ("Error during planning: ", ""),
    ("Execution error: ", ""),
    ("Arrow error: ", ""),
    ("Cast error: ", ""),
    ("quarry.main.", ""),
    ("quarry.ethereum.", ""),
    ("Utf8View", "varchar"),
    ("LargeUtf8", "varchar"),
    ("Utf8", "varchar"),
    ("BinaryView", "bytes"),
    ("LargeBinary", "bytes"),
    ("FixedSizeBinary(20)", "address"),
    ("FixedSizeBinary(32)", "hash"),
    ("UInt64", "bigint unsigned"),
    ("UInt32", "int unsigned"),
    ("UInt16", "smallint unsigned"),
    ("UInt8", "tinyint unsigned"),
    ("Int64", "bigint"),
    ("Int32", "int"),
    ("Int16", "smallint"),
    ("Int8", "tinyint"),
    ("Float64", "double"),
    ("Float32", "real"),
    ("Float16", "real"),
    ("Decimal256", "decimal"),
    ("Decimal128", "decimal"),
    ("Decimal64", "decimal"),
    ("Decimal32", "decimal"),
    ("Date32", "date"),
    ("Date64", "date"),
    ("Timestamp(s)", "timestamp"),
    ("Timestamp(ms)", "timestamp"),
    ("Timestamp(µs)", "timestamp"),
    ("Timestamp(ns)", "timestamp"),
    ("Timestamp(µs, \"UTC\")", "timestamp"),
    ("Timestamp(ns, \"UTC\")", "timestamp"),
    ("Interval(MonthDayNano)", "interval"),
    ("Duration(ns)", "interval"),
    ("Boolean", "boolean"),
    ("Binary(\"", "bytes (\""),
    ("got Binary", "got bytes"),
    ("type Binary", "type bytes"),
    ("type Null", "type null"),
];

/// A message of DataFusion in our words; `None` when it is of no known kind.
pub fn reworded(message: &str) -> Option<String> {
    // A sentence of ours that the planner wrapped in its own.
    if let Some(rest) = after(message, "coercion failed with: External error: ") {
        return Some(rest[..rest.find(". No function matches")?].to_string());
    }
    if let Some(rest) = after(message, "Cannot coerce arithmetic expression ") {
        let (left, sign, right) = sides(rest.split(" to valid types").next()?)?;
        return Some(format!("{left} {sign} {right} has no meaning; cast one of them."));
    }
    if let Some(rest) = after(message, "Cannot get result type for decimal operation ") {
        let (left, sign, right) = sides(rest.split(": ").next()?)?;
        return Some(match rest.contains("exceed max scale") {
            true => format!(
                "{left} {sign} {right} has more digits behind the point than a decimal holds; cast one of them to fewer."
            ),
            false => format!("{left} {sign} {right} has no meaning; cast one of them."),
        });
    }
    if let Some(rest) = after(message, "Cannot get result type for temporal operation ") {
        let (left, sign, right) = sides(rest.split(": ").next()?)?;
        return Some(format!("{left} {sign} {right} has no meaning; cast one of them."));
    }
    if let Some(rest) = after(message, "Cannot infer common string type for string concat operation ") {
        let (left, sign, right) = sides(rest.lines().next()?.trim_end_matches('.'))?;
        return Some(format!("{left} {sign} {right} has no meaning; cast one of them."));
    }
    for what in ["comparison", "regex"] {
        if let Some(rest) = after(message, &format!("Cannot infer common argument type for {what} operation ")) {
            let (left, _, right) = sides(rest.lines().next()?)?;
            return Some(format!("{left} can't be compared with {right}; cast one of them."));
        }
    }
    if let Some(rest) = after(message, "No function matches the given name and argument types '") {
        let call = &rest[..rest.find("'.")?];
        let (name, types) = call.split_once('(')?;
        let name = name.strip_prefix("hive_").unwrap_or(name);
        let types = types.strip_suffix(')')?;
        let known: Vec<String> = parts(types).into_iter().map(type_word).collect();
        // What `list[place]` is called inside.
        if let ("array_element", [of, place]) = (name, known.as_slice()) {
            return Some(match of.as_str() {
                "array" => format!("A place in a list is a whole number, not {place}."),
                _ => format!("An item in [ ] is one of a list or of a map, not of {of}."),
            });
        }
        return Some(match known.is_empty() {
            true => format!("The function {name} needs arguments."),
            false => format!("The function {name} does not take ({}).", known.join(", ")),
        });
    }
    if let Some((before, of)) = message.split_once(" does not support type ") {
        let (name, of) = (before.rsplit(' ').next()?, of.lines().next()?.trim_end_matches('.').trim_matches('\''));
        return Some(format!("The function {name} does not take ({}).", type_word(of)));
    }
    if let Some(rest) = after(message, "FILTER clause can only be used with aggregate window functions. Found in '") {
        let name = rest.split('(').next().unwrap_or_default();
        return Some(format!("FILTER stands behind aggregates, not behind {name}."));
    }
    if message.contains("Aggregate ORDER BY is not implemented for window functions") {
        let text = "An aggregate over a window has an order of its own only where the window has none and no frame; put the \
                    order in the window.";
        return Some(text.to_string());
    }
    if message.contains("Granularity of `date_trunc` must be") {
        return Some(
            "date_trunc takes its unit written out, as date_trunc('day', t), the same in every row.".to_string(),
        );
    }
    if let Some(rest) = after(message, "Inconsistent data type across values list")
        && let Some((was, found)) = after(rest, "Was ").and_then(|rest| rest.split_once(" but found "))
    {
        let (was, found) = (type_word(was), type_word(found.trim_end_matches('.')));
        return Some(format!("A column of VALUES has values of one type, not {was} and {found}; cast one of them."));
    }
    if message.contains("qualifier for lambda variable") {
        return Some("No aggregate and no window function stands in a lambda.".to_string());
    }
    if message.contains("lambda must return boolean") {
        return Some("The lambda of this function is a condition on its item.".to_string());
    }
    if message.contains("null_aware anti join") {
        return Some("This NOT IN asks for too much of the rows around it; write it as NOT EXISTS.".to_string());
    }
    // Found late, it comes without the types: the stock function lists every form of its own.
    if message.contains("user-defined coercion failed")
        && let Some(rest) = after(message, "Function '")
    {
        return Some(format!("The function {} does not take these arguments.", &rest[..rest.find('\'')?]));
    }
    misplaced::reworded(message)
}

/// What is said of something that the parser does not read, though other products do.
pub fn unread(message: &str) -> Option<&'static str> {
    let exclude = after(message, "Expected: ), found: ").is_some_and(|word| word.eq_ignore_ascii_case("exclude"));
    exclude.then_some("The frame of a window excludes CURRENT ROW, GROUP, TIES or NO OTHERS.")
}

/// What is said of something that the planner does not do; it speaks of the insides of the parser and of itself.
pub fn unsupported(message: &str, sentence: &str) -> String {
    if message.contains("Lambda(") {
        return "A lambda such as x -> x + 1 has no meaning here.".to_string();
    }
    if message.contains("Physical plan does not support logical expression AggregateFunction") {
        return "An aggregate can't stand here; compute it in a query in FROM.".to_string();
    }
    if let Some(name) = after(message, "Unsupported SQL type ")
        && name.bytes().all(|letter| letter.is_ascii_alphanumeric() || letter == b'_')
    {
        return format!("There is no type {name}.");
    }
    if message.contains("Physical plan does not support logical expression Wildcard") {
        return "* stands for all columns, and only count(*) takes it; name a column here.".to_string();
    }
    if message.contains("Physical plan does not support logical expression WindowFunction") {
        return "A window function can't stand in WHERE; filter by it with QUALIFY.".to_string();
    }
    if ["ScalarSubquery", "InSubquery", "Exists"]
        .iter()
        .any(|query| message.contains(&format!("Physical plan does not support logical expression {query}")))
    {
        return "A query in here asks for columns of the query around it in a way that is not supported; join them instead."
            .to_string();
    }
    if message.contains("There is only support Literal types for field") {
        return "A window function takes its offset or number of parts written out, not from a column.".to_string();
    }
    if message.contains("OuterReferenceColumn") {
        return "A query in here asks for columns of the query around it in a way that is not supported; join them instead."
            .to_string();
    }
    if message.contains("Unsupported Interval Expression with last_field") {
        return "An interval of several units is written as interval '1-2' year to month or interval '1 02:03:04' day to second."
            .to_string();
    }
    if message == "TOP" || message.contains("FETCH clause is not supported") {
        return "FETCH and TOP take WITH TIES in one SELECT with an order and without DISTINCT, QUALIFY and OFFSET, and no \
                PERCENT; filter by rank() OVER (…) in QUALIFY."
            .to_string();
    }
    if message.contains("Unsupported ast node") {
        return "This kind of expression is not supported.".to_string();
    }
    if message.contains("Unsupported JOIN operator AsOf") {
        return "ASOF JOIN does not run here; take the last row before each time in a query: (select … from p where p.time <= \
                t.time order by p.time desc limit 1)."
            .to_string();
    }
    if message.contains("Unsupported LIMIT expression") || message.contains("Unsupported OFFSET expression") {
        return "LIMIT and OFFSET take a number, not a query; filter by row_number() OVER (…) in QUALIFY.".to_string();
    }
    if message.contains("LATERAL VIEWS") {
        return "LATERAL VIEW is HiveQL; write CROSS JOIN UNNEST(list) AS t (x) here.".to_string();
    }
    if message.contains("retract_batch") {
        let name = message.rsplit(": ").next().unwrap_or_default().split('(').next().unwrap_or_default();
        return format!("{name} can't be told of a frame that slides; let it begin with UNBOUNDED PRECEDING.");
    }
    format!("This is not supported: {sentence}")
}

/// A text in which a type with all that stands in its brackets is one word.
pub fn without(mut text: String, inside: &str, word: &str) -> String {
    while let Some(start) = text.find(inside) {
        let mut depth = 0;
        let end = text[start..].char_indices().find_map(|(at, sign)| {
            depth += match sign {
                '(' => 1,
                ')' => -1,
                _ => 0,
            };
            (sign == ')' && depth == 0).then_some(start + at + 1)
        });
        let Some(end) = end else { return text };
        text.replace_range(start..end, word);
    }
    text
}

/// Both types and the sign between them.
fn sides(text: &str) -> Option<(String, &'static str, String)> {
    let sign = SIGNS.into_iter().find(|sign| text.contains(sign))?;
    let (left, right) = text.split_once(sign)?;
    Some((type_word(left), sign.trim(), type_word(right.trim_end_matches('.'))))
}

/// Types parted by commas that are in no brackets.
fn parts(types: &str) -> Vec<&str> {
    let (mut depth, mut start, mut found) = (0, 0, Vec::new());
    for (index, c) in types.char_indices() {
        match c {
            '(' | '[' | '{' | '<' => depth += 1,
            ')' | ']' | '}' | '>' => depth -= 1,
            ',' if depth == 0 => {
                found.push(&types[start..index]);
                start = index + 1;
            }
            _ => {}
        }
    }
    if !types.trim().is_empty() {
        found.push(&types[start..]);
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_get_the_names_people_know() {
        let arithmetic = "Cannot coerce arithmetic expression Int64 + Utf8 to valid types";
        assert_eq!(reworded(arithmetic).unwrap(), "bigint + varchar has no meaning; cast one of them.");
        let compared = "Cannot infer common argument type for comparison operation Decimal128(38, 0) >= Boolean";
        assert_eq!(reworded(compared).unwrap(), "decimal(38,0) can't be compared with boolean; cast one of them.");
        let call = "Error: No function matches the given name and argument types 'round(FixedSizeBinary(20), Utf8)'. You might";
        assert_eq!(reworded(call).unwrap(), "The function round does not take (address, varchar).");
        let late =
            "Function 'abs' user-defined coercion failed with: Function 'abs' expects 1 arguments but received 2";
        assert_eq!(reworded(late).unwrap(), "The function abs does not take these arguments.");
        assert_eq!(reworded("something else"), None);
        let nested = "got List(Struct(\"c0\": bigint)), not Map(x".to_string();
        assert_eq!(without(nested.clone(), "List(", "array"), "got array, not Map(x");
        assert_eq!(without(nested.clone(), "Map(", "map"), nested);
    }
}
