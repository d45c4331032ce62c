//! The statements of HiveQL, one file each, and the list of them.

mod alter_columns;
mod alter_partitions;
mod alter_table;
mod assignments;
mod create;
mod create_table;
mod create_view;
mod delete;
mod drop;
mod explain;
mod insert;
mod load_data;
mod macros;
mod materialized_view;
mod merge;
mod merge_clauses;
mod query;
mod settings;
mod show;
mod statement;
mod truncate;
mod update;

use datafusion::sql::sqlparser::tokenizer::{Token, TokenWithSpan};

use crate::cursor::Cursor;
use crate::parse_context::ParseContext;
use crate::tokens::is_word;
use quarry_types::Result;

pub(crate) use statement::Statement;

type Parse = fn(Cursor<'_>, &mut ParseContext) -> Result<Box<dyn Statement>>;

/// Every statement: the keywords that it begins with, and the function that parses the rest. The first entry that matches
/// is taken; a statement that matches none is a query.
const STATEMENTS: &[(&str, Parse)] = &[
    ("alter materialized view", materialized_view::parse_alter),
    ("alter table", alter_table::parse),
    ("alter view", create_view::parse_alter),
    ("alter", alter_table::refuse),
    ("analyze", settings::parse_statistics),
    ("create", create::parse),
    ("delete from", delete::parse),
    ("desc", show::parse_describe),
    ("describe", show::parse_describe),
    ("drop", drop::parse),
    ("explain", parse_explain),
    ("insert", insert::parse),
    ("load", load_data::parse),
    ("merge", merge::parse),
    ("msck", settings::parse_statistics),
    ("reset", settings::parse_set),
    ("set", settings::parse_set),
    ("show", show::parse),
    ("truncate", truncate::parse),
    ("update", update::parse),
    ("use", settings::parse_use),
];

/// Parses one statement.
pub(crate) fn parse_statement(tokens: &[TokenWithSpan], context: &mut ParseContext) -> Result<Box<dyn Statement>> {
    let is_program = |pair: &[TokenWithSpan]| {
        is_word(&pair[0].token, "using") && matches!(pair[1].token, Token::SingleQuotedString(_))
    };
    if let Some(program) = tokens.windows(2).position(is_program) {
        let message = "TRANSFORM, MAP and REDUCE are not supported: external programs can't run here.";
        return Err(Cursor::new(&tokens[program..]).refuse(message));
    }
    let mut cursor = Cursor::new(tokens);
    if let Some((_, parse)) = STATEMENTS.iter().find(|(keywords, _)| cursor.take(keywords)) {
        return parse(cursor, context);
    }
    let first = cursor.word().unwrap_or_default();
    match first.as_str() {
        "add" | "delete" | "list" | "reload" => Err(cursor.refuse("Files and libraries can't be added here.")),
        "export" | "import" => {
            Err(cursor.refuse("Queries can't access files; upload the file as a table and query that."))
        }
        "grant" | "revoke" | "lock" | "unlock" | "replace" | "rebuild" => {
            Err(cursor.refuse(&format!("{} is not supported.", first.to_uppercase())))
        }
        _ => query::parse(tokens, context),
    }
}

/// `EXPLAIN` of a query, or of a statement with a query in it.
fn parse_explain(mut cursor: Cursor<'_>, context: &mut ParseContext) -> Result<Box<dyn Statement>> {
    cursor.take_any(&["extended", "formatted", "logical", "dependency"]);
    // Nested, it would recurse as deep as the text is long.
    let query = match cursor.take("explain") {
        true => None,
        false => parse_statement(cursor.rest(), context)?.query().cloned(),
    };
    let Some(query) = query else {
        return Err(cursor.refuse("EXPLAIN expects a query, or a statement that contains one."));
    };
    Ok(Box::new(explain::Explain(query)))
}
