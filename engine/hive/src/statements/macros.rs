//! `CREATE TEMPORARY MACRO name(x int, y string) expression` and `DROP TEMPORARY MACRO name`.

use datafusion::sql::sqlparser::tokenizer::Token;

use super::Statement;
use super::settings::NoOperation;
use crate::ast::{parser, syntax_error};
use crate::cursor::Cursor;
use crate::parse_context::ParseContext;
use quarry_types::Result;

pub(super) fn parse_create(mut cursor: Cursor<'_>, context: &mut ParseContext) -> Result<Box<dyn Statement>> {
    let name = cursor.name()?;
    let arguments = cursor.columns()?;
    let mut parser = parser(cursor.rest());
    let mut body = parser.parse_expr().map_err(syntax_error)?;
    if parser.peek_token_ref().token != Token::EOF {
        return Err(cursor.refuse("The body of a macro must be a single expression."));
    }
    context.parameters.fill(&mut body)?;
    context.define_macro(&name, arguments, body)?;
    Ok(NoOperation::boxed(format!("The macro {name} is defined.")))
}

pub(super) fn parse_drop(mut cursor: Cursor<'_>, context: &mut ParseContext) -> Result<Box<dyn Statement>> {
    cursor.take("if exists");
    context.drop_macro(&cursor.name()?);
    Ok(NoOperation::boxed("The macro is dropped."))
}
