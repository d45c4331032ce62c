//! Who uses a platform database in PostgreSQL: servers of several homes may share one, and a backup is restored into one that
//! no server uses. A file of SQLite lies in its home, which has a lock of its own.

use sqlx::AnyConnection;

use super::is_sqlite;

/// Says that a server uses the database as long as this connection lives; false while a backup is restored into it.
pub(super) async fn serve(connection: &mut AnyConnection) -> Result<bool, sqlx::Error> {
    ask(connection, "select pg_try_advisory_lock_shared(hashtext('quarry'), hashtext(current_schema()))").await
}

/// Keeps servers away until the transaction ends; false where one uses the database.
pub(super) async fn alone(transaction: &mut AnyConnection) -> Result<bool, sqlx::Error> {
    ask(transaction, "select pg_try_advisory_xact_lock(hashtext('quarry'), hashtext(current_schema()))").await
}

async fn ask(connection: &mut AnyConnection, statement: &'static str) -> Result<bool, sqlx::Error> {
    if is_sqlite(connection) {
        return Ok(true);
    }
    sqlx::query_scalar(statement).fetch_one(connection).await
}
