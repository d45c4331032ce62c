//! `quarry new-secret`: changes the secret that signs the tokens, on purpose.

use super::CliError;
use super::home::Home;
use crate::auth::{secrets, token};
use crate::config::Settings;

pub async fn run(settings: Settings) -> Result<(), CliError> {
    let home = Home::open(&settings.home)?;
    let _lock = home.lock()?;
    let db = home.database(&settings).await?;
    let unusable = |error: sqlx::Error| CliError::Failed(format!("The platform database does not answer: {error}."));
    if !secrets::forget(&db).await.map_err(unusable)? {
        return Err(CliError::Failed("A server uses the platform database; stop it first.".to_string()));
    }
    db.close().await;
    token::forget_secret(&home.dir().join("keys"))?;
    eprintln!(
        "Every login has ended. The next server that starts may bring another secret, which all others must share."
    );
    Ok(())
}
