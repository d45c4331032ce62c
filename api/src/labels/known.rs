//! What people say of addresses: an account's own labels, which it alone sees, and those of administrators for everybody.

use quarry_labels::{KnownLabel, Source};
use serde::{Deserialize, Serialize};
use sqlx::FromRow;
use utoipa::ToSchema;

use crate::app::App;
use crate::auth::CurrentUser;
use crate::auth::rules::{one_line, plain};
use crate::creations::rules;
use crate::db::Db;
use crate::http::ApiError;
use crate::jobs::shares::schema_of;
use crate::time::now_ms;

/// The owner of labels that everybody sees.
pub const EVERYBODY: i64 = 0;
/// Labels that one owner may have.
pub const MOST: i64 = 50_000;
/// Owners whose labels a start does not put off.
const AT_START: usize = 20;
/// The set of the engine that holds them.
const SET: &str = "said";

/// What kind of address has a label.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "UPPERCASE")]
pub enum LabelType {
    Eoa,
    Contract,
    Dapp,
    Network,
    Token,
    Miner,
    Nft,
}

impl LabelType {
    pub fn name(self) -> &'static str {
        match self {
            LabelType::Eoa => "EOA",
            LabelType::Contract => "CONTRACT",
            LabelType::Dapp => "DAPP",
            LabelType::Network => "NETWORK",
            LabelType::Token => "TOKEN",
            LabelType::Miner => "MINER",
            LabelType::Nft => "NFT",
        }
    }
}

/// A label as somebody writes it, alone or as a row of a file.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct LabelForm {
    /// `0x` and 40 hexadecimal digits.
    pub address: String,
    /// 1 to 40 characters on one line.
    pub label: String,
    pub label_type: LabelType,
    /// Whose address it is, up to 80 characters: an exchange, a person.
    #[serde(default)]
    pub entity: String,
    /// Why, up to 500 characters.
    #[serde(default)]
    pub note: String,
}

/// A label that somebody wrote.
#[derive(Debug, Serialize, ToSchema, FromRow)]
#[serde(rename_all = "camelCase")]
pub struct LabelRow {
    pub id: i64,
    pub address: String,
    pub label: String,
    /// `EOA`, `CONTRACT`, `DAPP`, `NETWORK`, `TOKEN`, `MINER` or `NFT`.
    pub label_type: String,
    pub entity: String,
    pub note: String,
    /// `hand`, `csv` or `admin`.
    pub source: String,
    /// User name of who wrote it.
    pub author: String,
    /// Milliseconds since 1970.
    pub created_at: i64,
}

/// Columns of [`LabelRow`].
pub const COLUMNS: &str = "id, address, label, label_type, entity, note, source, author, created_at";

/// The form with its address in small letters, or field and reason.
pub fn checked(mut form: LabelForm) -> Result<LabelForm, (&'static str, &'static str)> {
    form.address =
        rules::address(&form.address).map_err(|_| ("address", "An address is 0x and 40 hexadecimal digits"))?;
    let texts = [&mut form.label, &mut form.entity, &mut form.note];
    let [label, entity, note] = texts.map(|text| {
        *text = text.trim().to_string();
        (text.chars().count(), !plain(text))
    });
    match () {
        () if label.0 > 40 || !one_line(&form.label) => Err(("label", "A label has 1 to 40 characters on one line")),
        () if entity.0 > 80 || entity.1 => Err(("entity", "An entity has at most 80 characters on one line")),
        () if note.0 > 500 || note.1 => Err(("note", "A note has at most 500 characters on one line")),
        () => Ok(form),
    }
}

