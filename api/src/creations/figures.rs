//! What everybody sees that a creator has made, and the favourites received: kept as numbers, so that lists of creators
//! need not count.

use sqlx::AnyConnection;

/// Counts an account's public dashboards and queries anew.
pub async fn recount(at: &mut AnyConnection, user: i64) -> Result<(), sqlx::Error> {
    let public = "select count(*) from creations c where c.owner_id = $1 and c.visibility = 'public' and c.kind =";
    let statement = format!(
        "insert into creator_figures (user_id, dashboards, queries)
         values ($1, ({public} 'dashboard'), ({public} 'query'))
         on conflict (user_id) do update set dashboards = excluded.dashboards, queries = excluded.queries"
    );
    sqlx::query(sqlx::AssertSqlSafe(statement)).bind(user).execute(&mut *at).await?;
    show(at, user).await
}

/// Shows an account in lists of creators, or no longer: when what it has made or whether it may log in has changed.
pub async fn show(at: &mut AnyConnection, user: i64) -> Result<(), sqlx::Error> {
    sqlx::query(
        "update creator_figures set shown = case when (dashboards > 0 or queries > 0)
         and exists (select 1 from users u where u.id = $1 and u.disabled = 0) then 1 else 0 end where user_id = $1",
    )
    .bind(user)
    .execute(at)
    .await?;
    Ok(())
}

/// Counts favourites received.
pub async fn starred(at: &mut AnyConnection, user: i64, change: i64) -> Result<(), sqlx::Error> {
    sqlx::query(
        "insert into creator_figures (user_id, stars) values ($1, $2)
         on conflict (user_id) do update set stars = creator_figures.stars + excluded.stars",
    )
    .bind(user)
    .bind(change)
    .execute(at)
    .await?;
    Ok(())
}
