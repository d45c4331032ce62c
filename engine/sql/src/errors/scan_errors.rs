//! Errors of filters that run inside a scan. The reader of Parquet passes them on only as a text of their debug form
//! (`DatafusionArrowPredicate::evaluate`), from which they are read back.

use arrow::error::ArrowError;

use quarry_types::{Error, ErrorCode};

/// Makes an error of Arrow's from its message.
type Wrap = fn(String) -> ArrowError;

/// What the text begins with.
const MARK: &str = "Error evaluating filter predicate: ";

pub(super) enum ScanError {
    /// An error of ours.
    Own(Error),
    /// One of Arrow's.
    Arrow(ArrowError),
    /// One of an operator's, by its message.
    Execution(String),
    Exhausted(String),
}

/// The error of a filter; `None` when the text is of something else, such as a damaged file.
pub(super) fn scan_error(text: &str) -> Option<ScanError> {
    let debug_text = &text[text.find(MARK)? + MARK.len()..];
    if let Some(reason) = debug_text.split("regex parse error:").nth(1) {
        // In the debug form of another error its lines are one.
        let reason = reason.replace("\\n", "\n");
        let reason = reason.lines().find_map(|line| line.trim().strip_prefix("error: ")).unwrap_or_default();
        let message = format!("Invalid regular expression: {}.", reason.trim_end_matches(['.', '\\', '"', ')']));
        return Some(ScanError::Own(Error::new(ErrorCode::InvalidQuery, message)));
    }
    if let Some(own) = own(debug_text) {
        return Some(ScanError::Own(own));
    }
    if debug_text.contains("DivideByZero") {
        return Some(ScanError::Arrow(ArrowError::DivideByZero));
    }
    let of =
        |kind: &str| debug_text.find(&format!("{kind}(\"")).and_then(|at| quoted(&debug_text[at + kind.len() + 1..]));
    let arrow: [(&str, Wrap); 5] = [
        ("ArithmeticOverflow", ArrowError::ArithmeticOverflow),
        ("CastError", ArrowError::CastError),
        ("ParseError", ArrowError::ParseError),
        ("ComputeError", ArrowError::ComputeError),
        ("InvalidArgumentError", ArrowError::InvalidArgumentError),
    ];
    if let Some(error) = arrow.into_iter().find_map(|(kind, error)| of(kind).map(error)) {
        return Some(ScanError::Arrow(error));
    }
    if let Some(message) = of("ResourcesExhausted") {
        return Some(ScanError::Exhausted(message));
    }
    let message = of("Execution").or_else(|| of("Plan")).or_else(|| of("NotImplemented"));
    let unknown = || "A condition of the query can't be evaluated for some row.".to_string();
    Some(ScanError::Execution(message.unwrap_or_else(unknown)))
}

/// An error of ours: `Error { code: Arithmetic, message: "…", … }`.
fn own(debug_text: &str) -> Option<Error> {
    let rest = &debug_text[debug_text.find("Error { code: ")? + "Error { code: ".len()..];
    let (code, rest) = rest.split_once(", message: ")?;
    let codes = [
        ErrorCode::InvalidQuery,
        ErrorCode::Arithmetic,
        ErrorCode::InvalidInput,
        ErrorCode::MemoryLimit,
        ErrorCode::TooComplex,
        ErrorCode::Killed,
    ];
    let code = codes.into_iter().find(|known| format!("{known:?}") == code).unwrap_or(ErrorCode::InvalidQuery);
    Some(Error::new(code, quoted(rest)?))
}

/// The value of a string literal of Rust, from its opening quote on.
fn quoted(debug_text: &str) -> Option<String> {
    let mut letters = debug_text.strip_prefix('"')?.chars();
    let mut text = String::new();
    loop {
        match letters.next()? {
            '"' => return Some(text),
            '\\' => match letters.next()? {
                'n' => text.push('\n'),
                't' => text.push('\t'),
                'r' => text.push('\r'),
                '0' => text.push('\0'),
                'u' => {
                    let digits: String = letters.by_ref().skip(1).take_while(|letter| *letter != '}').collect();
                    text.push(u32::from_str_radix(&digits, 16).ok().and_then(char::from_u32)?);
                }
                other => text.push(other),
            },
            other => text.push(other),
        }
    }
}

#[cfg(test)]
mod tests {
    use datafusion::common::DataFusionError;

    use super::*;

    fn debug_text(error: &DataFusionError) -> String {
        format!("Parquet error: External: Compute error: {MARK}{error:?}")
    }

    #[test]
    fn errors_are_read_from_their_debug_form() {
        let message = "'a\"b\\' in line 1,\n\u{200b}€ is no number.";
        let own = DataFusionError::External(Box::new(Error::new(ErrorCode::Arithmetic, message)));
        let Some(ScanError::Own(error)) = scan_error(&debug_text(&own)) else { panic!("an error of ours") };
        assert_eq!((error.code, error.message.as_str()), (ErrorCode::Arithmetic, message));
        let zero = DataFusionError::from(ArrowError::DivideByZero);
        assert!(matches!(scan_error(&debug_text(&zero)), Some(ScanError::Arrow(ArrowError::DivideByZero))));
        let cast = DataFusionError::from(ArrowError::CastError("Cannot cast 'x'".into()));
        assert!(
            matches!(scan_error(&debug_text(&cast)), Some(ScanError::Arrow(ArrowError::CastError(text))) if text == "Cannot cast 'x'")
        );
        let other = DataFusionError::Execution("no such zone".into());
        assert!(matches!(scan_error(&debug_text(&other)), Some(ScanError::Execution(text)) if text == "no such zone"));
        assert!(scan_error("Parquet error: EOF: file is shorter than its footer says").is_none());
    }
}