/// Writes labels of an owner; one of the same address and words takes the place of the one before.
pub async fn write(
    app: &App,
    by: &CurrentUser,
    owner: i64,
    source: Source,
    forms: &[LabelForm],
) -> Result<(), ApiError> {
    let db = &app.db;
    let first = db.next_ids("address_labels", i64::try_from(forms.len()).unwrap_or(i64::MAX)).await?;
    let now = now_ms();
    let mut transaction = db.begin().await?;
    for (id, form) in (first..).zip(forms) {
        sqlx::query(
            "insert into address_labels
             (id, owner_id, address, label, label_type, entity, note, source, author, created_at)
             values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
             on conflict (owner_id, address, label) do update
             set label_type = $5, entity = $6, note = $7, source = $8, author = $9, created_at = $10",
        )
        .bind(id)
        .bind(owner)
        .bind(&form.address)
        .bind(&form.label)
        .bind(form.label_type.name())
        .bind(&form.entity)
        .bind(&form.note)
        .bind(source.name())
        .bind(&by.name)
        .bind(now)
        .execute(&mut *transaction)
        .await?;
    }
    let count: i64 = sqlx::query_scalar("select count(*) from address_labels where owner_id = $1")
        .bind(owner)
        .fetch_one(&mut *transaction)
        .await?;
    if count > MOST {
        return Err(ApiError::invalid("label", format!("There can be at most {MOST} labels; remove some first.")));
    }
    transaction.commit().await?;
    copy(app, owner).await
}

/// Removes a label of an owner; false when there is none of this number.
pub async fn remove(app: &App, owner: i64, id: i64) -> Result<bool, ApiError> {
    let removed = sqlx::query("delete from address_labels where id = $1 and owner_id = $2")
        .bind(id)
        .bind(owner)
        .execute(app.db.pool())
        .await?;
    if removed.rows_affected() == 0 {
        return Ok(false);
    }
    copy(app, owner).await?;
    Ok(true)
}

/// Gives the engine what every owner says: it may have been restored from a backup, or lost. Everybody's and those of few
/// owners are there when this answers; those of many, each a file to be written, follow once the server answers.
pub async fn copy_all(app: &App) -> Result<(), ApiError> {
    let mut owners: Vec<i64> = sqlx::query_scalar("select distinct owner_id from address_labels order by owner_id")
        .fetch_all(app.db.pool())
        .await?;
    let later = owners.split_off(owners.len().min(AT_START));
    for owner in owners {
        copy(app, owner).await?;
    }
    if !later.is_empty() {
        let all = app.clone();
        app.tasks.spawn(app.stop.clone().run_until_cancelled_owned(async move {
            all.ready.cancelled().await;
            for owner in later {
                if let Err(error) = copy(&all, owner).await {
                    error.log();
                }
            }
        }));
    }
    Ok(())
}

/// Gives the engine what this owner says now.
async fn copy(app: &App, owner: i64) -> Result<(), ApiError> {
    let _turn = app.labels.turn.lock().await;
    let Some(schema) = schema(&app.db, owner).await? else { return Ok(()) };
    let rows: Vec<LabelRow> = sqlx::query_as(
        "select id, address, label, label_type, entity, note, source, author, created_at
         from address_labels where owner_id = $1 order by id",
    )
    .bind(owner)
    .fetch_all(app.db.pool())
    .await?;
    let labels = rows.iter().map(label).collect::<Result<Vec<_>, _>>()?;
    let engine = app.engine.clone();
    let written = tokio::task::spawn_blocking(move || engine.labels().put(schema.as_deref(), SET, &labels));
    Ok(written.await.map_err(ApiError::internal)??)
}

/// The engine's owner: nobody for everybody's; nothing when the account is gone.
async fn schema(db: &Db, owner: i64) -> Result<Option<Option<String>>, ApiError> {
    if owner == EVERYBODY {
        return Ok(Some(None));
    }
    let name: Option<String> =
        sqlx::query_scalar("select user_name from users where id = $1").bind(owner).fetch_optional(db.pool()).await?;
    Ok(name.map(|name| Some(schema_of(&name))))
}

fn label(row: &LabelRow) -> Result<KnownLabel, ApiError> {
    let source = [Source::Hand, Source::Csv, Source::Admin].into_iter().find(|source| source.name() == row.source);
    Ok(KnownLabel {
        address: bytes(&row.address)?,
        label: row.label.clone(),
        label_type: row.label_type.clone(),
        entity: row.entity.clone(),
        note: row.note.clone(),
        source: source.unwrap_or(Source::Hand),
        author: row.author.clone(),
        created: row.created_at,
    })
}

/// The bytes of an address that was checked when it was written.
pub(super) fn bytes(address: &str) -> Result<[u8; 20], ApiError> {
    let mut bytes = [0; 20];
    hex::decode_to_slice(address.trim_start_matches("0x"), &mut bytes).map_err(ApiError::internal)?;
    Ok(bytes)
}
