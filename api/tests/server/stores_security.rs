//! Known browsers, second factors, invitations and budgets of new accounts, on every database there is.

use quarry::auth::accounts::{self, NewAccount, Registration};
use quarry::auth::invitations::{Filter, InvitationState, NewInvitation, WithdrawError};
use quarry::auth::oidc::{Person, identities};
use quarry::auth::seal::Seal;
use quarry::auth::{ROLE_DEFAULT, invitations, second_factor, sessions};
use quarry::db::Db;
use quarry::db::list::Page;
use quarry::http::Network;
use quarry::time::now_ms;

use crate::second_factors::code;
use crate::stores::{account, client, on_both, postgres, sqlite};

on_both!(
    second_factors_are_kept,
    invitations_work_once,
    invitations_are_for_one_address_and_withdrawn,
    new_accounts_share_a_budget,
    own_sessions_end,
    identities_are_kept
);

async fn second_factors_are_kept(db: Db) {
    let seal = Seal::new("a secret of the test").unwrap();
    let (ada, eve) = (account(&db, "ada").await, account(&db, "eve").await);
    let first = second_factor::begin(&db, &seal, ada, "ada").await.unwrap().unwrap();
    let setup = second_factor::begin(&db, &seal, ada, "ada").await.unwrap().unwrap();
    assert_ne!(first.secret, setup.secret, "the one begun last counts");
    assert!(!second_factor::is_on(&db, ada).await.unwrap());
    assert!(!second_factor::redeem(&db, &seal, ada, &code(&setup.secret, 0)).await.unwrap(), "not confirmed yet");
    assert!(second_factor::confirm(&db, &seal, ada, "000").await.unwrap().is_none());
    let codes = second_factor::confirm(&db, &seal, ada, &code(&setup.secret, 0)).await.unwrap().unwrap();
    assert!(second_factor::is_on(&db, ada).await.unwrap());
    assert!(second_factor::begin(&db, &seal, ada, "ada").await.unwrap().is_none());
    assert!(!second_factor::redeem(&db, &seal, ada, &code(&setup.secret, 0)).await.unwrap(), "used up");
    let next = code(&setup.secret, 1);
    assert!(second_factor::redeem(&db, &seal, ada, &next).await.unwrap());
    assert!(!second_factor::redeem(&db, &seal, ada, &next).await.unwrap());
    assert!(!second_factor::redeem(&db, &seal, eve, &codes[0]).await.unwrap());
    assert!(second_factor::redeem(&db, &seal, ada, &codes[0]).await.unwrap());
    assert!(!second_factor::redeem(&db, &seal, ada, &codes[0]).await.unwrap());
    assert_eq!(second_factor::state(&db, ada).await.unwrap().recovery_codes, 9);
    let other = Seal::new("the secret after a change").unwrap();
    assert!(second_factor::redeem(&db, &other, ada, "123456").await.is_err(), "no code is right by chance");
    assert!(second_factor::redeem(&db, &other, ada, &codes[1]).await.unwrap(), "recovery codes outlive the secret");
    assert!(second_factor::remove(&db, ada).await.unwrap());
    assert!(!second_factor::remove(&db, ada).await.unwrap());
    assert!(!second_factor::redeem(&db, &seal, ada, &codes[2]).await.unwrap());
}

fn place(text: &str) -> Network {
    text.parse::<std::net::IpAddr>().unwrap().into()
}

async fn register(db: &Db, name: &str, from: &str, invitation: Option<&str>) -> Option<i64> {
    register_with(db, name, from, invitation, None).await
}

async fn register_with(db: &Db, name: &str, from: &str, invitation: Option<&str>, email: Option<&str>) -> Option<i64> {
    let new = NewAccount { user_name: name, password_hash: "hash", role: ROLE_DEFAULT, email, phone: None };
    let registration = Registration { place: place(from), new_for: 60_000, invitation };
    accounts::register(db, &new, &registration).await.unwrap()
}

