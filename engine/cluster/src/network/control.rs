//! The service beside the one for stages. It has one method, which answers the questions of [`super::messages`].

use std::convert::Infallible;
use std::task::{Context, Poll};

use futures::FutureExt;
use futures::future::BoxFuture;
use quarry_sql::running::progress::ScanCounts;
use tokio_util::sync::CancellationToken;
use tonic::body::Body;
use tonic::server::{NamedService, UnaryService};
use tonic::{Request, Response, Status};
use tonic_prost::ProstCodec;
use tower::Service;
use url::Url;

use super::members::Members;
use super::messages::{Answer, Ask, ProcessStatus, Question};
use crate::run_id::RunId;
use crate::worker::Runs;

/// Answers for a process.
#[derive(Clone)]
pub(super) struct Control {
    pub build: String,
    pub instance: String,
    pub runs: Runs,
    pub role: Role,
}

/// The role of a process in the cluster.
#[derive(Clone)]
pub(super) enum Role {
    /// Runs stages until it is drained.
    Worker { drain: CancellationToken },
    /// Plans queries and shares them out over its members.
    Coordinator { members: Members },
}

impl Control {
    fn answer(&self, question: Question) -> Result<Answer, Status> {
        match question.ask {
            Some(Ask::Status(_)) => Ok(Answer { status: Some(self.status()), ..Answer::default() }),
            Some(Ask::Counts(run)) => {
                let ScanCounts { rows, bytes, .. } = self.runs.counts(&RunId(run));
                Ok(Answer { rows_read: rows, bytes_read: bytes, ..Answer::default() })
            }
            Some(Ask::End(run)) => {
                self.runs.end(&RunId(run));
                Ok(Answer::default())
            }
            Some(Ask::Register(url)) => {
                let Role::Coordinator { members } = &self.role else {
                    return Err(Status::failed_precondition("Workers register at `quarry serve`."));
                };
                let url = Url::parse(&url).map_err(|_| Status::invalid_argument("The address is not a URL."))?;
                members.register(url);
                Ok(Answer { status: Some(self.status()), ..Answer::default() })
            }
            Some(Ask::Drain(_)) => {
                let Role::Worker { drain } = &self.role else {
                    return Err(Status::failed_precondition("Only workers drain."));
                };
                drain.cancel();
                Ok(Answer { status: Some(self.status()), ..Answer::default() })
            }
            None => Err(Status::unimplemented("A question of another build.")),
        }
    }

    fn status(&self) -> ProcessStatus {
        let (memory, memory_limit) = self.runs.memory();
        ProcessStatus {
            build: self.build.clone(),
            instance: self.instance.clone(),
            draining: matches!(&self.role, Role::Worker { drain } if drain.is_cancelled()),
            runs: self.runs.count() as u64,
            memory: memory as u64,
            memory_limit: memory_limit as u64,
        }
    }
}

impl NamedService for Control {
    const NAME: &'static str = "quarry.cluster.Control";
}

impl UnaryService<Question> for Control {
    type Response = Answer;
    type Future = BoxFuture<'static, Result<Response<Answer>, Status>>;

    fn call(&mut self, request: Request<Question>) -> Self::Future {
        std::future::ready(self.answer(request.into_inner()).map(Response::new)).boxed()
    }
}

impl Service<http::Request<Body>> for Control {
    type Response = http::Response<Body>;
    type Error = Infallible;
    type Future = BoxFuture<'static, Result<http::Response<Body>, Infallible>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: http::Request<Body>) -> Self::Future {
        let control = self.clone();
        async move { Ok(tonic::server::Grpc::new(ProstCodec::default()).unary(control, request).await) }.boxed()
    }
}
