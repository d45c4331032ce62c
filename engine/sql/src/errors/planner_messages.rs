//! Messages of DataFusion, which have no structure, as sentences for those who write queries.

use super::type_names::type_name;

/// Operators, the longer first.
const OPERATORS: [&str; 13] =
    [" <= ", " >= ", " != ", " = ", " < ", " > ", " + ", " - ", " * ", " / ", " % ", " || ", " IS DISTINCT FROM "];

/// Functions that need a window.
const WINDOW_FUNCTIONS: [&str; 8] =
    ["cume_dist", "dense_rank", "lag", "lead", "ntile", "percent_rank", "rank", "row_number"];

/// A part of a message, and the sentence for it.
type Sentence = (&'static str, &'static str);

/// Errors of planning and of execution.
const SENTENCES: &[Sentence] = &[
    (
        "Aggregate functions are not allowed in the WHERE clause",
        "An aggregate can't stand in WHERE; filter by it with HAVING.",
    ),
    (
        "Aggregate function calls cannot be nested",
        "An aggregate can't stand inside another one; compute the inner one in a query in FROM.",
    ),
    (
        "Aggregate function calls cannot contain window function calls",
        "An aggregate takes no window function; compute it in a query in FROM.",
    ),
    (
        "Window function calls cannot be nested",
        "A window function can't stand inside another one; compute it in a query in FROM.",
    ),
    (
        "QUALIFY clause requires window functions",
        "QUALIFY needs a window function, there or among the columns; filter by columns with WHERE.",
    ),
    ("The subquery should only return one column", "A query in the place of a value shows one column."),
    ("Scalar subquery returned more than one row", "A query in the place of a value gave more than one row."),
    ("unnest() can only be applied to array", "UNNEST takes a list."),
    (
        "was not provided a value for execution",
        "$1 stands for a column of VALUES where nothing else is read; parameters have names in braces.",
    ),
    ("LIMIT must be >= 0", "LIMIT and OFFSET can't be below zero."),
    (
        "Aggregate ORDER BY is not implemented for window functions",
        "An aggregate over a window has an order of its own only where the window has none and no frame; put the order in the \
         window.",
    ),
    (
        "Granularity of `date_trunc` must be",
        "date_trunc takes its unit written out, as date_trunc('day', t), the same in every row.",
    ),
    ("qualifier for lambda variable", "No aggregate and no window function stands in a lambda."),
    ("lambda must return boolean", "The lambda of this function is a condition on its item."),
    ("null_aware anti join", "This NOT IN asks for too much of the rows around it; write it as NOT EXISTS."),
];

const OUTER_COLUMNS: &str =
    "A query in here asks for columns of the query around it in a way that is not supported; join them instead.";
const LIMIT_QUERY: &str = "LIMIT and OFFSET take a number, not a query; filter by row_number() OVER (…) in QUALIFY.";
const FETCH: &str = "FETCH and TOP take WITH TIES in one SELECT with an order and without DISTINCT, QUALIFY and OFFSET, and no \
                     PERCENT; filter by rank() OVER (…) in QUALIFY.";

/// What DataFusion does not implement.
const NOT_IMPLEMENTED: &[Sentence] = &[
    ("Lambda(", "A lambda such as x -> x + 1 has no meaning here."),
    (
        "Physical plan does not support logical expression AggregateFunction",
        "An aggregate can't stand here; compute it in a query in FROM.",
    ),
    (
        "Physical plan does not support logical expression Wildcard",
        "* stands for all columns, and only count(*) takes it; name a column here.",
    ),
    (
        "Physical plan does not support logical expression WindowFunction",
        "A window function can't stand in WHERE; filter by it with QUALIFY.",
    ),
    ("Physical plan does not support logical expression ScalarSubquery", OUTER_COLUMNS),
    ("Physical plan does not support logical expression InSubquery", OUTER_COLUMNS),
    ("Physical plan does not support logical expression Exists", OUTER_COLUMNS),
    (
        "There is only support Literal types for field",
        "A window function takes its offset or number of parts written out, not from a column.",
    ),
    ("OuterReferenceColumn", OUTER_COLUMNS),
    (
        "Unsupported Interval Expression with last_field",
        "An interval of several units is written as interval '1-2' year to month or interval '1 02:03:04' day to second.",
    ),
    ("FETCH clause is not supported", FETCH),
    ("Unsupported ast node", "This kind of expression is not supported."),
    (
        "Unsupported JOIN operator AsOf",
        "ASOF JOIN does not run here; take the last row before each time in a query: (select … from p where p.time <= t.time \
         order by p.time desc limit 1).",
    ),
    ("Unsupported LIMIT expression", LIMIT_QUERY),
    ("Unsupported OFFSET expression", LIMIT_QUERY),
    ("LATERAL VIEWS", "LATERAL VIEW is HiveQL; write CROSS JOIN UNNEST(list) AS t (x) here."),
];

