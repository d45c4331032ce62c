//! The record of mails and text messages.

use serde::Serialize;
use sqlx::FromRow;
use utoipa::ToSchema;

use super::Channel;
use crate::db::Db;
use crate::db::list::{List, Page, Paged};
use crate::time::now_ms;

/// Something that was sent, or could not be.
#[derive(Debug)]
pub struct Record<'a> {
    pub channel: Channel,
    pub target: &'a str,
    pub subject: &'a str,
    pub content: &'a str,
    /// Why it could not be sent.
    pub reason: Option<&'a str>,
}

/// A record as administrators see it.
#[derive(Debug, Serialize, ToSchema, FromRow)]
#[serde(rename_all = "camelCase")]
pub struct SentMessage {
    pub id: i64,
    /// Email address or phone number.
    pub target: String,
    pub subject: String,
    /// The text, codes left out.
    pub content: String,
    /// `sent` or `failed`.
    pub state: String,
    /// Why it failed; empty otherwise.
    pub reason: String,
    /// Milliseconds since 1970.
    pub sent_at: i64,
}

/// Which records.
#[derive(Debug)]
pub struct Filter<'a> {
    pub channel: Channel,
    pub target: Option<&'a str>,
    pub state: Option<&'a str>,
    pub from: Option<i64>,
    pub to: Option<i64>,
}

pub async fn write(db: &Db, record: &Record<'_>) -> Result<(), sqlx::Error> {
    sqlx::query(
        "insert into sent_messages (id, channel, target, subject, content, state, reason, sent_at)
         values ($1, $2, $3, $4, $5, $6, $7, $8)",
    )
    .bind(db.next_id("sent_messages").await?)
    .bind(record.channel.name())
    .bind(record.target)
    .bind(record.subject)
    .bind(record.content)
    .bind(if record.reason.is_none() { "sent" } else { "failed" })
    .bind(record.reason.unwrap_or_default())
    .bind(now_ms())
    .execute(db.pool())
    .await?;
    Ok(())
}

/// Newest first.
pub async fn list(db: &Db, filter: &Filter<'_>, page: Page) -> Result<Paged<SentMessage>, sqlx::Error> {
    List::new("id, target, subject, content, state, reason, sent_at", "sent_messages", "sent_at desc, id desc")
        .text("channel", Some(filter.channel.name()))
        .contains_small("target", filter.target)
        .text("state", filter.state)
        .between("sent_at", filter.from, filter.to)
        .page(db, page)
        .await
}
