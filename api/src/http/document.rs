//! The OpenAPI document's frame: what it is about, and how one signs in.

use utoipa::openapi::security::{ApiKey, ApiKeyValue, HttpAuthScheme, HttpBuilder, SecurityScheme};
use utoipa::{Modify, OpenApi};

use crate::ws::message::{ClientMessage, ServerMessage};

/// Name and version of the document, and the schemas that no call names: the websocket's messages.
#[derive(Debug, OpenApi)]
#[openapi(
    info(
        title = "Quarry",
        description = "Ethereum analytics: queries, jobs and results. Every JSON answer is in an envelope: \
            `{\"status\":\"success\",\"msg\":\"\",\"data\":…}`, or on a failure `\"status\":\"fail\"` with a stable `code`."
    ),
    components(schemas(ClientMessage, ServerMessage)),
    modifiers(&Bearer)
)]
pub struct Document;

struct Bearer;

impl Modify for Bearer {
    fn modify(&self, document: &mut utoipa::openapi::OpenApi) {
        let scheme = HttpBuilder::new()
            .scheme(HttpAuthScheme::Bearer)
            .bearer_format("JWT")
            .description(Some("The token of `POST /api/user/login`."))
            .build();
        let components = document.components.get_or_insert_default();
        components.add_security_scheme("bearer", SecurityScheme::Http(scheme));
        let header = ApiKeyValue::with_description("X-Api-Key", "A key of `POST /api/user/api-key/create`.");
        components.add_security_scheme("apiKey", SecurityScheme::ApiKey(ApiKey::Header(header)));
        let parameter = ApiKeyValue::with_description("api_key", "The same key in the address.");
        components.add_security_scheme("apiKeyParameter", SecurityScheme::ApiKey(ApiKey::Query(parameter)));
    }
}
