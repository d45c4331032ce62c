//! Refuses calls before anything reads them: without the secret, or of a method that the process does not have.

use std::task::{Context, Poll};

use futures::future::{Either, Ready, ready};
use http::{Request, Response};
use tonic::Status;
use tonic::body::Body;
use tower::{Layer, Service};

use super::access::Access;

/// The method that sends a stage. The coordinator refuses it: its own stages don't go through the network.
const SET_STAGE_METHOD: &str = "/CoordinatorChannel";

/// Guards the calls of a server.
#[derive(Debug, Clone)]
pub(super) struct Guard {
    pub access: Access,
    /// Whether the process accepts stages.
    pub takes_stages: bool,
}

impl<S> Layer<S> for Guard {
    type Service = Guarded<S>;

    fn layer(&self, inner: S) -> Guarded<S> {
        Guarded { guard: self.clone(), inner }
    }
}

/// A service behind a guard.
#[derive(Debug, Clone)]
pub(super) struct Guarded<S> {
    guard: Guard,
    inner: S,
}

impl<S, B> Service<Request<B>> for Guarded<S>
where
    S: Service<Request<B>, Response = Response<Body>>,
{
    type Response = Response<Body>;
    type Error = S::Error;
    type Future = Either<S::Future, Ready<Result<Response<Body>, S::Error>>>;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), S::Error>> {
        self.inner.poll_ready(context)
    }

    fn call(&mut self, request: Request<B>) -> Self::Future {
        let refusal = if !self.guard.access.allows(request.headers()) {
            Some(Status::unauthenticated("The secret of the cluster is wrong or missing."))
        } else if !self.guard.takes_stages && request.uri().path().ends_with(SET_STAGE_METHOD) {
            Some(Status::permission_denied("This process takes no stages."))
        } else {
            None
        };
        match refusal {
            Some(status) => Either::Right(ready(Ok(status.into_http()))),
            None => Either::Left(self.inner.call(request)),
        }
    }
}
