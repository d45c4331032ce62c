//! Reads the statements of a script: queries go to the parser, the rest is read here.

use datafusion::sql::sqlparser::parser::Parser;
use datafusion::sql::sqlparser::tokenizer::{Token, TokenWithSpan};

use super::command::{Command, Create};
use super::cursor::Cursor;
use super::dialect::HiveQl;
use super::reader::{Insert, PARSER_RECURSION, Reader, partitions, query};
use super::settings::Settings;
use super::text_format::TextFormat;
use super::tokens::is_word;
use super::{alter, changed, load, merge, show};
use quarry_functions::hive::types;
use quarry_sql::errors;
use quarry_sql::parameters::Bound;
use quarry_types::{Error, ErrorCode, Result};

/// Reads one statement.
pub(super) fn command(tokens: &[TokenWithSpan], bound: &Bound, settings: &mut Settings) -> Result<Command> {
    let reader = &mut Reader { bound, settings };
    if let Some(program) = program(tokens) {
        let message = "TRANSFORM, MAP and REDUCE hand rows to another program, and none runs here.";
        return Err(Cursor::new(&tokens[program..]).refuse(message));
    }
    let mut cursor = Cursor::new(tokens);
    let first = cursor.word().unwrap_or_default();
    match first.as_str() {
        "explain" => {
            let _ = ["extended", "formatted", "logical", "dependency"].iter().any(|word| cursor.take(word));
            // As deep as somebody likes, otherwise.
            if cursor.take("explain") {
                return Err(cursor.refuse("EXPLAIN tells how a query runs."));
            }
            match command(cursor.rest(), bound, reader.settings)? {
                Command::Query(query)
                | Command::Insert(Insert { query, .. })
                | Command::Create(Create { query: Some(query), .. })
                | Command::View { query, .. } => Ok(Command::Explain(query)),
                _ => Err(cursor.refuse("EXPLAIN tells how a query runs.")),
            }
        }
        "create" => create(cursor, reader),
        "insert" => insert(cursor, reader),
        "drop" => drop_table(cursor, reader),
        "truncate" => {
            cursor.take("table");
            let name = cursor.name()?;
            let partitions = partitions(&mut cursor, bound)?;
            cursor.end()?;
            Ok(Command::Truncate { name, partitions })
        }
        "alter" => alter::alter(cursor, reader),
        "show" => show::show(cursor, bound).map(Command::Show),
        "describe" | "desc" => show::describe(cursor).map(Command::Show),
        "set" | "reset" => {
            reader.settings.set(&cursor.rest().iter().map(|token| token.token.to_string()).collect::<String>());
            Ok(Command::Nothing("Settings of Hive change nothing here, but for variables.".to_string()))
        }
        "use" => {
            let name = cursor.name()?;
            match name.as_str() {
                "default" => Ok(Command::Nothing("The tables are where they were.".to_string())),
                _ => Err(cursor.refuse("There is one database; write schema.table for the tables of others.")),
            }
        }
        "analyze" | "msck" => Ok(Command::Nothing("Statistics are kept up to date without being asked.".to_string())),
        "load" => load::load(cursor, reader).map(Command::Load),
        "export" | "import" => Err(cursor.refuse("Queries name no files; upload the file as a table and query that.")),
        "delete" if cursor.take("from") => Ok(match changed::delete(cursor, reader)? {
            (name, Some(kept)) => Command::Delete { name, kept },
            (name, None) => Command::Truncate { name, partitions: Vec::new() },
        }),
        "update" => changed::update(cursor, reader).map(Command::Update),
        "merge" => merge::merge(cursor, reader).map(Command::Merge),
        "add" | "delete" | "list" | "reload" => Err(cursor.refuse("Files and libraries can't be added here.")),
        "grant" | "revoke" | "lock" | "unlock" | "replace" | "rebuild" => {
            Err(cursor.refuse(&format!("{} does not run here.", first.to_uppercase())))
        }
        _ => Ok(Command::Query(query(tokens, reader)?)),
    }
}

/// Where `USING 'program'` stands.
fn program(tokens: &[TokenWithSpan]) -> Option<usize> {
    tokens
        .windows(2)
        .position(|pair| is_word(&pair[0].token, "using") && matches!(pair[1].token, Token::SingleQuotedString(_)))
}

