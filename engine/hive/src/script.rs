//! A script that runs: what its statements made so far, and the tables that they see.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use arrow::array::{ArrayRef, Int64Array, RecordBatch, StringArray};
use arrow::datatypes::{Field, Schema, SchemaRef};
use datafusion::catalog::TableProvider;
use datafusion::datasource::ViewTable;
use datafusion::sql::sqlparser::ast::Query;
use tempfile::TempDir;

use super::build;
use super::plan::{self, Planned};
use super::views::{View, Views};
use quarry_runtime::job::{JobContext, Schemas};
use quarry_runtime::results::ResultLimits;
use quarry_runtime::user_tables::{NameRules, UserTables};
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
    pub kept: BTreeMap<String, Query>,
    /// What each statement did, for a script without a query.
    pub done: Vec<(String, i64)>,
}

/// A table that a statement writes to.
pub(super) struct Target {
    pub tables: UserTables,
    pub schema: String,
    pub table: String,
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

    /// Runs a query whose rows are the result.
    pub async fn query(&mut self, query: Query, context: &JobContext) -> Result<i64> {
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

    /// The plan of a query as the result.
    pub async fn explain(&mut self, query: Query) -> Result<i64> {
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

    /// Remembers the query of a view.
    pub async fn view(
        &mut self,
        name: String,
        columns: Vec<String>,
        query: Query,
        context: &JobContext,
    ) -> Result<i64> {
        let session = self.session_of(&query).await?;
        let plan = plan::logical(&self.core, &session, self.names(&session), query.clone()).await?;
        let view = View::new(&name, query, &plan, columns)?;
        context.log("The view lives as long as this script.");
        self.views.insert(name, view);
        Ok(0)
    }

    /// Takes a view or a table away.
    pub fn drop_table(&mut self, name: &str, if_exists: bool) -> Result<i64> {
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
