//! Messages of the planner about what stands where it can't, in the words people know.

use super::message_parts::{after, type_word};

/// Functions that only windows have.
const OF_WINDOWS: [&str; 8] = ["cume_dist", "dense_rank", "lag", "lead", "ntile", "percent_rank", "rank", "row_number"];

/// Messages that always say the same, by a part of them.
const SAYINGS: [(&str, &str); 10] = [
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
];

/// A message of DataFusion in our words; `None` when it is of no known kind.
pub fn reworded(message: &str) -> Option<String> {
    if let Some((_, saying)) = SAYINGS.iter().find(|(part, _)| message.contains(part)) {
        return Some((*saying).to_string());
    }
    if message.contains("Cannot create filter with non-boolean predicate")
        && let Some((_, given)) = message.rsplit_once(" returning ")
    {
        let given = type_word(given.trim_end_matches('.'));
        return Some(format!("A condition is needed here, not {given}; compare it with a value."));
    }
    if let Some(rest) = after(message, "Cannot infer common argument type for logical boolean operation ") {
        let sides = rest.lines().next()?.trim_end_matches('.').split_once(" AND ");
        let (left, right) = sides.or_else(|| rest.lines().next()?.trim_end_matches('.').split_once(" OR "))?;
        let given = if left.trim() == "Boolean" { right } else { left };
        return Some(format!("A condition is needed here, not {}; compare it with a value.", type_word(given)));
    }
    if let Some(part) = after(message, "Date part '").and_then(|rest| rest.strip_suffix("' not supported")) {
        return Some(format!("'{part}' is no part of a time."));
    }
    if let Some((clause, given)) =
        after(message, "Expected ").and_then(|rest| rest.split_once(" to be an integer or null, but got "))
    {
        return Some(format!("{clause} takes a whole number, not {}.", type_word(given.trim_end_matches('.'))));
    }
    if let Some(rest) = after(message, "Cannot access field at argument ") {
        let given = rest.split(" type ").nth(1)?.split(" is not ").next()?;
        return Some(format!("{} has no fields.", type_word(given)));
    }
    if let Some(rest) = after(message, "WITH query name ") {
        let name = rest.split(" specified").next()?.trim_matches('"');
        return Some(format!("Two queries of WITH are called {name}."));
    }
    if message.contains("Projections require unique expression names") {
        // The columns are named as they are written: `bigint(1) AS x`.
        let name = message.split("\" at position").next()?.rsplit_once(" AS ");
        return Some(match name {
            Some((_, name)) if name.bytes().all(|sign| sign.is_ascii_alphanumeric() || sign == b'_') => {
                format!("The column {name} is there twice; give one of them another name with AS.")
            }
            _ => "A column is there twice; give one of them another name with AS.".to_string(),
        });
    }
    None
}

/// What is said of a function that is not there without a window.
pub fn of_window(name: &str) -> Option<String> {
    let name = OF_WINDOWS.into_iter().find(|of_windows| of_windows.eq_ignore_ascii_case(name))?;
    Some(format!("{name} looks at the rows beside its own and needs OVER (…)."))
}
