//! A script that runs: the tables and views that its statements see, and its result.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use arrow::array::{ArrayRef, Int64Array, RecordBatch, StringArray};
use arrow::datatypes::{Field, Schema, SchemaRef};
use datafusion::catalog::TableProvider;
use datafusion::datasource::ViewTable;
use datafusion::logical_expr::LogicalPlan;
use datafusion::sql::sqlparser::ast::Query;
use tempfile::TempDir;

use crate::ast;
use crate::plan::{self, Planned};
use crate::target_table::TargetTable;
use crate::views::{View, Views};
use quarry_runtime::job::{JobContext, Schemas};
use quarry_runtime::results::ResultLimits;
use quarry_runtime::user_tables::{NameRules, UserTables};
use quarry_sql::context::QueryContext;
use quarry_sql::errors::{self, Names};
use quarry_sql::running::execute::{Execution, execute, with_retries};
use quarry_sql::session::Session;
use quarry_sql::session::tables::{MAIN, QueryCatalog};
use quarry_types::{Error, ErrorCode, Result};

/// The schema of temporary tables, in a folder that is removed with the job.
const TEMPORARY: &str = "user_temporary";
/// Tables for rows that will be moved into another table.
pub(crate) const STAGED_ROWS: &str = "__aside";
pub(crate) const LOADED_ROWS: &str = "__loaded";

