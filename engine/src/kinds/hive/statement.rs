//! The statements of a script: queries go to the parser, the rest is read here.

use arrow::datatypes::Field;
use datafusion::sql::sqlparser::ast::{Expr, Query, SetExpr, Value};
use datafusion::sql::sqlparser::parser::Parser;
use datafusion::sql::sqlparser::tokenizer::{Token, TokenWithSpan};

use super::columns::{self, Change};
use super::cursor::Cursor;
use super::dialect::HiveQl;
use super::rewrite;
use crate::error::{Error, ErrorCode, Result};
use crate::kinds::sql::parameters::Bound;
use crate::kinds::sql::{errors, merged};

/// Nesting the parser follows; the bounds let no text through that comes near it.
const PARSER_RECURSION: usize = 200;

/// What one statement asks for.
#[derive(Debug)]
pub(super) enum Command {
    Query(Box<Query>),
    Explain(Box<Query>),
    Create(Create),
    /// A query under a name, for the rest of the script.
    View {
        name: String,
        columns: Vec<String>,
        query: Box<Query>,
    },
    Insert(Insert),
    Drop {
        name: String,
        if_exists: bool,
    },
    Truncate {
        name: String,
    },
    Rename {
        name: String,
        to: String,
    },
    Columns {
        name: String,
        change: Change,
    },
    /// Takes the rows of partitions out of a table.
    DropPartitions {
        name: String,
        partitions: Vec<Partition>,
    },
    /// Fills a materialized view of this script again.
    Rebuild {
        name: String,
    },
    ShowTables,
    Describe {
        name: String,
    },
    /// Nothing to do: a setting or a note to a system that is not here. Says so in the log.
    Nothing(String),
}

/// What ALTER TABLE may say of the way a table is kept.
const HARMLESS: [&[&str]; 11] = [
    &["set", "tblproperties"],
    &["unset", "tblproperties"],
    &["set", "fileformat"],
    &["set", "serde"],
    &["set", "serdeproperties"],
    &["clustered", "by"],
    &["not", "clustered"],
    &["touch"],
    &["compact"],
    &["add", "constraint"],
    &["update", "statistics"],
];

#[derive(Debug, Default)]
pub(super) struct Create {
    pub name: String,
    pub temporary: bool,
    pub if_not_exists: bool,
    /// The columns, those of its partitions last; empty when they follow from the query or the other table.
    pub columns: Vec<Field>,
    pub like: Option<String>,
    pub query: Option<Box<Query>>,
    /// Whether its query is kept, so that the table can be filled again.
    pub kept: bool,
}

/// Columns of a partition with their value; without one the query gives it.
pub(super) type Partition = Vec<(String, Option<Expr>)>;

#[derive(Debug)]
pub(super) struct Insert {
    pub table: String,
    pub overwrite: bool,
    pub partition: Partition,
    /// The columns that the query fills; all when it is empty.
    pub columns: Vec<String>,
    pub query: Box<Query>,
}

impl Insert {
    /// All rows of a table are replaced by those of a query.
    pub fn overwrite(table: &str, query: Query) -> Insert {
        let (partition, columns) = (Vec::new(), Vec::new());
        Insert { table: table.to_string(), overwrite: true, partition, columns, query: Box::new(query) }
    }

    /// Whether it says all that a table is: it replaces every row and names neither partitions nor columns.
    pub fn is_whole(&self) -> bool {
        self.overwrite && self.partition.is_empty() && self.columns.is_empty()
    }
}

