//! What jobs said while they ran, kept beside them in the platform database.

use quarry_runtime::job::JobHandle;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::db::Db;
use crate::time;

/// Bytes of text that are kept of one job; the engine bounds the lines.
const MOST_BYTES: usize = 256 * 1024;

/// One line of a job's log.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct LogLine {
    /// Milliseconds since 1970.
    pub time: i64,
    pub text: String,
}

/// What the job said so far, oldest first.
pub fn said(handle: &JobHandle) -> Vec<LogLine> {
    let lines = handle.logs().into_iter();
    lines.map(|line| LogLine { time: time::to_ms(line.time), text: line.text }).collect()
}

/// Writes down what an ended job said; a job that said nothing leaves nothing, and what was written before stays.
pub async fn keep(db: &Db, job: &str, lines: Vec<LogLine>) -> Result<(), sqlx::Error> {
    if lines.is_empty() {
        return Ok(());
    }
    let text = serde_json::to_string(&bounded(lines)).map_err(|error| sqlx::Error::Encode(error.into()))?;
    sqlx::query("insert into job_logs (job_id, lines) values ($1, $2) on conflict (job_id) do nothing")
        .bind(job)
        .bind(text)
        .execute(db.pool())
        .await?;
    Ok(())
}

/// What was written down of a job; nothing for one that did not end or said nothing.
pub async fn kept(db: &Db, job: &str) -> Result<Vec<LogLine>, sqlx::Error> {
    let text: Option<String> =
        sqlx::query_scalar("select lines from job_logs where job_id = $1").bind(job).fetch_optional(db.pool()).await?;
    let Some(text) = text else { return Ok(Vec::new()) };
    serde_json::from_str(&text).map_err(|error| sqlx::Error::Decode(error.into()))
}

/// The first lines as far as they fit, and the last one, which tells how the job ended.
fn bounded(mut lines: Vec<LogLine>) -> Vec<LogLine> {
    let Some(mut last) = lines.pop() else { return lines };
    last.text.truncate(last.text.floor_char_boundary(MOST_BYTES / 2));
    let mut room = MOST_BYTES - last.text.len();
    let fitting = lines.iter().take_while(|line| {
        let fits = line.text.len() <= room;
        room = room.saturating_sub(line.text.len());
        fits
    });
    let fitting = fitting.count();
    lines.truncate(fitting);
    lines.push(last);
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(text: String) -> LogLine {
        LogLine { time: 1, text }
    }

    #[test]
    fn what_is_too_much_is_left_out_but_for_the_end() {
        let few = vec![line("first".into()), line("last".into())];
        assert_eq!(bounded(few.clone()), few);
        let mut many: Vec<LogLine> = (0..40).map(|_| line("x".repeat(10_000))).collect();
        many.push(line("the end".into()));
        let kept = bounded(many);
        assert_eq!((kept.len(), kept[26].text.as_str()), (27, "the end"));
        let odd = bounded(vec![line("€".repeat(MOST_BYTES))]);
        assert!(odd[0].text.len() <= MOST_BYTES / 2 && odd[0].text.ends_with('€'));
        assert!(bounded(Vec::new()).is_empty());
    }
}
