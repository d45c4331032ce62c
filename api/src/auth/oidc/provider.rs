//! The provider as OpenID Connect describes it: where its discovery document says to send people, and who a person is by the
//! ID token that a code is exchanged for. The protocol and every check of the token are those of the crate `openidconnect`.

use std::fmt;

use openidconnect::core::{
    CoreAuthDisplay, CoreAuthPrompt, CoreAuthenticationFlow, CoreClientAuthMethod, CoreErrorResponseType,
    CoreGenderClaim, CoreJsonWebKey, CoreJweContentEncryptionAlgorithm, CoreJwsSigningAlgorithm, CoreProviderMetadata,
    CoreRevocableToken, CoreRevocationErrorResponse, CoreTokenIntrospectionResponse, CoreTokenType,
};
use openidconnect::{
    AccessTokenHash, AdditionalClaims, AuthType, AuthorizationCode, ClaimsVerificationError, Client, ClientId,
    ClientSecret, CsrfToken, EmptyExtraTokenFields, EndpointMaybeSet, EndpointNotSet, EndpointSet, IdTokenFields,
    IdTokenVerifier, IssuerUrl, Nonce, OAuth2TokenResponse, PkceCodeChallenge, PkceCodeVerifier, RedirectUrl, Scope,
    StandardErrorResponse, StandardTokenResponse, TokenResponse,
};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::http::Http;
use crate::http::error::chain;

/// Signatures that are accepted: those whose key only the provider has. The secret of the client signs nothing.
const SIGNATURES: [CoreJwsSigningAlgorithm; 9] = [
    CoreJwsSigningAlgorithm::RsaSsaPkcs1V15Sha256,
    CoreJwsSigningAlgorithm::RsaSsaPkcs1V15Sha384,
    CoreJwsSigningAlgorithm::RsaSsaPkcs1V15Sha512,
    CoreJwsSigningAlgorithm::RsaSsaPssSha256,
    CoreJwsSigningAlgorithm::RsaSsaPssSha384,
    CoreJwsSigningAlgorithm::RsaSsaPssSha512,
    CoreJwsSigningAlgorithm::EcdsaP256Sha256,
    CoreJwsSigningAlgorithm::EcdsaP384Sha384,
    CoreJwsSigningAlgorithm::EdDsa,
];

/// The claims of an ID token that the standard does not name, such as groups.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct OtherClaims {
    #[serde(flatten)]
    pub all: Map<String, Value>,
}

impl AdditionalClaims for OtherClaims {}

type Tokens = StandardTokenResponse<
    IdTokenFields<
        OtherClaims,
        EmptyExtraTokenFields,
        CoreGenderClaim,
        CoreJweContentEncryptionAlgorithm,
        CoreJwsSigningAlgorithm,
    >,
    CoreTokenType,
>;

type ProviderClient = Client<
    OtherClaims,
    CoreAuthDisplay,
    CoreGenderClaim,
    CoreJweContentEncryptionAlgorithm,
    CoreJsonWebKey,
    CoreAuthPrompt,
    StandardErrorResponse<CoreErrorResponseType>,
    Tokens,
    CoreTokenIntrospectionResponse,
    CoreRevocableToken,
    CoreRevocationErrorResponse,
    EndpointSet,
    EndpointNotSet,
    EndpointNotSet,
    EndpointNotSet,
    EndpointMaybeSet,
    EndpointMaybeSet,
>;

/// How this server is known at the provider.
#[derive(Debug, Clone)]
pub struct Registered {
    pub issuer: IssuerUrl,
    pub client: ClientId,
    pub secret: Option<ClientSecret>,
    /// The page of this server that the provider sends people back to.
    pub redirect: RedirectUrl,
    /// Beside `openid`.
    pub scopes: Vec<Scope>,
}

/// Who somebody is at the provider.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Person {
    pub issuer: String,
    /// Stays the same for the same person, and is never given to another one.
    pub subject: String,
    /// Only an address that the provider says it has verified.
    pub email: Option<String>,
    /// What a user name can be made of, the best first.
    pub names: Vec<String>,
    /// Values of the claim that holds roles; empty where none does.
    pub roles: Vec<String>,
}

/// Why a person could not be identified; for the log, without tokens.
#[derive(Debug)]
pub enum Refused {
    /// The provider could not be asked.
    Away(String),
    /// It does not know the code, or the code is somebody else's.
    Code(String),
    /// Its keys, as far as they are known here, did not sign the ID token.
    Signature(String),
    /// The ID token says something else than it should.
    Token(String),
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Refused::Away(why) => write!(f, "the provider does not answer: {why}"),
            Refused::Code(why) => write!(f, "the provider refused the code: {why}"),
            Refused::Signature(why) => write!(f, "the signature of the ID token is not the provider's: {why}"),
            Refused::Token(why) => write!(f, "the ID token is refused: {why}"),
        }
    }
}

/// The provider with its endpoints and keys, as its discovery document names them.
#[derive(Debug)]
pub struct Provider {
    client: ProviderClient,
}

/// What the provider gave for a code.
#[derive(Debug)]
pub struct Exchanged(Tokens);

