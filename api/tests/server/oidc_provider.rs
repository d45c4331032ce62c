//! A provider of OpenID Connect on this machine, which signs with keys of its own and lies where a test asks it to.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard};

use aws_lc_rs::encoding::AsDer;
use aws_lc_rs::rsa::{KeyPair, KeySize};
use aws_lc_rs::signature::{ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair};
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Form, Json, Router};
use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};
use jsonwebtoken::jwk::Jwk;
use jsonwebtoken::{Algorithm, EncodingKey, Header};
use quarry::auth::oidc::{OidcOptions, RoleMap};
use quarry::auth::token::random_key;
use quarry::config::Secret;
use quarry::time::now_ms;
use reqwest::Url;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use tokio::net::TcpListener;
use tokio::task::JoinSet;

pub const CLIENT: &str = "quarry";
const SECRET: &str = "the secret of the client";
pub const PUBLIC_URL: &str = "https://quarry.example.org";

/// How the provider signs what it says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Signed {
    Rightly,
    /// By another key of the same name.
    ByAnother,
    /// With the algorithm `none`.
    Not,
    /// With the secret of the client, which the client knows as well.
    WithSecret,
}

pub struct Key {
    encoding: EncodingKey,
    algorithm: Algorithm,
    id: String,
}

impl Key {
    pub fn rsa(id: &str) -> Key {
        let der = KeyPair::generate(KeySize::Rsa2048).unwrap();
        let der = der.as_der().unwrap();
        let pem = format!("-----BEGIN PRIVATE KEY-----\n{}\n-----END PRIVATE KEY-----\n", lines(der.as_ref()));
        let encoding = EncodingKey::from_rsa_pem(pem.as_bytes()).unwrap();
        Key { encoding, algorithm: Algorithm::RS256, id: id.to_string() }
    }

    pub fn curve(id: &str) -> Key {
        let pair = EcdsaKeyPair::generate(&ECDSA_P256_SHA256_FIXED_SIGNING).unwrap();
        let encoding = EncodingKey::from_ec_der(pair.to_pkcs8v1().unwrap().as_ref());
        Key { encoding, algorithm: Algorithm::ES256, id: id.to_string() }
    }

    fn public(&self) -> Value {
        let mut jwk = Jwk::from_encoding_key(&self.encoding, self.algorithm).unwrap();
        jwk.common.key_id = Some(self.id.clone());
        serde_json::to_value(jwk).unwrap()
    }
}

/// Base64 as PEM breaks it.
fn lines(der: &[u8]) -> String {
    let text = STANDARD.encode(der);
    text.as_bytes().chunks(64).map(|line| std::str::from_utf8(line).unwrap()).collect::<Vec<_>>().join("\n")
}

/// What a code stands for.
struct Given {
    challenge: String,
    redirect: String,
    claims: Value,
}

struct Inside {
    issuer: String,
    key: Key,
    signed: Signed,
    away: bool,
    codes: HashMap<String, Given>,
}

type Shared = Arc<Mutex<Inside>>;

pub struct Provider {
    pub issuer: String,
    inside: Shared,
    /// Ends with the provider.
    _serving: JoinSet<()>,
}

impl Provider {
    pub async fn start() -> Provider {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let issuer = format!("http://{}", listener.local_addr().unwrap());
        let (key, signed) = (Key::rsa("first"), Signed::Rightly);
        let inside = Inside { issuer: issuer.clone(), key, signed, away: false, codes: HashMap::new() };
        let inside = Arc::new(Mutex::new(inside));
        let routes = Router::new()
            .route("/.well-known/openid-configuration", get(discovery))
            .route("/keys", get(keys))
            .route("/token", post(token))
            .with_state(inside.clone());
        let mut serving = JoinSet::new();
        serving.spawn(async move { axum::serve(listener, routes).await.unwrap() });
        Provider { issuer, inside, _serving: serving }
    }

    /// Settings of a server that lets everybody in whom this provider knows.
    pub fn options(&self) -> OidcOptions {
        OidcOptions {
            issuer: self.issuer.clone(),
            client_id: CLIENT.to_string(),
            client_secret: Some(Secret(SECRET.to_string())),
            public_url: PUBLIC_URL.to_string(),
            scopes: "openid email profile".to_string(),
            label: Some("Example Ltd.".to_string()),
            role_claim: None,
            roles: RoleMap::default(),
            create_accounts: true,
            link_email: false,
        }
    }

    pub fn away(&self, away: bool) {
        self.inside().away = away;
    }

    pub fn sign(&self, signed: Signed) {
        self.inside().signed = signed;
    }

    /// Signs with another key from now on, and knows the one before no more.
    pub fn change_key(&self, key: Key) {
        self.inside().key = key;
    }