/// Reads one statement.
pub(super) fn command(tokens: &[TokenWithSpan], bound: &Bound) -> Result<Command> {
    let mut cursor = Cursor::new(tokens);
    let first = cursor.word().unwrap_or_default();
    match first.as_str() {
        "explain" => {
            let _ = ["extended", "formatted", "logical", "dependency"].iter().any(|word| cursor.take(word));
            Ok(Command::Explain(query(cursor.rest(), bound)?))
        }
        "create" => create(cursor, bound),
        "insert" => insert(cursor, bound),
        "drop" => drop_table(cursor),
        "truncate" => {
            cursor.take("table");
            let name = cursor.name()?;
            cursor.end()?;
            Ok(Command::Truncate { name })
        }
        "alter" => alter(cursor, bound),
        "show" => {
            if cursor.take("tables") || cursor.take("views") {
                return Ok(Command::ShowTables);
            }
            Err(cursor.refuse("SHOW TABLES is the one SHOW that runs here."))
        }
        "describe" | "desc" => {
            let _ = ["extended", "formatted", "table"].iter().any(|word| cursor.take(word));
            Ok(Command::Describe { name: cursor.name()? })
        }
        "set" | "reset" => Ok(Command::Nothing("Settings of Hive change nothing here.".to_string())),
        "use" => {
            let name = cursor.name()?;
            match name.as_str() {
                "default" => Ok(Command::Nothing("The tables are where they were.".to_string())),
                _ => Err(cursor.refuse("There is one database; write schema.table for the tables of others.")),
            }
        }
        "analyze" | "msck" => Ok(Command::Nothing("Statistics are kept up to date without being asked.".to_string())),
        "load" | "export" | "import" => {
            Err(cursor.refuse("Queries name no files; upload the file as a table and query that."))
        }
        "add" | "delete" | "list" | "reload" => Err(cursor.refuse("Files and libraries can't be added here.")),
        "update" | "merge" | "grant" | "revoke" | "lock" | "unlock" | "replace" | "rebuild" => {
            Err(cursor.refuse(&format!("{} does not run here.", first.to_uppercase())))
        }
        _ => Ok(Command::Query(query(tokens, bound)?)),
    }
}

/// Parses and rewrites a query that is all the tokens.
fn query(tokens: &[TokenWithSpan], bound: &Bound) -> Result<Box<Query>> {
    let mut parser =
        Parser::new(&HiveQl).with_recursion_limit(PARSER_RECURSION).with_tokens_with_locations(tokens.to_vec());
    let parsed = parser.parse_query().map_err(|error| errors::from_sqlparser(&error))?;
    if parser.peek_token_ref().token != Token::EOF {
        let extra = parser.peek_token_ref();
        let position = crate::error::Position { line: extra.span.start.line, column: extra.span.start.column };
        let message = format!("Syntax error. The query should end before '{}'.", extra.token);
        return Err(Error::new(ErrorCode::Syntax, message).at(position));
    }
    let mut parsed = parsed;
    if matches!(parsed.body.as_ref(), SetExpr::Insert(_) | SetExpr::Update(_) | SetExpr::Delete(_) | SetExpr::Merge(_))
    {
        return Err(Error::new(ErrorCode::NotAllowed, "Write INSERT before WITH, or without it."));
    }
    bound.fill(parsed.as_mut())?;
    merged::using(parsed.as_mut())?;
    rewrite::query(&mut parsed)?;
    Ok(parsed)
}

fn create(mut cursor: Cursor<'_>, bound: &Bound) -> Result<Command> {
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
    let materialized = cursor.take("materialized");
    if cursor.take("view") {
        return if materialized { kept_view(cursor, bound) } else { view(cursor, bound) };
    }
    if !cursor.take("table") {
        return Err(cursor.refuse("CREATE makes a TABLE or a VIEW here."));
    }
    let if_not_exists = cursor.take_all(&["if", "not", "exists"]);
    let name = cursor.name()?;
    let mut create = Create { name, temporary, if_not_exists, ..Create::default() };
    if cursor.take("like") {
        create.like = Some(cursor.name()?);
    }
    if cursor.at(&Token::LParen) && !cursor.group_is_query() {
        create.columns = cursor.columns()?;
    }
    while !cursor.is_done() {
        if cursor.take("as") || cursor.is_query() {
            create.query = Some(query(cursor.rest(), bound)?);
            break;
        }
        if cursor.take_all(&["partitioned", "by"]) {
            create.columns.extend(cursor.columns()?);
        } else if cursor.take("location") {
            return Err(cursor.refuse("Tables name no files: leave LOCATION out."));
        } else if !cursor.take_all(&["stored", "as"]) {
            cursor.skip();
        } else {
            // ORC, TEXTFILE, …: every table is Parquet here.
            cursor.skip();
        }
    }
    if create.columns.is_empty() && create.query.is_none() && create.like.is_none() {
        return Err(Error::new(ErrorCode::InvalidQuery, "A table needs columns, or a query after AS."));
    }
    Ok(Command::Create(create))
}

/// A materialized view is a table that its script can fill again.
fn kept_view(mut cursor: Cursor<'_>, bound: &Bound) -> Result<Command> {
    let if_not_exists = cursor.take_all(&["if", "not", "exists"]);
    let name = cursor.name()?;
    while !cursor.is_done() && !cursor.take("as") {
        cursor.skip();
    }
    let query = Some(query(cursor.rest(), bound)?);
    Ok(Command::Create(Create { name, if_not_exists, kept: true, query, ..Create::default() }))
}

