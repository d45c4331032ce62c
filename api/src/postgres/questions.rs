//! How a session answers: settings, the catalogue, and queries as jobs of the engine.

use quarry_engine::Engine;
use quarry_runtime::job::{JobRequest, JobState, Parameters, Schemas};
use quarry_runtime::user_tables::UserTable;
use serde_json::Value;

use super::answer::Rows;
use super::beside::Beside;
use super::bindable::Bindable;
use super::catalogue::{self, Known};
use super::session::{Session, Wire};
use super::statement::{Statement, What};
use super::wire::{Fault, Field};
use super::{fault, types};
use crate::http::ApiError;
use crate::jobs::model::{Kind, Work};
use crate::jobs::shares;

impl Session<'_> {
    /// A setting, or all of them.
    pub(super) fn show(&self, name: &str) -> Result<Rows, Fault> {
        let settings = self.settings();
        if name == "all" {
            let fields = ["name", "setting"].map(|name| types::field(name, (types::TEXT, -1, -1)));
            let row = |(name, setting): (&str, String)| vec![name.into(), setting.into()];
            return Ok(Rows::held(fields.into(), settings.into_iter().map(row).collect()));
        }
        let found = settings.into_iter().find(|(known, _)| *known == name);
        let (name, value) = found.ok_or_else(|| Fault::new("42704", format!("There is no setting {name} here.")))?;
        Ok(Rows::text(name, value))
    }

    /// The answer to a question about tables and types.
    pub(super) async fn catalogue(&self, text: &str, values: &[Value]) -> Result<Rows, Fault> {
        let found = catalogue::answer(&self.known().await?, text, values).await?;
        Ok(Rows::held(found.fields, found.rows))
    }

    /// Types of the values of a statement whose types are open (0), by the columns beside them; those that no column
    /// tells stay open.
    pub(super) async fn types_of_columns(&self, statement: &Statement, open: &[u32]) -> Result<Vec<u32>, Fault> {
        let mut told = open.to_vec();
        let beside = Beside::of(&statement.text, open.len());
        if beside.columns.iter().zip(open).any(|(column, oid)| *oid == 0 && column.is_some()) {
            let known = self.known().await?;
            for (place, (column, oid)) in
                beside.columns.iter().zip(&mut told).enumerate().filter(|(_, (_, oid))| **oid == 0)
            {
                let named = column.as_ref().and_then(|column| known.type_of_column(column, &beside.words));
                let item = named.map_or(0, |name| types::of_name(name).0);
                let list = item != 0 && statement.lists.get(place).copied().unwrap_or(false);
                *oid = if list { types::list_of(item) } else { item };
            }
        }
        Ok(told)
    }

    /// What this user may know of tables.
    async fn known(&self) -> Result<Known, Fault> {
        let user = self.login.current(self.app).await?;
        let schemas = shares::schemas(&self.app.db, &user).await.map_err(ApiError::from)?;
        let engine = self.app.engine.clone();
        let tables =
            tokio::task::spawn_blocking(move || tables(&engine, &schemas)).await.map_err(ApiError::internal)?;
        Ok(Known {
            user: user.name,
            catalogue: self.app.engine.catalog().await.map_err(ApiError::from)?,
            tables: tables.map_err(ApiError::from)?,
            settings: self.settings(),
        })
    }

    /// The columns of a statement, told before it runs; `None` where it has none.
    pub(super) async fn fields(&self, statement: &Statement, values: &[Value]) -> Result<Option<Vec<Field>>, Fault> {
        let query = statement.query();
        let fields = match &query.what {
            What::Show(name) => Some(self.show(name)?.fields),
            What::Refused(refused) => return Err(refused.clone()),
            What::Catalogue => {
                // Nothing is equal to null, so this costs little.
                let values = vec![Value::Null; values.len()];
                Some(self.catalogue(&query.text, &values).await?.fields)
            }
            What::Query(query) => {
                let user = self.login.current(self.app).await?;
                let request = JobRequest {
                    text: query.text.clone(),
                    schemas: shares::schemas(&self.app.db, &user).await.map_err(ApiError::from)?,
                    parameters: parameters(values),
                    ..JobRequest::default()
                };
                let columns = self.app.engine.columns(&request).await.map_err(|error| {
                    let position = error.position.map(|at| query.position(at.line, at.column));
                    Fault { position, ..ApiError::from(error).into() }
                })?;
                Some(
                    columns
                        .iter()
                        .map(|column| types::field(&column.name, types::of_name(&column.type_name)))
                        .collect(),
                )
            }
            _ => None,
        };
        // COPY and DECLARE return no rows of the query inside them.
        Ok(fields.filter(|_| std::ptr::eq(query, statement)))
    }

    /// Runs a query as a job. The job is killed when the client cancels or disconnects.
    pub(super) async fn query(&self, query: &Bindable, values: &[Value], wire: &mut Wire<'_>) -> Result<Rows, Fault> {
        let user = self.login.current(self.app).await?;
        let work = Work {
            kind: Kind::Sql,
            text: query.text.clone(),
            spec: None,
            parameters: parameters(values),
            title: String::new(),
        };
        let id = self.app.jobs.submit(&user, work, None).await?.id;
        let gone = || Fault::new("XX000", "The job is not known any more.");
        let job = self.app.jobs.handle(&id).ok_or_else(gone)?;
        let doing = self.running.begin(self.key.0);
        let mut late = false;
        let limit = async {
            match self.limits.now() {
                Some(limit) => tokio::time::sleep(limit).await,
                None => std::future::pending().await,
            }
        };
        let ended = tokio::select! {
            ended = job.wait() => ended,
            () = limit => {
                late = true;
                job.kill();
                job.wait().await
            }
            () = async { tokio::select! { () = wire.reader.gone() => {}, () = doing.stop.cancelled() => {} } } => {
                job.kill();
                job.wait().await
            }
        };
        drop(doing);
        if ended.state == JobState::Killed {
            let why = if late { "The query took longer than statement_timeout." } else { "The query was stopped." };
            return Err(fault::of_code("killed", why));
        }
        if let Some(error) = ended.error {
            let position = error.position.map(|at| query.position(at.line, at.column));
            return Err(Fault { position, ..fault::of_code(&error.code, error.message) });
        }
        let stored = self.app.engine.result(&id).map_err(ApiError::from)?;
        let columns = stored.columns().iter();
        let fields = columns.map(|column| types::field(&column.name, types::of_name(&column.type_name))).collect();
        Ok(Rows::of_job(fields, id, stored.total()))
    }
}

/// Values by their names in the translated query: `p1` for `$1`.
fn parameters(values: &[Value]) -> Parameters {
    values.iter().enumerate().map(|(place, value)| (format!("p{}", place + 1), value.clone())).collect()
}

/// The tables of users that somebody may read.
fn tables(engine: &Engine, schemas: &Schemas) -> quarry_types::Result<Vec<UserTable>> {
    let mut tables = match &schemas.own {
        Some(own) => engine.user_tables().list(own)?,
        None => Vec::new(),
    };
    // One that was dropped since it was shared is not there any more.
    let shared = schemas.shared.iter().filter_map(|shared| {
        let table = engine.user_tables().get(&shared.schema, &shared.table).ok()?;
        (table.created == shared.created).then_some(table)
    });
    tables.extend(shared);
    Ok(tables)
}