/// Operands of operators that have no meaning together: what is before them, and what is after them.
const OPERANDS: [(&str, &str); 4] = [
    ("Cannot coerce arithmetic expression ", " to valid types"),
    ("Cannot get result type for decimal operation ", ": "),
    ("Cannot get result type for temporal operation ", ": "),
    ("Cannot infer common string type for string concat operation ", "\n"),
];

fn sentence_for(message: &str, sentences: &[Sentence]) -> Option<String> {
    sentences.iter().find(|(part, _)| message.contains(part)).map(|(_, sentence)| (*sentence).to_string())
}

/// The sentence for an error of planning or execution; `None` when the message is not known.
pub(super) fn planner_sentence(message: &str) -> Option<String> {
    // A sentence of ours that the planner wrapped in its own.
    if let Some(rest) = after(message, "coercion failed with: External error: ") {
        return Some(rest[..rest.find(". No function matches")?].to_string());
    }
    for (before, end) in OPERANDS {
        let Some(rest) = after(message, before) else { continue };
        let (left, operator, right) = operands(rest.split(end).next()?)?;
        return Some(match rest.contains("exceed max scale") {
            true => format!(
                "{left} {operator} {right} has more digits behind the point than a decimal holds; cast one of them to fewer."
            ),
            false => format!("{left} {operator} {right} has no meaning; cast one of them."),
        });
    }
    for kind in ["comparison", "regex"] {
        if let Some(rest) = after(message, &format!("Cannot infer common argument type for {kind} operation ")) {
            let (left, _, right) = operands(rest.lines().next()?)?;
            return Some(format!("{left} can't be compared with {right}; cast one of them."));
        }
    }
    if let Some(rest) = after(message, "No function matches the given name and argument types '") {
        let (name, types) = rest[..rest.find("'.")?].split_once('(')?;
        return Some(wrong_arguments(name.strip_prefix("hive_").unwrap_or(name), types.strip_suffix(')')?));
    }
    if let Some((before, argument)) = message.split_once(" does not support type ") {
        let name = before.rsplit(' ').next()?;
        let argument = argument.lines().next()?.trim_end_matches('.').trim_matches('\'');
        return Some(format!("The function {name} does not take ({}).", type_name(argument)));
    }
    if let Some(rest) = after(message, "FILTER clause can only be used with aggregate window functions. Found in '") {
        let name = rest.split('(').next().unwrap_or_default();
        return Some(format!("FILTER stands behind aggregates, not behind {name}."));
    }
    if let Some(rest) = after(message, "Inconsistent data type across values list")
        && let Some((first, other)) = after(rest, "Was ").and_then(|rest| rest.split_once(" but found "))
    {
        let (first, other) = (type_name(first), type_name(other.trim_end_matches('.')));
        return Some(format!("A column of VALUES has values of one type, not {first} and {other}; cast one of them."));
    }
    // Found late, it comes without the types: the stock function lists its own signatures.
    if message.contains("user-defined coercion failed")
        && let Some(rest) = after(message, "Function '")
    {
        return Some(format!("The function {} does not take these arguments.", &rest[..rest.find('\'')?]));
    }
    if message.contains("Cannot create filter with non-boolean predicate")
        && let Some((_, found)) = message.rsplit_once(" returning ")
    {
        return Some(no_condition(found.trim_end_matches('.')));
    }
    if let Some(rest) = after(message, "Cannot infer common argument type for logical boolean operation ") {
        let sides = rest.lines().next()?.trim_end_matches('.');
        let (left, right) = sides.split_once(" AND ").or_else(|| sides.split_once(" OR "))?;
        return Some(no_condition(if left.trim() == "Boolean" { right } else { left }));
    }
    if let Some(part) = after(message, "Date part '").and_then(|rest| rest.strip_suffix("' not supported")) {
        return Some(format!("'{part}' is no part of a time."));
    }
    if let Some((clause, found)) =
        after(message, "Expected ").and_then(|rest| rest.split_once(" to be an integer or null, but got "))
    {
        return Some(format!("{clause} takes a whole number, not {}.", type_name(found.trim_end_matches('.'))));
    }
    if let Some(rest) = after(message, "Cannot access field at argument ") {
        let found = rest.split(" type ").nth(1)?.split(" is not ").next()?;
        return Some(format!("{} has no fields.", type_name(found)));
    }
    if let Some(rest) = after(message, "WITH query name ") {
        let name = rest.split(" specified").next()?.trim_matches('"');
        return Some(format!("Two queries of WITH are called {name}."));
    }
    if message.contains("Projections require unique expression names") {
        // The columns are named as they are written: `bigint(1) AS x`.
        let name = message.split("\" at position").next()?.rsplit_once(" AS ");
        return Some(match name {
            Some((_, name)) if is_identifier(name) => {
                format!("The column {name} is there twice; give one of them another name with AS.")
            }
            _ => "A column is there twice; give one of them another name with AS.".to_string(),
        });
    }
    sentence_for(message, SENTENCES)
}

