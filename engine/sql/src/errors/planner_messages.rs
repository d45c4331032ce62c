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
        "Aggregate functions are not allowed in WHERE; filter by them with HAVING.",
    ),
    (
        "Aggregate function calls cannot be nested",
        "Aggregate functions can't be nested; compute the inner one in a subquery in FROM.",
    ),
    (
        "Aggregate function calls cannot contain window function calls",
        "Aggregate functions can't contain window functions; compute the window function in a subquery in FROM.",
    ),
    (
        "Window function calls cannot be nested",
        "Window functions can't be nested; compute the inner one in a subquery in FROM.",
    ),
    (
        "QUALIFY clause requires window functions",
        "QUALIFY requires a window function, in its condition or in the SELECT list; filter by columns with WHERE.",
    ),
    ("The subquery should only return one column", "A scalar subquery must return one column."),
    ("Scalar subquery returned more than one row", "A scalar subquery returned more than one row."),
    ("unnest() can only be applied to array", "UNNEST expects a list."),
    (
        "was not provided a value for execution",
        "$1 refers to a column of VALUES only if nothing else is read; write parameters as names in braces.",
    ),
    ("LIMIT must be >= 0", "LIMIT and OFFSET can't be negative."),
    (
        "Aggregate ORDER BY is not implemented for window functions",
        "ORDER BY inside an aggregate function with OVER is only supported if the window has neither ORDER BY nor a \
         frame; move it to the window.",
    ),
    ("Granularity of `date_trunc` must be", "The unit of date_trunc must be a literal, as in date_trunc('day', t)."),
    ("qualifier for lambda variable", "Aggregate and window functions can't be used in a lambda."),
    ("lambda must return boolean", "The lambda of this function must return a boolean."),
    (
        "null_aware anti join",
        "This NOT IN subquery is correlated in a way that is not supported; write it as NOT EXISTS.",
    ),
];

const OUTER_COLUMNS: &str =
    "A correlated subquery refers to the outer query in a way that is not supported; use a join instead.";
const LIMIT_QUERY: &str = "LIMIT and OFFSET must be numbers, not subqueries; filter by row_number() OVER (…) in \
                           QUALIFY.";
const FETCH: &str = "FETCH and TOP support WITH TIES only in a single SELECT with ORDER BY and without DISTINCT, \
                     QUALIFY or OFFSET, and do not support PERCENT; filter by rank() OVER (…) in QUALIFY.";

/// What DataFusion does not implement.
const NOT_IMPLEMENTED: &[Sentence] = &[
    ("Lambda(", "A lambda such as x -> x + 1 is not allowed here."),
    (
        "Physical plan does not support logical expression AggregateFunction",
        "Aggregate functions are not allowed here; compute them in a subquery in FROM.",
    ),
    (
        "Physical plan does not support logical expression Wildcard",
        "* is only allowed in count(*); name a column here.",
    ),
    (
        "Physical plan does not support logical expression WindowFunction",
        "Window functions are not allowed in WHERE; filter by them with QUALIFY.",
    ),
    ("Physical plan does not support logical expression ScalarSubquery", OUTER_COLUMNS),
    ("Physical plan does not support logical expression InSubquery", OUTER_COLUMNS),
    ("Physical plan does not support logical expression Exists", OUTER_COLUMNS),
    (
        "There is only support Literal types for field",
        "The offset or number of buckets of a window function must be a literal, not a column.",
    ),
    ("OuterReferenceColumn", OUTER_COLUMNS),
    (
        "Unsupported Interval Expression with last_field",
        "Write an interval of several units as interval '1-2' year to month or interval '1 02:03:04' day to second.",
    ),
    ("FETCH clause is not supported", FETCH),
    ("Unsupported ast node", "This kind of expression is not supported."),
    (
        "Unsupported JOIN operator AsOf",
        "ASOF JOIN is not supported; select the last row before each time in a subquery: (select … from p where \
         p.time <= t.time order by p.time desc limit 1).",
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
                "{left} {operator} {right} needs more decimal places than a decimal can hold; cast one of the \
                 operands to fewer."
            ),
            false => format!("{left} {operator} {right} is not a valid operation; cast one of the operands."),
        });
    }
    if let Some(sentence) = incomparable(message) {
        return Some(sentence);
    }
    if let Some(rest) = after(message, "No function matches the given name and argument types '") {
        let (name, types) = rest[..rest.find("'.")?].split_once('(')?;
        return Some(wrong_arguments(name.strip_prefix("hive_").unwrap_or(name), types.strip_suffix(')')?));
    }
    if let Some((before, argument)) = message.split_once(" does not support type ") {
        let name = before.rsplit(' ').next()?;
        let argument = argument.lines().next()?.trim_end_matches('.').trim_matches('\'');
        return Some(format!("The function {name} does not accept ({}).", type_name(argument)));
    }
    if let Some(rest) = after(message, "FILTER clause can only be used with aggregate window functions. Found in '") {
        let name = rest.split('(').next().unwrap_or_default();
        return Some(format!("FILTER is allowed only with aggregate functions, not with {name}."));
    }
    if let Some(rest) = after(message, "Inconsistent data type across values list")
        && let Some((first, other)) = after(rest, "Was ").and_then(|rest| rest.split_once(" but found "))
    {
        let (first, other) = (type_name(first), type_name(other.trim_end_matches('.')));
        return Some(format!(
            "The values in a column of VALUES must have the same type, not {first} and {other}; cast one of them."
        ));
    }
    // Found late, it comes without the types: the stock function lists its own signatures.
    if message.contains("user-defined coercion failed")
        && let Some(rest) = after(message, "Function '")
    {
        return Some(format!("The function {} does not accept these arguments.", &rest[..rest.find('\'')?]));
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
        return Some(format!("'{part}' is not a valid date part."));
    }
    if let Some((clause, found)) =
        after(message, "Expected ").and_then(|rest| rest.split_once(" to be an integer or null, but got "))
    {
        return Some(format!("{clause} expects an integer, got {}.", type_name(found.trim_end_matches('.'))));
    }
    if let Some(rest) = after(message, "Cannot access field at argument ") {
        let found = rest.split(" type ").nth(1)?.split(" is not ").next()?;
        return Some(format!("{} has no fields.", type_name(found)));
    }
    if let Some(rest) = after(message, "WITH query name ") {
        let name = rest.split(" specified").next()?.trim_matches('"');
        return Some(format!("The WITH query {name} is specified twice."));
    }
    if message.contains("Projections require unique expression names") {
        // The columns are named as they are written: `bigint(1) AS x`.
        let name = message.split("\" at position").next()?.rsplit_once(" AS ");
        return Some(match name {
            Some((_, name)) if is_identifier(name) => {
                format!("The column {name} is specified twice; give one of them an alias with AS.")
            }
            _ => "A column is specified twice; give one of them an alias with AS.".to_string(),
        });
    }
    sentence_for(message, SENTENCES)
}

