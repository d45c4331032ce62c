//! Brings the shipped content into the platform database.

use std::collections::BTreeSet;

use axum::http::StatusCode;
use sqlx::AnyConnection;

use super::content::{Both, Content, StarterChart, StarterDashboard, StarterProject, StarterQuery};
use crate::auth::accounts::{self, CreateError, NewAccount};
use crate::auth::password::Passwords;
use crate::auth::token::random_password;
use crate::auth::{CurrentUser, ROLE_DEFAULT};
use crate::creations::dashboards::content::{DashboardContent, Layout, Widget, WidgetContent};
use crate::creations::model::{CreationKind, Visibility};
use crate::creations::queries::{self, QueryRow, Strategy};
use crate::creations::store::{self, New};
use crate::creations::visualizations::{self, VisualizationRow};
use crate::creations::{dashboards, index, rules, versions};
use crate::db::Db;
use crate::http::ApiError;
use crate::time::now_ms;

/// The account that the shipped content belongs to; nobody knows its password.
const ACCOUNT: &str = "quarry";

/// Between the first runs of two queries, in milliseconds: a start stays quick for who is there already.
const PACE: i64 = 400;

/// Loads what is not there yet; answers how many creations were made. Queries are due soon, so the schedule runs them.
pub async fn load(db: &Db, passwords: &Passwords) -> anyhow::Result<usize> {
    let content = Content::read()?;
    let owner = owner(db, passwords).await?;
    let known: Vec<String> = sqlx::query_scalar("select id from starter_loaded").fetch_all(db.pool()).await?;
    let mut loader = Loader { db, owner, known: known.into_iter().collect(), made: 0, made_queries: 0 };
    for query in &content.queries {
        loader.query(query).await.map_err(told)?;
    }
    for dashboard in &content.dashboards {
        loader.dashboard(dashboard).await.map_err(told)?;
    }
    for project in &content.projects {
        loader.project(project).await.map_err(told)?;
    }
    Ok(loader.made)
}

struct Loader<'a> {
    db: &'a Db,
    owner: CurrentUser,
    /// Pieces that were loaded before.
    known: BTreeSet<String>,
    made: usize,
    made_queries: i64,
}

/// What every piece of the content has.
struct Piece<'a> {
    id: &'a str,
    kind: CreationKind,
    title: &'a Both,
    notes: &'a str,
    notes_zh: &'a str,
    tags: &'a [String],
    official: bool,
}

