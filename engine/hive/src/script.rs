//! A script that runs: what its statements made so far, and what each of them does.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use arrow::array::{ArrayRef, Int64Array, RecordBatch, StringArray};
use arrow::datatypes::{Field, Schema, SchemaRef};
use datafusion::catalog::TableProvider;
use datafusion::datasource::ViewTable;
use datafusion::sql::sqlparser::ast::Query;
use tempfile::TempDir;

use super::plan::{self, Planned};
use super::statement::{Command, Create, Insert};
use super::views::{View, Views};
use super::{build, changed, columns, dropped, load, merge, show, write};
use quarry_runtime::job::{JobContext, Schemas};
use quarry_runtime::results::ResultLimits;
use quarry_runtime::user_tables::{NameRules, UserTables, WriteMode};
use quarry_sql::context::QueryContext;
use quarry_sql::errors::{self, Names};
use quarry_sql::running::run::{Execution, execute};
use quarry_sql::session::Session;
use quarry_sql::session::tables::{MAIN, QueryCatalog};
use quarry_types::{Error, ErrorCode, Result};

/// The schema of temporary tables, in a folder that goes with the job.
const TEMPORARY: &str = "user_temporary";

pub(super) struct Script {
    pub core: Arc<QueryContext>,
    id: String,
    text: String,
    schemas: Schemas,
    temporary: Option<(TempDir, UserTables)>,
    views: Views,
    /// The queries of materialized views.
    kept: BTreeMap<String, Query>,
    /// What each statement did, for a script without a query.
    done: Vec<(String, i64)>,
}

/// A table that a statement writes to.
pub(super) struct Target {
    pub tables: UserTables,
    pub schema: String,
    pub table: String,
}

impl Command {
    /// Whether its rows can be the result.
    pub(super) fn has_rows(&self) -> bool {
        matches!(self, Command::Query(_) | Command::Explain(_) | Command::Show(_))
    }

    pub(super) fn describe(&self) -> String {
        match self {
            Command::Query(_) => "query".to_string(),
            Command::Explain(_) => "explain".to_string(),
            Command::Create(create) => format!("create table {}", create.name),
            Command::View { name, .. } => format!("create view {name}"),
            Command::Insert(insert) => format!("insert into {}", insert.table),
            Command::Load(load) => format!("load data into {}", load.table),
            Command::Drop { name, .. } => format!("drop {name}"),
            Command::Truncate { name, .. } => format!("truncate {name}"),
            Command::Rename { name, to } => format!("rename {name} to {to}"),
            Command::Columns { name, .. }
            | Command::DropPartitions { name, .. }
            | Command::MovePartition { name, .. } => format!("alter table {name}"),
            Command::Delete { name, .. } => format!("delete from {name}"),
            Command::Update(update) => format!("update {}", update.table),
            Command::Merge(merge) => format!("merge into {}", merge.table),
            Command::Rebuild { name } => format!("rebuild {name}"),
            Command::Show(_) => "show".to_string(),
            Command::Nothing(_) => "setting".to_string(),
        }
    }
}

impl Script {
    pub fn new(core: Arc<QueryContext>, id: String, text: String, schemas: Schemas) -> Script {
        Script {
            core,
            id,
            text,
            schemas,
            temporary: None,
            views: Views::default(),
            kept: BTreeMap::new(),
            done: Vec::new(),
        }
    }

    pub async fn run(&mut self, command: Command, context: &JobContext) -> Result<()> {
        let what = command.describe();
        let rows = match command {
            Command::Query(query) => self.query(*query, context).await?,
            Command::Explain(query) => self.explain(*query).await?,
            Command::Create(create) => self.create(create, context).await?,
            Command::View { name, columns, query } => self.view(name, columns, *query, context).await?,
            Command::Insert(insert) => write::insert(self, insert, context).await?,
            Command::Load(load) => load::run(self, load, context).await?,
            Command::Drop { name, if_exists } => self.drop_table(&name, if_exists)?,
            Command::Truncate { name, partitions } if !partitions.is_empty() => {
                write::drop_partitions(self, &name, partitions).await?
            }
            Command::Truncate { name, .. } => {
                let target = self.existing(&name)?;
                let arrow = target.tables.get(&target.schema, &target.table)?.arrow;
                target.tables.writer(&target.schema, &target.table, &arrow, WriteMode::Replace)?.finish()?;
                0
            }
            Command::Rename { name, to } => {
                let target = self.existing(&name)?;
                target.tables.rename(&target.schema, &target.table, &to)?;
                0
            }
            Command::Columns { name, change } => columns::change(self, &name, change).await?,
            Command::DropPartitions { name, partitions } => dropped::drop(self, &name, partitions).await?,
            Command::MovePartition { name, from, to } => write::move_partition(self, &name, &from, &to).await?,
            Command::Delete { name, kept } => changed::run_delete(self, &name, *kept, context).await?,
            Command::Update(update) => changed::run_update(self, update, context).await?,
            Command::Merge(merge) => merge::run(self, merge, context).await?,
            Command::Rebuild { name } => self.rebuild(&name, context).await?,
            Command::Show(show) => show::run(self, show).await?,
            Command::Nothing(why) => {
                context.log(why);
                0
            }
        };
        self.done.push((what, rows));
        Ok(())
    }

