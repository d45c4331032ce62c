//! Text → one statement that only reads.

use datafusion::sql::sqlparser::ast::Statement;
use datafusion::sql::sqlparser::tokenizer::TokenWithSpan;

use super::pipeline::{Front, STATEMENT, TEXT, TOKENS};
use super::trace::Trace;
use super::{errors, limits, read_only, tokens};
use quarry_runtime::job::Parameters;
use quarry_types::Result;

/// Parses a text into its one statement, checked and rewritten.
///
/// # Errors
///
/// The text is too long or nested too deeply, is no statement that reads, or lacks values of parameters.
pub fn parse(text: &str, parameters: &Parameters, max_bytes: usize) -> Result<Statement> {
    parse_traced(text, parameters, max_bytes, &mut Trace::default())
}

/// The same, with the steps that change the text.
pub fn parse_traced(text: &str, parameters: &Parameters, max_bytes: usize, trace: &mut Trace) -> Result<Statement> {
    limits::bytes(text, max_bytes)?;
    let mut front = Front { parameters, declarations: Default::default(), bound: Default::default() };
    let mut text = text.to_string();
    for step in TEXT {
        let changed = (step.run)(&text, &mut front)?;
        if trace.is_on {
            trace.note("text", step, &text, &changed);
        }
        text = changed;
    }
    let tokens = limits::tokens(&text)?;
    front.bound.check(&tokens)?;
    let tokens = edited(tokens, trace);
    let mut statement = read_only::one_statement(tokens).map_err(|error| errors::at_the_end(error, &text))?;
    for step in STATEMENT {
        let before = trace.is_on.then(|| statement.to_string());
        (step.run)(&mut statement, &front, trace)?;
        if let Some(before) = before {
            trace.note("statement", step, &before, &statement.to_string());
        }
    }
    Ok(statement)
}

/// The tokens with what the rules change; one after another where they are traced.
fn edited(tokens: Vec<TokenWithSpan>, trace: &mut Trace) -> Vec<TokenWithSpan> {
    if !trace.is_on {
        return tokens::apply(tokens, TOKENS.iter().map(|step| step.run));
    }
    let text = |tokens: &[TokenWithSpan]| tokens.iter().map(|token| token.token.to_string()).collect::<String>();
    TOKENS.iter().fold(tokens, |tokens, step| {
        let before = text(&tokens);
        let edited = tokens::apply(tokens, [step.run]);
        trace.note("tokens", step, &before, &text(&edited));
        edited
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use quarry_types::ErrorCode;

    fn refusal(text: &str) -> (ErrorCode, Option<u64>) {
        let error = parse(text, &Parameters::default(), 1 << 20).unwrap_err();
        (error.code, error.position.map(|position| position.column))
    }

    #[test]
    fn functions_that_double_are_refused_before_they_fill_the_memory() {
        for (open, close) in [("decode(", ", 1, 2, 3, 4)"), ("date_trunc(", ", isoyear)")] {
            let text = |depth| format!("select {}x{} from t", open.repeat(depth), close.repeat(depth));
            assert_eq!(refusal(&text(50)).0, ErrorCode::TooComplex, "{open}");
            assert!(parse(&text(2), &Parameters::default(), 1 << 20).is_ok(), "{open}");
        }
    }

    #[test]
    fn a_list_of_patterns_is_counted_before_its_text_is_copied() {
        let patterns = vec!["'a'"; 5_000].join(",");
        let text = format!("select coalesce({patterns}) like any ({patterns}) from t");
        assert_eq!(refusal(&text).0, ErrorCode::TooComplex);
    }

    #[test]
    fn queries_in_declared_values_are_checked() {
        let text = |query: &str| format!("DECLARE x INT64 DEFAULT ({query});\nselect x");
        assert_eq!(refusal(&text("select a from 'f.csv'")).0, ErrorCode::NotAllowed);
        assert_eq!(refusal(&text("select a from t limit 1 by b")).0, ErrorCode::InvalidQuery);
        assert!(parse(&text("select 1"), &Parameters::default(), 1 << 20).is_ok());
    }

    #[test]
    fn volatile_arguments_are_evaluated_once() {
        assert_eq!(refusal("select 1, decode(random(), 1, 2, 3, 4)"), (ErrorCode::InvalidQuery, Some(11)));
        assert!(
            parse("select sqrt(random()), div0(random(), 2), uuid_string()", &Parameters::default(), 1 << 20).is_ok()
        );
    }
}