/// The sentence for a function that is unknown because it needs a window.
pub(super) fn missing_window(name: &str) -> Option<String> {
    let name = WINDOW_FUNCTIONS.into_iter().find(|function| function.eq_ignore_ascii_case(name))?;
    Some(format!("{name} looks at the rows beside its own and needs OVER (…)."))
}

/// The sentence for what the parser does not read, though other products do.
pub(super) fn parser_sentence(message: &str) -> Option<&'static str> {
    let exclude = after(message, "Expected: ), found: ").is_some_and(|word| word.eq_ignore_ascii_case("exclude"));
    exclude.then_some("The frame of a window excludes CURRENT ROW, GROUP, TIES or NO OTHERS.")
}

/// The sentence for what is not implemented; `sentence` is the message as a sentence.
pub(super) fn unsupported(message: &str, sentence: &str) -> String {
    if let Some(name) = after(message, "Unsupported SQL type ").filter(|name| is_identifier(name)) {
        return format!("There is no type {name}.");
    }
    if message.contains("retract_batch") {
        let name = message.rsplit(": ").next().unwrap_or_default().split('(').next().unwrap_or_default();
        return format!("{name} can't be told of a frame that slides; let it begin with UNBOUNDED PRECEDING.");
    }
    match sentence_for(message, NOT_IMPLEMENTED) {
        Some(sentence) => sentence,
        None if message == "TOP" => FETCH.to_string(),
        None => format!("This is not supported: {sentence}"),
    }
}

fn wrong_arguments(name: &str, types: &str) -> String {
    let types: Vec<String> = split_types(types).into_iter().map(type_name).collect();
    match (name, types.as_slice()) {
        // What the planner calls `list[index]`.
        ("array_element", [list, index]) if list == "array" => {
            format!("A place in a list is a whole number, not {index}.")
        }
        ("array_element", [value, _]) => format!("An item in [ ] is one of a list or of a map, not of {value}."),
        (_, []) => format!("The function {name} needs arguments."),
        _ => format!("The function {name} does not take ({}).", types.join(", ")),
    }
}

fn no_condition(found: &str) -> String {
    format!("A condition is needed here, not {}; compare it with a value.", type_name(found))
}

fn is_identifier(name: &str) -> bool {
    name.bytes().all(|letter| letter.is_ascii_alphanumeric() || letter == b'_')
}

/// The text behind a part of a message.
fn after<'a>(message: &'a str, marker: &str) -> Option<&'a str> {
    message.split_once(marker).map(|(_, after)| after)
}

/// Both types and the operator between them.
fn operands(text: &str) -> Option<(String, &'static str, String)> {
    let operator = OPERATORS.into_iter().find(|operator| text.contains(operator))?;
    let (left, right) = text.split_once(operator)?;
    Some((type_name(left), operator.trim(), type_name(right.trim_end_matches('.'))))
}

/// Types separated by commas that are in no brackets.
fn split_types(types: &str) -> Vec<&str> {
    let mut depth = 0;
    let commas = types.split(|letter| {
        match letter {
            '(' | '[' | '{' | '<' => depth += 1,
            ')' | ']' | '}' | '>' => depth -= 1,
            _ => {}
        }
        letter == ',' && depth == 0
    });
    commas.filter(|part| !part.trim().is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_get_the_names_people_know() {
        for (message, sentence) in [
            (
                "Cannot coerce arithmetic expression Int64 + Utf8 to valid types",
                "bigint + varchar has no meaning; cast one of them.",
            ),
            (
                "Cannot infer common argument type for comparison operation Decimal128(38, 0) >= Boolean",
                "decimal(38,0) can't be compared with boolean; cast one of them.",
            ),
            (
                "Error: No function matches the given name and argument types 'round(FixedSizeBinary(20), Utf8)'. You might",
                "The function round does not take (address, varchar).",
            ),
            (
                "Function 'abs' user-defined coercion failed with: Function 'abs' expects 1 arguments but received 2",
                "The function abs does not take these arguments.",
            ),
        ] {
            assert_eq!(planner_sentence(message).as_deref(), Some(sentence));
        }
        assert_eq!(planner_sentence("something else"), None);
    }
}