pub(crate) struct Script {
    core: Arc<QueryContext>,
    id: String,
    text: String,
    schemas: Schemas,
    temporary: Option<(TempDir, UserTables)>,
    views: Views,
    /// The queries of materialized views.
    pub materialized: BTreeMap<String, Query>,
    /// What each statement did, for a script without a query.
    pub done: Vec<(String, i64)>,
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
            materialized: BTreeMap::new(),
            done: Vec::new(),
        }
    }

    /// Makes what the statements did the result.
    pub fn finish_without_rows(&mut self) -> Result<()> {
        let (statements, rows): (Vec<String>, Vec<i64>) = std::mem::take(&mut self.done).into_iter().unzip();
        let statements: ArrayRef = Arc::new(StringArray::from(statements));
        self.write_result(vec![("statement", statements), ("rows", Arc::new(Int64Array::from(rows)))])?;
        Ok(())
    }

    /// A session that sees the tables as they are now.
    pub async fn session(&self) -> Result<Session> {
        Ok(self.core.sessions.start_hive(self.catalog().await?))
    }

    /// A session that also sees the views that a query reads.
    async fn session_for(&self, query: &Query) -> Result<Session> {
        let mut catalog = self.catalog().await?;
        for (name, view) in self.views.read_by(query) {
            let session = self.core.sessions.start_hive(catalog.clone());
            let plan = self.plan_in(&session, view.query.clone()).await?;
            let view: Arc<dyn TableProvider> = Arc::new(ViewTable::new(view.rename_columns(name, plan)?, None));
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
        let mut own_tables = BTreeMap::new();
        let own = self.schemas.own.clone().map(|schema| (&self.core.user_tables, schema));
        let temporary = self.temporary.iter().map(|(_, tables)| (tables, TEMPORARY.to_string()));
        for (tables, schema) in own.into_iter().chain(temporary) {
            let schemas = Schemas { own: Some(schema), ..Schemas::default() };
            own_tables.extend(tables.providers(&schemas)?.into_iter().map(|(_, name, table)| (name, table)));
        }
        catalog.add(MAIN, own_tables);
        Ok(catalog)
    }

    fn names(&self, session: &Session) -> Names {
        Names::new(&self.text, session.catalog.table_names())
    }

    async fn plan_in(&self, session: &Session, query: Query) -> Result<LogicalPlan> {
        plan::logical_plan(&self.core, session, self.names(session), query).await
    }

    /// The logical plan of a query.
    pub async fn logical_plan(&self, query: Query) -> Result<LogicalPlan> {
        self.plan_in(&self.session_for(&query).await?, query).await
    }

    /// The physical plan of a query, and the session that it runs in. `is_result`: its rows are shown to a person.
    pub async fn physical_plan(&self, query: Query, is_result: bool) -> Result<(Session, Planned)> {
        let session = self.session_for(&query).await?;
        let planned = plan::physical_plan(&self.core, &session, self.names(&session), query, is_result).await?;
        Ok((session, planned))
    }

    /// Runs a query whose rows are the result.
    pub async fn run_query(&self, query: &Query, context: &JobContext) -> Result<i64> {
        with_retries(context, |context| async move { self.attempt_query(query.clone(), &context).await }).await
    }

    async fn attempt_query(&self, query: Query, context: &JobContext) -> Result<i64> {
        let (session, planned) = self.physical_plan(query, true).await?;
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

    /// Makes these columns the result.
    pub fn write_result(&self, columns: Vec<(&str, ArrayRef)>) -> Result<i64> {
        let fields: Vec<Field> =
            columns.iter().map(|(name, array)| Field::new(*name, array.data_type().clone(), true)).collect();
        let schema = Arc::new(Schema::new(fields));
        let arrays = columns.into_iter().map(|(_, array)| array).collect();
        let batch = RecordBatch::try_new(schema.clone(), arrays).map_err(Error::internal)?;
        let mut writer = self.core.results.writer(&self.id, &schema, self.limits())?;
        writer.write(batch)?;
        Ok(writer.finish()? as i64)
    }

    /// Makes columns of texts the result.
    pub fn write_texts(&self, columns: Vec<(&str, Vec<String>)>) -> Result<i64> {
        let array = |texts| Arc::new(StringArray::from(texts)) as ArrayRef;
        self.write_result(columns.into_iter().map(|(name, texts)| (name, array(texts))).collect())
    }

    /// The columns of a table or view.
    pub async fn columns_of(&self, name: &str) -> Result<SchemaRef> {
        let plan = self.logical_plan(ast::select_all(ast::table(name)?, None)).await?;
        Ok(Arc::new(plan.schema().as_arrow().clone()))
    }

    pub async fn create_view(&mut self, name: String, columns: Vec<String>, query: Query) -> Result<()> {
        let plan = self.logical_plan(query.clone()).await?;
        let view = View::new(&name, query, &plan, columns)?;
        self.views.insert(name, view);
        Ok(())
    }

    /// Drops a view or a table.
    pub fn drop_table(&mut self, name: &str, if_exists: bool) -> Result<()> {
        if self.views.remove(name).is_some() {
            return Ok(());
        }
        match self.existing_table(name) {
            Ok(table) => table.drop_table(),
            // Hive ignores a table that does not exist.
            Err(error) if error.code == ErrorCode::UnknownTable && (if_exists || !name.contains('.')) => Ok(()),
            Err(error) => Err(error),
        }
    }

    /// A table that exists and may be written.
    pub fn existing_table(&self, name: &str) -> Result<TargetTable> {
        if let Some((_, tables)) = &self.temporary {
            let table = temporary_table(tables, name);
            if table.exists() {
                return Ok(table);
            }
        }
        let table = self.own_table(name)?;
        if !table.exists() {
            return Err(Error::new(ErrorCode::UnknownTable, format!("There is no table {name} in your schema.")));
        }
        Ok(table)
    }

    /// A table in the user's schema, which need not exist.
    pub fn own_table(&self, name: &str) -> Result<TargetTable> {
        let refuse = |message: &str| Err(Error::new(ErrorCode::NotAllowed, message));
        let Some(own) = &self.schemas.own else { return refuse("This job has no schema to write to.") };
        let name = match name.split_once('.') {
            None => name,
            Some((schema, table)) if schema == own => table,
            Some(_) => return refuse("You can write only to tables of your own schema."),
        };
        let tables = self.core.user_tables.clone();
        Ok(TargetTable { tables, schema: own.clone(), name: name.to_string() })
    }

    /// A table that is dropped with the job, which need not exist.
    pub fn temporary_table(&mut self, name: &str) -> Result<TargetTable> {
        let temporary = match self.temporary.take() {
            Some(temporary) => temporary,
            None => {
                let folder = TempDir::new_in(self.core.config.spill_dir()).map_err(Error::internal)?;
                let tables = UserTables::new(folder.path(), self.core.config.table_quota, NameRules::Free);
                (folder, tables)
            }
        };
        let (_, tables) = self.temporary.insert(temporary);
        Ok(temporary_table(tables, name))
    }
}

fn temporary_table(tables: &UserTables, name: &str) -> TargetTable {
    TargetTable { tables: tables.clone(), schema: TEMPORARY.to_string(), name: name.to_string() }
}
