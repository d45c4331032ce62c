//! What each statement of a script does.

use std::sync::Arc;

use arrow::datatypes::Schema;

use super::command::{Command, Create};
use super::reader::Insert;
use super::script::Script;
use super::{changed, columns, dropped, load, merge, show, write};
use quarry_runtime::job::JobContext;
use quarry_runtime::user_tables::WriteMode;
use quarry_types::{Error, ErrorCode, Result};

/// Does what a statement asks for.
pub(super) async fn run(script: &mut Script, command: Command, context: &JobContext) -> Result<()> {
    let what = command.describe();
    let rows = match command {
        Command::Query(query) => script.query(*query, context).await?,
        Command::Explain(query) => script.explain(*query).await?,
        Command::Create(create) => create_table(script, create, context).await?,
        Command::View { name, columns, query } => script.view(name, columns, *query, context).await?,
        Command::Insert(insert) => write::insert(script, insert, context).await?,
        Command::Load(load) => load::run(script, load, context).await?,
        Command::Drop { name, if_exists } => script.drop_table(&name, if_exists)?,
        Command::Truncate { name, partitions } if !partitions.is_empty() => {
            write::drop_partitions(script, &name, partitions).await?
        }
        Command::Truncate { name, .. } => {
            let target = script.existing(&name)?;
            let arrow = target.tables.get(&target.schema, &target.table)?.arrow;
            target.tables.writer(&target.schema, &target.table, &arrow, WriteMode::Replace)?.finish()?;
            0
        }
        Command::Rename { name, to } => {
            let target = script.existing(&name)?;
            target.tables.rename(&target.schema, &target.table, &to)?;
            0
        }
        Command::Columns { name, change } => columns::change(script, &name, change).await?,
        Command::DropPartitions { name, partitions } => dropped::drop(script, &name, partitions).await?,
        Command::MovePartition { name, from, to } => write::move_partition(script, &name, &from, &to).await?,
        Command::Delete { name, kept } => changed::run_delete(script, &name, *kept, context).await?,
        Command::Update(update) => changed::run_update(script, update, context).await?,
        Command::Merge(merge) => merge::run(script, merge, context).await?,
        Command::Rebuild { name } => rebuild(script, &name, context).await?,
        Command::Show(show) => show::run(script, show).await?,
        Command::Nothing(why) => {
            context.log(why);
            0
        }
    };
    script.done.push((what, rows));
    Ok(())
}

async fn create_table(script: &mut Script, create: Create, context: &JobContext) -> Result<i64> {
    let target = script.target(&create.name, create.temporary)?;
    if create.if_not_exists && target.tables.get(&target.schema, &target.table).is_ok() {
        context.log(format!("There is a table {} already.", create.name));
        return Ok(0);
    }
    if let Some(query) = create.query {
        if create.kept {
            script.kept.insert(create.name, query.as_ref().clone());
        }
        return write::create_as(script, &target, *query, context).await;
    }
    let schema = match &create.like {
        Some(like) => script.schema_of(like).await?,
        None => Arc::new(Schema::new(create.columns)),
    };
    target.tables.writer(&target.schema, &target.table, &schema, WriteMode::Create)?.finish()?;
    Ok(0)
}

async fn rebuild(script: &mut Script, name: &str, context: &JobContext) -> Result<i64> {
    let Some(query) = script.kept.get(name).cloned() else {
        let message = format!("{name} is no materialized view of this script; only its script can rebuild one.");
        return Err(Error::new(ErrorCode::NotAllowed, message));
    };
    write::insert(script, Insert::overwrite(name, query), context).await
}