/// The code of an invitation of the command line.
pub async fn invited(db: &Db, expires_at: i64) -> String {
    invitations::make(db, &NewInvitation { created_by: None, email: None, expires_at }).await.unwrap().code
}

async fn invitations_work_once(db: Db) {
    let code = invited(&db, now_ms() + 60_000).await;
    let over = invited(&db, now_ms() - 1).await;
    assert!(register(&db, "ada", "192.0.2.1", Some(&over)).await.is_none());
    assert!(register(&db, "ada", "192.0.2.1", Some("guess")).await.is_none());
    assert!(accounts::find(&db, "ada").await.unwrap().is_none(), "nobody is made without one");
    let both =
        tokio::join!(register(&db, "ada", "192.0.2.1", Some(&code)), register(&db, "eve", "192.0.2.1", Some(&code)));
    assert!(both.0.is_some() != both.1.is_some(), "{both:?}");
}

async fn invitations_are_for_one_address_and_withdrawn(db: Db) {
    let ada = account(&db, "ada").await;
    let soon = now_ms() + 60_000;
    let new = NewInvitation { created_by: Some(ada), email: Some("eve@mail.example"), expires_at: soon };
    let for_eve = invitations::make(&db, &new).await.unwrap();
    for email in [None, Some("mallory@mail.example"), Some("")] {
        assert!(register_with(&db, "eve", "192.0.2.1", Some(&for_eve.code), email).await.is_none(), "{email:?}");
    }
    let eve = register_with(&db, "eve", "192.0.2.1", Some(&for_eve.code), new.email).await;
    assert!(eve.is_some());
    let bob = Some("bob@mail.example");
    let withdrawn = invitations::make(&db, &NewInvitation { email: bob, ..new }).await.unwrap();
    assert_eq!(invitations::withdraw(&db, &withdrawn.id).await.unwrap().as_deref(), bob);
    assert!(register_with(&db, "bob", "192.0.2.1", Some(&withdrawn.code), bob).await.is_none());
    invited(&db, now_ms() - 1).await;
    let open = invitations::make(&db, &NewInvitation { created_by: None, email: None, ..new }).await.unwrap();
    let list = async |state: Option<InvitationState>| {
        let filter = Filter { state, email: None };
        invitations::list(&db, filter, Page::default()).await.unwrap()
    };
    assert_eq!(list(None).await.total, 4);
    let all = [InvitationState::Used, InvitationState::Withdrawn, InvitationState::Expired, InvitationState::Open];
    for state in all {
        let found = list(Some(state)).await;
        assert_eq!((found.total, found.items.len()), (1, 1), "{state:?}");
        assert_eq!(found.items[0].state, state);
    }
    let used = list(Some(InvitationState::Used)).await.items.remove(0);
    assert_eq!((used.created_by.as_deref(), used.used_by.as_deref()), (Some("ada"), Some("eve")));
    for over in [&used.id, &withdrawn.id, &list(Some(InvitationState::Expired)).await.items[0].id] {
        assert!(matches!(invitations::withdraw(&db, over).await, Err(WithdrawError::Over)));
    }
    assert!(matches!(invitations::withdraw(&db, "").await, Err(WithdrawError::Unknown)));
    assert!(matches!(invitations::withdraw(&db, &open.id[..4]).await, Err(WithdrawError::Unknown)));
    // Of withdrawing and registering at once, one wins.
    let both = tokio::join!(
        invitations::withdraw(&db, &open.id),
        register_with(&db, "dan", "192.0.2.1", Some(&open.code), None)
    );
    assert!(both.0.is_ok() != both.1.is_some(), "{both:?}");
    let found = invitations::list(&db, Filter { state: None, email: Some("EVE@") }, Page::default()).await.unwrap();
    assert_eq!(found.total, 1);
}