    /// What was done becomes the result.
    pub fn finish_without_rows(&mut self) -> Result<()> {
        let (statements, rows): (Vec<String>, Vec<i64>) = std::mem::take(&mut self.done).into_iter().unzip();
        let statements: ArrayRef = Arc::new(StringArray::from(statements));
        self.show(vec![("statement", statements), ("rows", Arc::new(Int64Array::from(rows)))])?;
        Ok(())
    }

    /// A session that sees the tables as they are now.
    pub async fn session(&self) -> Result<Session> {
        Ok(self.core.sessions.start_hive(self.catalog().await?))
    }

    /// The same with the views that a query reads.
    async fn session_of(&self, query: &Query) -> Result<Session> {
        let mut catalog = self.catalog().await?;
        for (name, view) in self.views.read_by(query) {
            let session = self.core.sessions.start_hive(catalog.clone());
            let plan = plan::logical(&self.core, &session, self.names(&session), view.query.clone()).await?;
            let view: Arc<dyn TableProvider> = Arc::new(ViewTable::new(view.renamed(name, plan)?, None));
            catalog.add(MAIN, BTreeMap::from([(name.to_string(), view)]));
        }
        Ok(self.core.sessions.start_hive(catalog))
    }

    /// The names of all tables and views.
    pub async fn table_names(&self) -> Result<BTreeSet<String>> {
        let tables = self.catalog().await?.table_names();
        Ok(tables.into_iter().chain(self.views.names().cloned()).collect())
    }

    async fn catalog(&self) -> Result<QueryCatalog> {
        let mut catalog = self.core.tables(&self.schemas).await?;
        let mut first = BTreeMap::new();
        let own = Schemas { own: self.schemas.own.clone(), ..Schemas::default() };
        for (_, name, table) in self.core.user_tables.providers(&own)? {
            first.insert(name, table);
        }
        if let Some((_, temporary)) = &self.temporary {
            let all = Schemas { own: Some(TEMPORARY.to_string()), ..Schemas::default() };
            for (_, name, table) in temporary.providers(&all)? {
                first.insert(name, table);
            }
        }
        catalog.add(MAIN, first);
        Ok(catalog)
    }

    fn names(&self, session: &Session) -> Names {
        Names::new(&self.text, session.catalog.table_names())
    }

    /// A query that is ready to run in its session.
    pub async fn planned(&self, query: Query, shown: bool) -> Result<(Session, Planned)> {
        let session = self.session_of(&query).await?;
        let planned = plan::physical(&self.core, &session, self.names(&session), query, shown).await?;
        Ok((session, planned))
    }

    async fn query(&mut self, query: Query, context: &JobContext) -> Result<i64> {
        let (session, planned) = self.planned(query, true).await?;
        context.log("Planned.");
        let tasks = session.tasks();
        let explain = |error: &_| planned.names.explain(error);
        let execution = Execution {
            plan: planned.physical.clone(),
            tasks: tasks.clone(),
            results: &self.core.results,
            limits: self.limits(),
            explain: &explain,
        };
        match execute(&self.id, execution, context).await {
            Ok(rows) => Ok(rows as i64),
            Err(error) => Err(errors::name_damaged_file(error, &planned.physical, &tasks.runtime_env()).await),
        }
    }

    fn limits(&self) -> ResultLimits {
        ResultLimits { rows: self.core.config.result_rows_limit, bytes: self.core.config.result_bytes_limit }
    }

    /// Rows made here as the result.
    pub fn show(&self, columns: Vec<(&str, ArrayRef)>) -> Result<i64> {
        let fields: Vec<Field> =
            columns.iter().map(|(name, array)| Field::new(*name, array.data_type().clone(), true)).collect();
        let schema = Arc::new(Schema::new(fields));
        let arrays = columns.into_iter().map(|(_, array)| array).collect();
        let batch = RecordBatch::try_new(schema.clone(), arrays).map_err(Error::internal)?;
        let mut writer = self.core.results.writer(&self.id, &schema, self.limits())?;
        writer.write(batch)?;
        Ok(writer.finish()? as i64)
    }

    async fn explain(&mut self, query: Query) -> Result<i64> {
        let session = self.session_of(&query).await?;
        let plan = plan::logical(&self.core, &session, self.names(&session), query).await?;
        let lines: Vec<String> = plan.display_indent().to_string().lines().map(str::to_string).collect();
        self.show(vec![("explain", Arc::new(StringArray::from(lines)))])
    }

