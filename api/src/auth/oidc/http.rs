//! Requests to the provider over the HTTP client that the whole server uses, in place of the crate's own one.

use std::fmt;
use std::time::Duration;

use futures::future::BoxFuture;
use openidconnect::{AsyncHttpClient, HttpRequest, HttpResponse};
use reqwest::redirect::Policy;
use reqwest::{Client, Request, StatusCode};

/// Longest time that one answer may take.
const TIMEOUT: Duration = Duration::from_secs(10);
/// Largest answer: a list of keys, or tokens with many groups.
const LARGEST: usize = 1 << 20;

/// The HTTP client. It follows no redirects: the provider names its addresses itself.
#[derive(Debug, Clone)]
pub struct Http(Client);

/// Why a request failed; without its address, which is in the log already.
#[derive(Debug)]
pub enum NoAnswer {
    Failed(reqwest::Error),
    /// The provider, or a proxy before it, can't answer now.
    Unable(StatusCode),
    TooLarge,
}

impl fmt::Display for NoAnswer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NoAnswer::Failed(error) => error.fmt(f),
            NoAnswer::Unable(status) => write!(f, "the answer is {status}"),
            NoAnswer::TooLarge => write!(f, "the answer is larger than {LARGEST} bytes"),
        }
    }
}

impl std::error::Error for NoAnswer {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            NoAnswer::Failed(error) => error.source(),
            NoAnswer::Unable(_) | NoAnswer::TooLarge => None,
        }
    }
}

impl From<reqwest::Error> for NoAnswer {
    fn from(error: reqwest::Error) -> NoAnswer {
        NoAnswer::Failed(error.without_url())
    }
}

impl Http {
    pub fn new() -> reqwest::Result<Http> {
        Ok(Http(Client::builder().timeout(TIMEOUT).redirect(Policy::none()).build()?))
    }

    async fn ask(&self, request: HttpRequest) -> Result<HttpResponse, NoAnswer> {
        let mut answer = self.0.execute(Request::try_from(request)?).await?;
        if answer.status().is_server_error() {
            return Err(NoAnswer::Unable(answer.status()));
        }
        let mut body = Vec::new();
        while let Some(piece) = answer.chunk().await? {
            if body.len() + piece.len() > LARGEST {
                return Err(NoAnswer::TooLarge);
            }
            body.extend_from_slice(&piece);
        }
        let mut response = HttpResponse::new(body);
        *response.status_mut() = answer.status();
        *response.headers_mut() = std::mem::take(answer.headers_mut());
        Ok(response)
    }
}

impl<'c> AsyncHttpClient<'c> for Http {
    type Error = NoAnswer;
    type Future = BoxFuture<'c, Result<HttpResponse, NoAnswer>>;

    fn call(&'c self, request: HttpRequest) -> Self::Future {
        Box::pin(self.ask(request))
    }
}
