//! Text messages over a gateway: a `POST` with `{"phone","text"}`, answered by any 2xx.

use std::time::Duration;

use anyhow::Context;
use reqwest::header::{AUTHORIZATION, CONTENT_TYPE};
use reqwest::redirect::Policy;
use reqwest::{Client, Url};
use serde_json::json;

use super::{Message, NotSent};

const TIMEOUT: Duration = Duration::from_secs(15);

#[derive(Debug)]
pub struct Gateway {
    client: Client,
    url: Url,
    token: Option<String>,
}

impl Gateway {
    pub fn new(url: &str, token: Option<&str>) -> anyhow::Result<Gateway> {
        let url: Url = url.parse().context("the setting sms_url must be an address")?;
        anyhow::ensure!(matches!(url.scheme(), "http" | "https"), "the setting sms_url must be http:// or https://");
        let client = Client::builder().timeout(TIMEOUT).redirect(Policy::none()).build()?;
        Ok(Gateway { client, url, token: token.map(|token| format!("Bearer {token}")) })
    }

    pub async fn send(&self, message: &Message<'_>) -> Result<(), NotSent> {
        let body = json!({"phone": message.target, "text": message.content}).to_string();
        let mut request = self.client.post(self.url.clone()).header(CONTENT_TYPE, "application/json").body(body);
        if let Some(token) = &self.token {
            request = request.header(AUTHORIZATION, token);
        }
        // The address of the gateway may hold a key, so errors are told without it.
        let answer = request.send().await.map_err(|error| NotSent(error.without_url().to_string()))?;
        if answer.status().is_success() {
            Ok(())
        } else {
            Err(NotSent(format!("the gateway answered {}", answer.status())))
        }
    }
}
