//! Feedback in the platform database.

use sqlx::FromRow;

use super::model::{FeedbackForm, FeedbackParams, FeedbackState, Handling};
use crate::db::Db;
use crate::db::list::List;
use crate::time::now_ms;

pub async fn insert(db: &Db, user: i64, form: &FeedbackForm) -> Result<i64, sqlx::Error> {
    let id = db.next_id("feedback").await?;
    sqlx::query(
        "insert into feedback (id, user_id, title, content, url, photo, state, created_at)
         values ($1, $2, $3, $4, $5, $6, $7, $8)",
    )
    .bind(id)
    .bind(user)
    .bind(&form.feedback_title)
    .bind(&form.feedback_content)
    .bind(&form.feedback_url)
    .bind(&form.feedback_photo)
    .bind(FeedbackState::Open.name())
    .bind(now_ms())
    .execute(db.pool())
    .await?;
    Ok(id)
}

/// Newest first.
pub fn list(params: &FeedbackParams) -> List {
    List::new(
        "feedback.id, user_id, user_name, title as feedback_title, content as feedback_content,
         url as feedback_url, photo as feedback_photo, state, answer, handled_by, handled_at, feedback.created_at",
        "feedback",
        "feedback.created_at desc, feedback.id desc",
    )
    .joined("left join users on users.id = user_id")
    .of_user("user_id", params.user_name.as_deref())
    .contains("title", params.title.as_deref())
    .text("state", params.state.map(FeedbackState::name))
    .between("feedback.created_at", params.from, params.to)
}

/// Feedback that is answered.
#[derive(Debug, FromRow)]
pub struct Answered {
    pub id: i64,
    pub user_id: i64,
    pub user_name: String,
    pub title: String,
    /// The answer so far.
    pub answer: String,
}

pub async fn find(db: &Db, id: i64) -> Result<Option<Answered>, sqlx::Error> {
    let row = sqlx::query(
        "select feedback.id, user_id, user_name, title, answer from feedback join users on users.id = user_id
         where feedback.id = $1",
    )
    .bind(id)
    .fetch_optional(db.pool())
    .await?;
    row.as_ref().map(Answered::from_row).transpose()
}

/// Writes down what was done; false if there is no such feedback.
pub async fn handle(db: &Db, id: i64, by: &str, handling: &Handling) -> Result<bool, sqlx::Error> {
    let changed =
        sqlx::query("update feedback set state = $2, answer = $3, handled_by = $4, handled_at = $5 where id = $1")
            .bind(id)
            .bind(handling.state.name())
            .bind(&handling.answer)
            .bind(by)
            .bind(now_ms())
            .execute(db.pool())
            .await?;
    Ok(changed.rows_affected() > 0)
}