fn create(mut cursor: Cursor<'_>, reader: &mut Reader<'_>) -> Result<Command> {
    let mut temporary = false;
    loop {
        match () {
            () if cursor.take("temporary") => temporary = true,
            () if cursor.take("external") || cursor.take("transactional") || cursor.take("managed") => {}
            () if cursor.take("or") => {
                cursor.take("replace");
            }
            () => break,
        }
    }
    if temporary && cursor.take("macro") {
        return create_macro(cursor, reader);
    }
    let materialized = cursor.take("materialized");
    if cursor.take("view") {
        return if materialized { kept_view(cursor, reader) } else { view(cursor, reader) };
    }
    if !cursor.take("table") {
        return Err(cursor.refuse("CREATE makes a TABLE or a VIEW here."));
    }
    let if_not_exists = cursor.take_all(&["if", "not", "exists"]);
    let name = cursor.name()?;
    let mut create = Create { name, temporary, if_not_exists, ..Create::default() };
    let mut format = TextFormat::default();
    if cursor.take("like") {
        create.like = Some(cursor.name()?);
    }
    if cursor.at(&Token::LParen) && !cursor.group_is_query() {
        create.columns = cursor.columns()?;
    }
    while !cursor.is_done() {
        if cursor.take("as") || cursor.is_query() {
            create.query = Some(query(cursor.rest(), reader)?);
            break;
        }
        if cursor.take_all(&["partitioned", "by"]) {
            create.columns.extend(cursor.columns()?.into_iter().map(types::of_partition));
        } else if cursor.take("location") {
            return Err(cursor.refuse("Tables name no files: leave LOCATION out."));
        } else if !format.read(&mut cursor)? {
            cursor.skip();
        }
    }
    format.note(&mut create.columns);
    if create.columns.is_empty() && create.query.is_none() && create.like.is_none() {
        return Err(Error::new(ErrorCode::InvalidQuery, "A table needs columns, or a query after AS."));
    }
    Ok(Command::Create(create))
}

/// `CREATE TEMPORARY MACRO name(x int, y string) expression`.
fn create_macro(mut cursor: Cursor<'_>, reader: &mut Reader<'_>) -> Result<Command> {
    let name = cursor.name()?;
    let arguments = cursor.columns()?;
    let mut parser =
        Parser::new(&HiveQl).with_recursion_limit(PARSER_RECURSION).with_tokens_with_locations(cursor.rest().to_vec());
    let mut body = parser.parse_expr().map_err(|error| errors::from_sqlparser(&error))?;
    if parser.peek_token_ref().token != Token::EOF {
        return Err(cursor.refuse("The body of a macro is one expression."));
    }
    reader.bound.fill(&mut body)?;
    reader.settings.define(&name, arguments, body)?;
    Ok(Command::Nothing(format!("The macro {name} is known from here on.")))
}

/// A materialized view is a table that its script can fill again.
fn kept_view(mut cursor: Cursor<'_>, reader: &mut Reader<'_>) -> Result<Command> {
    let if_not_exists = cursor.take_all(&["if", "not", "exists"]);
    let name = cursor.name()?;
    while !cursor.is_done() && !cursor.take("as") {
        cursor.skip();
    }
    let query = Some(query(cursor.rest(), reader)?);
    Ok(Command::Create(Create { name, if_not_exists, kept: true, query, ..Create::default() }))
}

fn view(mut cursor: Cursor<'_>, reader: &mut Reader<'_>) -> Result<Command> {
    cursor.take_all(&["if", "not", "exists"]);
    let name = cursor.name()?;
    let columns = if cursor.at(&Token::LParen) { cursor.names()? } else { Vec::new() };
    while !cursor.is_done() && !cursor.take("as") {
        cursor.skip();
    }
    Ok(Command::View { name, columns, query: query(cursor.rest(), reader)? })
}

fn insert(mut cursor: Cursor<'_>, reader: &mut Reader<'_>) -> Result<Command> {
    let overwrite = cursor.take("overwrite");
    cursor.take("into");
    if cursor.take("local") || cursor.take("directory") {
        return Err(cursor.refuse("Queries name no files; download the result instead."));
    }
    cursor.take("table");
    let table = cursor.name()?;
    let partition = partitions(&mut cursor, reader.bound)?.pop().unwrap_or_default();
    let if_not_exists = cursor.take_all(&["if", "not", "exists"]);
    let columns = if cursor.at(&Token::LParen) && !cursor.group_is_query() { cursor.names()? } else { Vec::new() };
    let query = query(cursor.rest(), reader)?;
    Ok(Command::Insert(Insert { table, overwrite, whole: false, partition, if_not_exists, columns, query }))
}

fn drop_table(mut cursor: Cursor<'_>, reader: &mut Reader<'_>) -> Result<Command> {
    if cursor.take_all(&["temporary", "macro"]) {
        cursor.take_all(&["if", "exists"]);
        reader.settings.forget(&cursor.name()?);
        return Ok(Command::Nothing("The macro is forgotten.".to_string()));
    }
    cursor.take("materialized");
    if !cursor.take("table") && !cursor.take("view") {
        return Err(cursor.refuse("DROP TABLE and DROP VIEW run here."));
    }
    let if_exists = cursor.take_all(&["if", "exists"]);
    let name = cursor.name()?;
    cursor.take("purge");
    cursor.end()?;
    Ok(Command::Drop { name, if_exists })
}