fn view(mut cursor: Cursor<'_>, bound: &Bound) -> Result<Command> {
    cursor.take_all(&["if", "not", "exists"]);
    let name = cursor.name()?;
    let columns = if cursor.at(&Token::LParen) { cursor.names()? } else { Vec::new() };
    while !cursor.is_done() && !cursor.take("as") {
        cursor.skip();
    }
    Ok(Command::View { name, columns, query: query(cursor.rest(), bound)? })
}

fn insert(mut cursor: Cursor<'_>, bound: &Bound) -> Result<Command> {
    let overwrite = cursor.take("overwrite");
    cursor.take("into");
    if cursor.take("local") || cursor.take("directory") {
        return Err(cursor.refuse("Queries name no files; download the result instead."));
    }
    cursor.take("table");
    let table = cursor.name()?;
    let mut partition = Vec::new();
    if cursor.take("partition") {
        for part in cursor.parts()? {
            partition.push(partition_value(part, bound)?);
        }
    }
    cursor.take_all(&["if", "not", "exists"]);
    let columns = if cursor.at(&Token::LParen) && !cursor.group_is_query() { cursor.names()? } else { Vec::new() };
    Ok(Command::Insert(Insert { table, overwrite, partition, columns, query: query(cursor.rest(), bound)? }))
}

/// `ds = '2024-01-01'` or `ds` of a PARTITION clause.
fn partition_value(part: &[TokenWithSpan], bound: &Bound) -> Result<(String, Option<Expr>)> {
    let mut cursor = Cursor::new(part);
    let name = cursor.name()?;
    if cursor.is_done() {
        return Ok((name, None));
    }
    let mut parser = Parser::new(&HiveQl).with_tokens_with_locations(cursor.rest()[1..].to_vec());
    let mut value = parser.parse_expr().map_err(|error| errors::from_sqlparser(&error))?;
    bound.fill(&mut value)?;
    let plain = match &value {
        Expr::Value(value) => matches!(value.value, Value::Number(..) | Value::SingleQuotedString(_) | Value::Null),
        Expr::UnaryOp { .. } | Expr::TypedString(_) => true,
        _ => false,
    };
    if !plain {
        return Err(cursor.refuse("The value of a partition is a text, a number or a day."));
    }
    Ok((name, Some(value)))
}

fn drop_table(mut cursor: Cursor<'_>) -> Result<Command> {
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

fn alter(mut cursor: Cursor<'_>, bound: &Bound) -> Result<Command> {
    if cursor.take("table") {
        let name = cursor.name()?;
        if cursor.take_all(&["rename", "to"]) {
            return Ok(Command::Rename { name, to: cursor.name()? });
        }
        if HARMLESS.iter().any(|words| cursor.take_all(words)) {
            return Ok(Command::Nothing("How a table is kept is none of a script's business here.".to_string()));
        }
        if let Some(change) = columns::read(&mut cursor)? {
            return Ok(Command::Columns { name, change });
        }
        let adds = cursor.take("add");
        let drops = !adds && cursor.take("drop");
        cursor.take_all(&["if", "not", "exists"]);
        cursor.take_all(&["if", "exists"]);
        let mut partitions = Vec::new();
        while (adds || drops) && cursor.take("partition") {
            let parts = cursor.parts()?;
            partitions.push(parts.into_iter().map(|part| partition_value(part, bound)).collect::<Result<Partition>>()?);
            if cursor.at(&Token::Comma) {
                cursor.skip();
            }
        }
        if cursor.take("location") {
            return Err(cursor.refuse("Tables name no files: leave LOCATION out."));
        }
        match partitions.is_empty() {
            false if adds => {
                return Ok(Command::Nothing("A partition is there as soon as it has rows.".to_string()));
            }
            false if drops => return Ok(Command::DropPartitions { name, partitions }),
            _ => {}
        }
    }
    if cursor.take_all(&["materialized", "view"]) {
        let name = cursor.name()?;
        return Ok(match cursor.take("rebuild") {
            true => Command::Rebuild { name },
            false => {
                Command::Nothing("Queries read the tables that they name, never a view in their place.".to_string())
            }
        });
    }
    Err(cursor.refuse(
        "ALTER TABLE runs here with RENAME TO, ADD COLUMNS, REPLACE COLUMNS, CHANGE, ADD PARTITION and DROP PARTITION.",
    ))
}