impl Loader<'_> {
    async fn query(&mut self, query: &StarterQuery) -> Result<(), ApiError> {
        let id = format!("starter-{}", query.key);
        if self.known.contains(&id) {
            return Ok(());
        }
        let what = query.what().map_err(ApiError::internal)?;
        let row = QueryRow {
            id: id.clone(),
            what,
            database: "ethereum".to_string(),
            strategy: Strategy::Daily,
            cron: String::new(),
            paused: false,
            next_run_at: Some(now_ms() + self.made_queries * PACE),
        };
        let content = serde_json::to_string(&row.what).map_err(ApiError::internal)?;
        let piece = Piece {
            id: &id,
            kind: CreationKind::Query,
            title: &query.title,
            notes: &query.notes.en,
            notes_zh: &query.notes.zh,
            tags: &query.tags,
            official: query.official,
        };
        let numbers = self.numbers(1 + query.charts.len()).await?;
        let mut at = self.db.begin().await?;
        self.insert(&mut at, numbers[0], &piece).await?;
        queries::insert(&mut at, &row).await?;
        versions::keep(&mut at, &id, self.owner.id, &query.title.en, &content, false).await?;
        for (chart, number) in query.charts.iter().zip(&numbers[1..]) {
            self.chart(&mut at, *number, query, chart).await?;
        }
        self.made_queries += 1;
        index::refresh(self.db, &mut at, &id).await?;
        at.commit().await?;
        Ok(())
    }

    async fn chart(
        &mut self,
        at: &mut AnyConnection,
        number: i64,
        query: &StarterQuery,
        chart: &StarterChart,
    ) -> Result<(), ApiError> {
        let id = chart_id(&query.key, &chart.key);
        let piece = Piece {
            id: &id,
            kind: CreationKind::Visualization,
            title: &chart.title,
            notes: "",
            notes_zh: "",
            tags: &[],
            official: query.official,
        };
        self.insert(at, number, &piece).await?;
        let row = VisualizationRow { id, query_id: format!("starter-{}", query.key), viz: chart.viz.clone() };
        visualizations::insert(at, &row).await
    }

    async fn dashboard(&mut self, dashboard: &StarterDashboard) -> Result<(), ApiError> {
        let id = format!("starter-dashboard-{}", dashboard.key);
        if self.known.contains(&id) {
            return Ok(());
        }
        let widget = |(place, widget): (usize, &super::content::StarterWidget)| {
            let (query, chart) = widget.chart.split_once('/').unwrap_or_default();
            let [x, y, w, h] = widget.at;
            Widget {
                id: format!("w{}", place + 1),
                layout: Layout { x, y, w, h },
                title: None,
                show_title: true,
                show_time: true,
                content: WidgetContent::Visualization {
                    visualization_id: chart_id(query, chart),
                    parameters: Default::default(),
                },
            }
        };
        let widgets = dashboard.widgets.iter().enumerate().map(widget).collect();
        let content = DashboardContent { widgets, ..DashboardContent::default() };
        content.check()?;
        let text = serde_json::to_string(&content).map_err(ApiError::internal)?;
        let piece = Piece {
            id: &id,
            kind: CreationKind::Dashboard,
            title: &dashboard.title,
            notes: &dashboard.notes.en,
            notes_zh: &dashboard.notes.zh,
            tags: &dashboard.tags,
            official: dashboard.official,
        };
        let numbers = self.numbers(1).await?;
        let mut at = self.db.begin().await?;
        self.insert(&mut at, numbers[0], &piece).await?;
        dashboards::insert(&mut at, &id, &content).await?;
        versions::keep(&mut at, &id, self.owner.id, &dashboard.title.en, &text, false).await?;
        index::refresh(self.db, &mut at, &id).await?;
        at.commit().await?;
        Ok(())
    }

    async fn project(&mut self, project: &StarterProject) -> Result<(), ApiError> {
        let id = format!("starter-project-{}", project.key);
        if self.known.contains(&id) {
            return Ok(());
        }
        let piece = Piece {
            id: &id,
            kind: CreationKind::Project,
            title: &project.title,
            notes: &project.notes.en,
            notes_zh: &project.notes.zh,
            tags: &project.tags,
            official: false,
        };
        let numbers = self.numbers(1).await?;
        let mut at = self.db.begin().await?;
        self.insert(&mut at, numbers[0], &piece).await?;
        for (item, position) in project.items.iter().zip(1_i64..) {
            let item = match item.split_once('/') {
                Some(("dashboard", key)) => format!("starter-dashboard-{key}"),
                Some((_, key)) => format!("starter-{key}"),
                None => continue,
            };
            // What an administrator has removed is not in the project either.
            sqlx::query(
                "insert into project_items (project_id, item_id, position)
                 select $1, c.id, cast($3 as bigint) from creations c where c.id = $2",
            )
            .bind(&id)
            .bind(item)
            .bind(position)
            .execute(&mut *at)
            .await?;
        }
        index::refresh(self.db, &mut at, &id).await?;
        at.commit().await?;
        Ok(())
    }

    async fn numbers(&self, count: usize) -> Result<Vec<i64>, sqlx::Error> {
        let first = self.db.next_ids("creations", i64::try_from(count).unwrap_or(i64::MAX)).await?;
        Ok((first..).take(count).collect())
    }

    async fn insert(&mut self, at: &mut AnyConnection, number: i64, piece: &Piece<'_>) -> Result<(), ApiError> {
        // Written first: two servers that start at once on one database must not both go on.
        sqlx::query("insert into starter_loaded (id) values ($1)").bind(piece.id).execute(&mut *at).await?;
        let tags = rules::tags(piece.tags)?;
        let new = New {
            kind: piece.kind,
            title: &piece.title.en,
            notes: piece.notes,
            tags: &tags,
            visibility: Visibility::Public,
            forked_from: None,
        };
        store::insert(at, self.owner.id, piece.id, number, &new).await?;
        sqlx::query("update creations set official = $2, title_zh = $3, notes_zh = $4 where id = $1")
            .bind(piece.id)
            .bind(i64::from(piece.official))
            .bind(&piece.title.zh)
            .bind(piece.notes_zh)
            .execute(&mut *at)
            .await?;
        self.made += 1;
        Ok(())
    }
}

fn chart_id(query: &str, chart: &str) -> String {
    format!("starter-{query}-{chart}")
}

async fn owner(db: &Db, passwords: &Passwords) -> anyhow::Result<CurrentUser> {
    if accounts::find(db, ACCOUNT).await?.is_none() {
        let password_hash = passwords.hash(&random_password()).await.map_err(anyhow::Error::from_boxed)?;
        let new = NewAccount {
            user_name: ACCOUNT,
            password_hash: &password_hash,
            role: ROLE_DEFAULT,
            email: None,
            phone: None,
        };
        match accounts::create(db, &new).await {
            Ok(_) | Err(CreateError::Taken(_)) => {}
            Err(CreateError::Database(error)) => return Err(error.into()),
        }
    }
    let account = accounts::find(db, ACCOUNT).await?.ok_or_else(|| anyhow::anyhow!("the account is gone"))?;
    CurrentUser::of_account(db, account.id).await.map_err(told)
}

fn told(error: ApiError) -> anyhow::Error {
    if error.status == StatusCode::INSUFFICIENT_STORAGE {
        // What it says is meant for whoever saves something.
        return std::io::Error::from(std::io::ErrorKind::StorageFull).into();
    }
    anyhow::anyhow!("{}: {}", error.code, error.msg)
}