async fn new_accounts_share_a_budget(db: Db) {
    let old = account(&db, "old").await;
    let first = register(&db, "first", "2001:db8:1:2::1", None).await.unwrap();
    let second = register(&db, "second", "2001:db8:1:2:ffff::2", None).await.unwrap();
    let elsewhere = register(&db, "elsewhere", "2001:db8:1:3::1", None).await.unwrap();
    let budget = async |id: i64| {
        let account = accounts::by_id(&db, id).await.unwrap().unwrap();
        accounts::budget(&db, &account).await.unwrap()
    };
    assert_eq!(
        [budget(old).await, budget(first).await, budget(second).await, budget(elsewhere).await],
        [old, first, first, elsewhere]
    );
    sqlx::query("update users set new_until = 1 where id = $1").bind(first).execute(db.pool()).await.unwrap();
    assert_eq!([budget(first).await, budget(second).await], [first, second]);
}

async fn own_sessions_end(db: Db) {
    let (ada, eve) = (account(&db, "ada").await, account(&db, "eve").await);
    for (id, user) in [("a", ada), ("b", ada), ("c", ada), ("d", eve)] {
        let client = client();
        let expires_at = now_ms() + 60_000;
        let new = sessions::NewSession {
            id,
            user_id: user,
            kind: sessions::LoginKind::Password,
            password_hash: "hash",
            expires_at,
            client: &client,
        };
        assert!(sessions::open(&db, &new).await.unwrap());
    }
    assert_eq!(sessions::of_account(&db, ada).await.unwrap().len(), 3);
    assert!(!sessions::revoke_own(&db, eve, "a").await.unwrap(), "somebody else's");
    assert!(sessions::revoke_own(&db, ada, "a").await.unwrap());
    assert_eq!(sessions::revoke_others(&db, ada, "b").await.unwrap(), ["c"]);
    assert_eq!(sessions::of_account(&db, ada).await.unwrap().len(), 1);
    assert_eq!(sessions::of_account(&db, eve).await.unwrap().len(), 1);
}

async fn identities_are_kept(db: Db) {
    let person = |issuer: &str, subject: &str| Person {
        issuer: issuer.to_string(),
        subject: subject.to_string(),
        email: None,
        names: Vec::new(),
        roles: Vec::new(),
    };
    let ada = person("https://one.example.org", "ada");
    let new =
        |name| NewAccount { user_name: name, password_hash: "hash", role: ROLE_DEFAULT, email: None, phone: None };
    let id = identities::create(&db, &new("ada"), &ada).await.unwrap();
    assert_eq!(identities::find(&db, &ada).await.unwrap().unwrap().id, id);
    assert!(identities::create(&db, &new("ada_2"), &ada).await.is_err(), "a person has one account");
    assert!(accounts::find(&db, "ada_2").await.unwrap().is_none());
    for other in [person("https://two.example.org", "ada"), person("https://one.example.org", "Ada")] {
        assert!(identities::find(&db, &other).await.unwrap().is_none());
        assert!(identities::create(&db, &new("ada"), &other).await.is_err(), "the name is taken");
    }
    let eve = account(&db, "eve").await;
    let client = client();
    let session = sessions::NewSession {
        id: "of-eve",
        user_id: eve,
        kind: sessions::LoginKind::Password,
        password_hash: "hash",
        expires_at: i64::MAX,
        client: &client,
    };
    assert!(sessions::open(&db, &session).await.unwrap());
    let of_eve = person("https://one.example.org", "eve");
    assert!(identities::link(&db, &of_eve, eve, "another hash").await.unwrap());
    assert_eq!(identities::find(&db, &of_eve).await.unwrap().unwrap().password_hash, "another hash");
    assert!(sessions::find(&db, "of-eve").await.unwrap().unwrap().revoked);
    assert!(!identities::link(&db, &person("https://one.example.org", "mallory"), eve, "x").await.unwrap());
    let provided = sessions::NewSession {
        id: "provided",
        kind: sessions::LoginKind::Provider,
        password_hash: "another hash",
        ..session
    };
    assert!(sessions::open(&db, &provided).await.unwrap());
    let kinds: Vec<_> = sessions::of_account(&db, eve).await.unwrap().iter().map(|session| session.kind).collect();
    assert_eq!(kinds, [sessions::LoginKind::Provider]);
}
