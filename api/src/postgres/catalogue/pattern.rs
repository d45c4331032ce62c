//! Regular expressions of the simple kind that clients write, as conditions with `LIKE`.

/// The condition that `subject` matches the expression; `None` for one that is more than texts, `.*` and `|`.
pub fn condition(subject: &str, expression: &str, fold: bool) -> Option<String> {
    let (subject, expression) = if fold {
        (format!("lower({subject})"), expression.to_lowercase())
    } else {
        (subject.to_string(), expression.to_string())
    };
    let (start, inner, end) = unwrapped(&expression);
    let alternatives = inner.split('|').map(|one| {
        let (from, one) = one.strip_prefix('^').map_or((start, one), |one| (true, one));
        let (to, one) = match one.strip_suffix('$') {
            Some(one) => (true, one),
            None => (end, one),
        };
        let open = |closed: bool| if closed { "" } else { "%" };
        let pattern = format!("{}{}{}", open(from), like(one)?, open(to));
        Some(format!("{subject} like '{}' escape '\\'", pattern.replace('\'', "''")))
    });
    Some(format!("({})", alternatives.collect::<Option<Vec<_>>>()?.join(" or ")))
}

/// The inside of `^(…)$`, and whether the match begins and ends with the text.
fn unwrapped(expression: &str) -> (bool, &str, bool) {
    let (start, rest) = expression.strip_prefix('^').map_or((false, expression), |rest| (true, rest));
    let (end, rest) = rest.strip_suffix('$').map_or((false, rest), |rest| (true, rest));
    match rest.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')) {
        Some(inner) if !inner.contains(['(', ')']) => (start, inner, end),
        _ => (false, expression, false),
    }
}

/// A text with `.*`, `.` and escapes as a pattern of `LIKE`.
fn like(expression: &str) -> Option<String> {
    let mut pattern = String::new();
    let mut letters = expression.chars().peekable();
    while let Some(letter) = letters.next() {
        let plain = match letter {
            '.' if letters.peek() == Some(&'*') => {
                letters.next();
                pattern.push('%');
                continue;
            }
            '.' => {
                pattern.push('_');
                continue;
            }
            '\\' => letters.next().filter(|next| !next.is_alphanumeric())?,
            '*' | '+' | '?' | '(' | ')' | '[' | ']' | '{' | '}' | '^' | '$' => return None,
            plain => plain,
        };
        if matches!(plain, '%' | '_' | '\\') {
            pattern.push('\\');
        }
        pattern.push(plain);
    }
    Some(pattern)
}

#[cfg(test)]
mod tests {
    use super::condition;

    #[test]
    fn what_clients_write_is_understood() {
        assert_eq!(condition("x", "^pg_toast", false).unwrap(), "(x like 'pg\\_toast%' escape '\\')");
        assert_eq!(condition("x", "^(blocks)$", false).unwrap(), "(x like 'blocks' escape '\\')");
        assert_eq!(condition("x", "^(b.*)$", true).unwrap(), "(lower(x) like 'b%' escape '\\')");
        let several = condition("x", "^information_schema|catalog_history|pg_", false).unwrap();
        assert!(several.contains("like 'information\\_schema%'") && several.contains("like '%pg\\_%'"), "{several}");
        assert!(condition("x", "^[a-z]+$", false).is_none());
        assert_eq!(condition("x", "it's", false).unwrap(), "(x like '%it''s%' escape '\\')");
    }
}