impl Provider {
    /// Asks for the discovery document and the keys.
    pub async fn discover(http: &Http, registered: &Registered) -> Result<Provider, String> {
        let metadata = CoreProviderMetadata::discover_async(registered.issuer.clone(), http)
            .await
            .map_err(|error| chain(&error))?;
        let page = metadata.authorization_endpoint().url();
        // Browsers are sent there: not to a script, nor to a file.
        if !matches!(page.scheme(), "https" | "http") {
            return Err(format!("its page for logging in is no web address but {}:…", page.scheme()));
        }
        let methods = metadata.token_endpoint_auth_methods_supported();
        let offers = |method| methods.is_some_and(|methods| methods.contains(&method));
        // Without a list it is the header, as the standard says.
        let in_body =
            offers(CoreClientAuthMethod::ClientSecretPost) && !offers(CoreClientAuthMethod::ClientSecretBasic);
        let client =
            ProviderClient::from_provider_metadata(metadata, registered.client.clone(), registered.secret.clone())
                .set_redirect_uri(registered.redirect.clone())
                .set_auth_type(if in_body { AuthType::RequestBody } else { AuthType::BasicAuth });
        Ok(Provider { client })
    }

    /// The page of the provider that somebody logs in on.
    pub fn page(&self, state: String, nonce: Nonce, challenge: PkceCodeChallenge, scopes: &[Scope]) -> String {
        let (url, _, _) = self
            .client
            .authorize_url(CoreAuthenticationFlow::AuthorizationCode, || CsrfToken::new(state), || nonce)
            .add_scopes(scopes.iter().cloned())
            .set_pkce_challenge(challenge)
            .url();
        url.into()
    }

    /// Exchanges the code that the browser brought.
    pub async fn exchange(&self, http: &Http, code: String, verifier: PkceCodeVerifier) -> Result<Exchanged, Refused> {
        use openidconnect::RequestTokenError::{Other, Parse, Request, ServerResponse};
        let request = self.client.exchange_code(AuthorizationCode::new(code));
        let request = request.map_err(|error| Refused::Away(error.to_string()))?;
        let tokens = request.set_pkce_verifier(verifier).request_async(http).await;
        tokens.map(Exchanged).map_err(|error| match error {
            ServerResponse(answer) => Refused::Code(answer.error().to_string()),
            Request(error) => Refused::Away(chain(&error)),
            // What could not be read may hold tokens, so the log says only that.
            Parse(..) => Refused::Token("the answer to the code can't be read".to_string()),
            Other(why) => Refused::Token(why),
        })
    }

    /// Who the ID token names, once its signature, issuer, audience, times and nonce are checked.
    pub fn identify(&self, given: &Exchanged, nonce: &Nonce, role_claim: Option<&str>) -> Result<Person, Refused> {
        let token = given.0.id_token().ok_or_else(|| Refused::Token("there is none".to_string()))?;
        let verifier: IdTokenVerifier<'_, CoreJsonWebKey> = self.client.id_token_verifier();
        let verifier = verifier.set_allowed_algs(SIGNATURES);
        let claims = token.claims(&verifier, nonce).map_err(|error| match error {
            ClaimsVerificationError::SignatureVerification(_) => Refused::Signature(chain(&error)),
            other => Refused::Token(chain(&other)),
        })?;
        if let Some(expected) = claims.access_token_hash() {
            let key = token.signing_key(&verifier).map_err(|error| Refused::Signature(chain(&error)))?;
            let algorithm = token.signing_alg().map_err(|error| Refused::Signature(chain(&error)))?;
            let actual = AccessTokenHash::from_token(given.0.access_token(), algorithm, key)
                .map_err(|error| Refused::Token(chain(&error)))?;
            if actual != *expected {
                return Err(Refused::Token("it belongs to another access token".to_string()));
            }
        }
        let email = claims.email().map(|email| email.as_str().to_string());
        let names = [
            claims.preferred_username().map(|name| name.as_str().to_string()),
            email.as_ref().and_then(|email| email.split('@').next().map(str::to_string)),
            claims.name().and_then(|name| name.get(None)).map(|name| name.as_str().to_string()),
        ];
        Ok(Person {
            issuer: claims.issuer().as_str().to_string(),
            subject: claims.subject().as_str().to_string(),
            email: email.filter(|_| claims.email_verified() == Some(true)),
            names: names.into_iter().flatten().collect(),
            roles: role_claim.map(|name| values(&claims.additional_claims().all, name)).unwrap_or_default(),
        })
    }
}

/// The texts of a claim: one, or a list of them. `a.b` is the claim of that name or, without one, `b` inside of `a`.
fn values(claims: &Map<String, Value>, name: &str) -> Vec<String> {
    let inside = || {
        let mut parts = name.split('.');
        let first = claims.get(parts.next()?)?;
        parts.try_fold(first, |value, part| value.get(part))
    };
    match claims.get(name).or_else(inside) {
        Some(Value::String(text)) => vec![text.clone()],
        Some(Value::Array(all)) => all.iter().filter_map(|value| value.as_str().map(str::to_string)).collect(),
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn roles_are_a_text_or_a_list_and_may_lie_inside_of_a_claim() {
        let claims = json!({
            "group": "staff",
            "groups": ["staff", 7, "admins"],
            "realm_access": {"roles": ["operator"]},
            "https://example.org/roles": ["named like an address"],
        });
        let claims = claims.as_object().unwrap();
        assert_eq!(values(claims, "group"), ["staff"]);
        assert_eq!(values(claims, "groups"), ["staff", "admins"]);
        assert_eq!(values(claims, "realm_access.roles"), ["operator"]);
        assert_eq!(values(claims, "https://example.org/roles"), ["named like an address"]);
        for none in ["roles", "realm_access", "group.roles", "realm_access.roles.more", ""] {
            assert!(values(claims, none).is_empty(), "{none}");
        }
    }
}