/// The sentence for values that an operator, BETWEEN, IN or CASE can't compare. DataFusion calls that of BETWEEN an internal error.
pub(super) fn incomparable(message: &str) -> Option<String> {
    for kind in ["comparison", "regex"] {
        if let Some(rest) = after(message, &format!("Cannot infer common argument type for {kind} operation ")) {
            let (left, _, right) = operands(rest.lines().next()?)?;
            return Some(cannot_compare(&left, &right));
        }
    }
    // What is before the two types, between them, and after them.
    let forms = [
        ("Failed to coerce types ", " and ", " in BETWEEN expression"),
        ("Failed to coerce case (", ") and when (", ") to common types in CASE WHEN expression"),
        ("Can not find compatible types to compare ", " with [", "]"),
    ];
    forms.into_iter().find_map(|(before, between, behind)| {
        let (left, right) = after(message, before)?.split_once(between)?;
        let mut right: Vec<String> = split_types(right.split(behind).next()?).into_iter().map(type_name).collect();
        right.dedup();
        Some(cannot_compare(&type_name(left), &right.join(", ")))
    })
}

fn cannot_compare(left: &str, right: &str) -> String {
    format!("{left} can't be compared with {right}; cast one of them.")
}

/// The sentence for a function that is unknown because it needs a window.
pub(super) fn missing_window(name: &str) -> Option<String> {
    let name = WINDOW_FUNCTIONS.into_iter().find(|function| function.eq_ignore_ascii_case(name))?;
    Some(format!("{name} is a window function and needs OVER (…)."))
}

/// The sentence for what the parser does not read, though other products do.
pub(super) fn parser_sentence(message: &str) -> Option<&'static str> {
    let exclude = after(message, "Expected: ), found: ").is_some_and(|word| word.eq_ignore_ascii_case("exclude"));
    exclude.then_some("EXCLUDE in a window frame must be followed by CURRENT ROW, GROUP, TIES or NO OTHERS.")
}

/// The sentence for what is not implemented; `sentence` is the message as a sentence.
pub(super) fn unsupported(message: &str, sentence: &str) -> String {
    if let Some(name) = after(message, "Unsupported SQL type ").filter(|name| is_identifier(name)) {
        return format!("There is no type {name}.");
    }
    if message.contains("retract_batch") {
        let name = message.rsplit(": ").next().unwrap_or_default().split('(').next().unwrap_or_default();
        return format!("{name} does not support sliding window frames; start the frame at UNBOUNDED PRECEDING.");
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
            format!("A list index must be an integer, got {index}.")
        }
        ("array_element", [value, _]) => format!("[ ] expects a list or a map, got {value}."),
        (_, []) => format!("The function {name} needs arguments."),
        _ => format!("The function {name} does not accept ({}).", types.join(", ")),
    }
}

fn no_condition(found: &str) -> String {
    format!("Expected a boolean here, got {}; compare it with a value.", type_name(found))
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
                "bigint + varchar is not a valid operation; cast one of the operands.",
            ),
            (
                "Cannot infer common argument type for comparison operation Decimal128(38, 0) >= Boolean",
                "decimal(38,0) can't be compared with boolean; cast one of them.",
            ),
            (
                "Failed to coerce types Utf8View and Boolean in BETWEEN expression.\nThis issue was likely",
                "varchar can't be compared with boolean; cast one of them.",
            ),
            (
                "Failed to coerce case (Utf8) and when (Boolean, Date32) to common types in CASE WHEN expression",
                "varchar can't be compared with boolean, date; cast one of them.",
            ),
            (
                "Can not find compatible types to compare Utf8 with [Boolean]",
                "varchar can't be compared with boolean; cast one of them.",
            ),
            (
                "Error: No function matches the given name and argument types 'round(FixedSizeBinary(20), Utf8)'. You might",
                "The function round does not accept (address, varchar).",
            ),
            (
                "Function 'abs' user-defined coercion failed with: Function 'abs' expects 1 arguments but received 2",
                "The function abs does not accept these arguments.",
            ),
        ] {
            assert_eq!(planner_sentence(message).as_deref(), Some(sentence));
        }
        assert_eq!(planner_sentence("something else"), None);
    }
}