    /// The columns of a table that can be read by this name.
    pub async fn schema_of(&self, name: &str) -> Result<SchemaRef> {
        let query = build::everything(name)?;
        let session = self.session_of(&query).await?;
        let plan = plan::logical(&self.core, &session, self.names(&session), query).await?;
        Ok(Arc::new(plan.schema().as_arrow().clone()))
    }

    async fn create(&mut self, create: Create, context: &JobContext) -> Result<i64> {
        let target = self.target(&create.name, create.temporary)?;
        if create.if_not_exists && target.tables.get(&target.schema, &target.table).is_ok() {
            context.log(format!("There is a table {} already.", create.name));
            return Ok(0);
        }
        if let Some(query) = create.query {
            if create.kept {
                self.kept.insert(create.name, query.as_ref().clone());
            }
            return write::create_as(self, &target, *query, context).await;
        }
        let schema = match &create.like {
            Some(like) => self.schema_of(like).await?,
            None => Arc::new(Schema::new(create.columns)),
        };
        target.tables.writer(&target.schema, &target.table, &schema, WriteMode::Create)?.finish()?;
        Ok(0)
    }

    async fn rebuild(&mut self, name: &str, context: &JobContext) -> Result<i64> {
        let Some(query) = self.kept.get(name).cloned() else {
            let message = format!("{name} is no materialized view of this script; only its script can rebuild one.");
            return Err(Error::new(ErrorCode::NotAllowed, message));
        };
        write::insert(self, Insert::overwrite(name, query), context).await
    }

    async fn view(&mut self, name: String, columns: Vec<String>, query: Query, context: &JobContext) -> Result<i64> {
        let session = self.session_of(&query).await?;
        let plan = plan::logical(&self.core, &session, self.names(&session), query.clone()).await?;
        let view = View::new(&name, query, &plan, columns)?;
        context.log("The view lives as long as this script.");
        self.views.insert(name, view);
        Ok(0)
    }

    fn drop_table(&mut self, name: &str, if_exists: bool) -> Result<i64> {
        if self.views.remove(name).is_some() {
            return Ok(0);
        }
        match self.existing(name) {
            Ok(target) => {
                target.tables.drop_table(&target.schema, &target.table)?;
                Ok(0)
            }
            // Hive drops what is not there without a word.
            Err(error) if error.code == ErrorCode::UnknownTable && (if_exists || !name.contains('.')) => Ok(0),
            Err(error) => Err(error),
        }
    }

    /// The table of a name that is there and may be written.
    pub fn existing(&self, name: &str) -> Result<Target> {
        if let Some((_, tables)) = &self.temporary
            && tables.get(TEMPORARY, name).is_ok()
        {
            return Ok(Target { tables: tables.clone(), schema: TEMPORARY.to_string(), table: name.to_string() });
        }
        let (schema, table) = self.own(name)?;
        let tables = self.core.user_tables.clone();
        if tables.get(&schema, &table).is_err() {
            return Err(Error::new(ErrorCode::UnknownTable, format!("There is no table {name} of your own.")));
        }
        Ok(Target { tables, schema, table })
    }

    /// The table of a name that is to be made.
    pub fn target(&mut self, name: &str, temporary: bool) -> Result<Target> {
        if !temporary {
            let (schema, table) = self.own(name)?;
            return Ok(Target { tables: self.core.user_tables.clone(), schema, table });
        }
        let tables = self.temporary_tables()?;
        Ok(Target { tables, schema: TEMPORARY.to_string(), table: name.to_string() })
    }

    /// Tables that go with the job.
    fn temporary_tables(&mut self) -> Result<UserTables> {
        if let Some((_, tables)) = &self.temporary {
            return Ok(tables.clone());
        }
        let folder = TempDir::new_in(self.core.config.spill_dir()).map_err(Error::internal)?;
        let tables = UserTables::new(folder.path(), self.core.config.table_quota, NameRules::Free);
        self.temporary = Some((folder, tables.clone()));
        Ok(tables)
    }

    /// A place for rows that are on their way into a table.
    pub fn aside(&mut self) -> Result<Target> {
        self.target("__aside", true)
    }

    /// A place for the rows of files, which go into a table as those of a query do.
    pub fn loaded(&mut self) -> Result<Target> {
        self.target("__loaded", true)
    }

    /// Schema and name of a table of the user's own.
    fn own(&self, name: &str) -> Result<(String, String)> {
        let refuse = |message: &str| Err(Error::new(ErrorCode::NotAllowed, message));
        let Some(own) = &self.schemas.own else { return refuse("This job has no schema to write to.") };
        match name.split_once('.') {
            None => Ok((own.clone(), name.to_string())),
            Some((schema, table)) if schema == own => Ok((own.clone(), table.to_string())),
            Some(_) => refuse("Only tables of your own schema can be written."),
        }
    }
}