    /// Somebody logs in on the page of the provider: what it sends their browser back with. `claims` are said of them in place
    /// of what is said of everybody; those that are null are left out.
    pub fn log_in(&self, page: &str, claims: Value) -> Back {
        let page: Url = page.parse().unwrap();
        let asked: HashMap<String, String> = page.query_pairs().into_owned().collect();
        assert!(page.as_str().starts_with(&format!("{}/authorize?", self.issuer)), "{page}");
        assert_eq!((asked["response_type"].as_str(), asked["client_id"].as_str()), ("code", CLIENT), "{page}");
        assert_eq!(asked["code_challenge_method"], "S256", "{page}");
        assert_eq!(asked["redirect_uri"], format!("{PUBLIC_URL}/auth/provider"), "{page}");
        assert_eq!(asked["scope"], "openid email profile", "{page}");
        let seconds = now_ms() / 1000;
        let mut said = json!({
            "iss": self.issuer, "aud": CLIENT, "sub": "person-1", "nonce": asked["nonce"],
            "iat": seconds, "exp": seconds + 300,
            "preferred_username": "Ada.L", "email": "ada@example.org", "email_verified": true,
        });
        for (name, value) in claims.as_object().unwrap() {
            said[name] = value.clone();
        }
        said.as_object_mut().unwrap().retain(|_, value| !value.is_null());
        let code = random_key();
        let given =
            Given { challenge: asked["code_challenge"].clone(), redirect: asked["redirect_uri"].clone(), claims: said };
        self.inside().codes.insert(code.clone(), given);
        Back { code, state: asked["state"].clone() }
    }

    fn inside(&self) -> MutexGuard<'_, Inside> {
        self.inside.lock().unwrap()
    }
}

/// What the provider sends a browser back with.
#[derive(Debug, Clone)]
pub struct Back {
    pub code: String,
    pub state: String,
}

fn answer(shared: &Shared, answer: impl FnOnce(&mut Inside) -> Response) -> Response {
    let mut inside = shared.lock().unwrap();
    if inside.away { StatusCode::SERVICE_UNAVAILABLE.into_response() } else { answer(&mut inside) }
}

async fn discovery(shared: State<Shared>) -> Response {
    answer(&shared, |inside| {
        let issuer = &inside.issuer;
        Json(json!({
            "issuer": issuer,
            "authorization_endpoint": format!("{issuer}/authorize"),
            "token_endpoint": format!("{issuer}/token"),
            "jwks_uri": format!("{issuer}/keys"),
            "response_types_supported": ["code"],
            "subject_types_supported": ["public"],
            "id_token_signing_alg_values_supported": ["RS256", "ES256", "HS256", "none"],
        }))
        .into_response()
    })
}

async fn keys(shared: State<Shared>) -> Response {
    answer(&shared, |inside| Json(json!({"keys": [inside.key.public()]})).into_response())
}

async fn token(shared: State<Shared>, headers: HeaderMap, Form(form): Form<HashMap<String, String>>) -> Response {
    answer(&shared, |inside| {
        // Both parts are written as in a form, as RFC 6749 says.
        let account = format!("{CLIENT}:{}", SECRET.replace(' ', "+"));
        let known = format!("Basic {}", STANDARD.encode(account));
        if headers.get(header::AUTHORIZATION).is_none_or(|sent| sent.as_bytes() != known.as_bytes()) {
            return refused("invalid_client");
        }
        let given = form.get("code").and_then(|code| inside.codes.remove(code));
        let fits = |given: &Given| {
            let proof = form.get("code_verifier").map(|text| URL_SAFE_NO_PAD.encode(Sha256::digest(text)));
            form.get("grant_type").is_some_and(|kind| kind == "authorization_code")
                && form.get("redirect_uri") == Some(&given.redirect)
                && proof.as_ref() == Some(&given.challenge)
        };
        let Some(given) = given.filter(fits) else { return refused("invalid_grant") };
        let id_token = signed(inside, &given.claims);
        let tokens =
            json!({"access_token": random_key(), "token_type": "Bearer", "expires_in": 300, "id_token": id_token});
        Json(tokens).into_response()
    })
}

fn refused(why: &str) -> Response {
    (StatusCode::BAD_REQUEST, Json(json!({"error": why}))).into_response()
}

fn signed(inside: &Inside, claims: &Value) -> String {
    let header = |algorithm| Header { kid: Some(inside.key.id.clone()), ..Header::new(algorithm) };
    match inside.signed {
        Signed::Rightly => jsonwebtoken::encode(&header(inside.key.algorithm), claims, &inside.key.encoding).unwrap(),
        Signed::ByAnother => {
            let other = Key::rsa(&inside.key.id);
            jsonwebtoken::encode(&header(other.algorithm), claims, &other.encoding).unwrap()
        }
        Signed::Not => {
            let part = |value: Value| URL_SAFE_NO_PAD.encode(value.to_string());
            format!("{}.{}.", part(json!({"alg": "none"})), part(claims.clone()))
        }
        Signed::WithSecret => {
            let key = EncodingKey::from_secret(SECRET.as_bytes());
            jsonwebtoken::encode(&header(Algorithm::HS256), claims, &key).unwrap()
        }
    }
}
