//! Sends calls to a node: batched, paced and retried.

use std::sync::PoisonError;
use std::time::Duration;

use quarry_types::Result;
use rand::Rng;
use tokio::time::Instant;

use super::byte_budget::ByteBudget;
use super::failure::{Failure, Remedy};
use super::response::Answer;
use super::{Call, Node, call};
use crate::threads;

/// Attempts if a failure may be temporary.
const ATTEMPTS: u32 = 5;
/// Attempts if a node lacks data or returns inconsistent data; other nodes are asked sooner.
pub(super) const DATA_ATTEMPTS: u32 = 3;
const FIRST_PAUSE: Duration = Duration::from_millis(100);
const LONGEST_PAUSE: Duration = Duration::from_secs(10);

impl Node {
    /// The results of these calls in order, in as many requests as needed, with retries.
    pub(crate) async fn answers(&self, calls: &[Call]) -> Result<Vec<Answer>> {
        self.try_answers(calls, None).await.map_err(|(calls, failure)| self.error(calls, &failure))
    }

    /// Like `answers`, with a limit for the bytes of all responses. A failure has the calls of its request.
    pub(super) async fn try_answers<'a>(
        &self,
        calls: &'a [Call],
        budget: Option<&ByteBudget>,
    ) -> Result<Vec<Answer>, (&'a [Call], Failure)> {
        let mut answers = Vec::with_capacity(calls.len());
        let mut rest = calls;
        while !rest.is_empty() {
            let (now, later) = rest.split_at(rest.len().min(self.limiter.calls()));
            match self.persist(now, budget).await {
                Ok(more) => {
                    answers.extend(more);
                    rest = later;
                }
                // The node accepted fewer calls; the batch was split meanwhile.
                Err(failure) if failure.remedy == Remedy::AskLess && now.len() > 1 => {}
                Err(failure) => return Err((now, failure)),
            }
        }
        Ok(answers)
    }

    /// Sends one request with retries. After `AskLess` the batch size is smaller.
    async fn persist(&self, calls: &[Call], budget: Option<&ByteBudget>) -> Result<Vec<Answer>, Failure> {
        let started = Instant::now();
        for attempt in 1.. {
            let failure = match self.attempt(calls, budget).await {
                Ok(answers) => return Ok(answers),
                Err(failure) => failure,
            };
            let asked = match failure.remedy {
                Remedy::AskLess if calls.len() > 1 => return Err(failure),
                // Ask other nodes, if there are any, rather than retrying smaller requests.
                Remedy::Slow if calls.len() > 1 && started.elapsed() < self.config.patience => {
                    return Err(Failure { remedy: Remedy::AskLess, ..failure });
                }
                Remedy::Wait(asked) if self.has_time_for(asked, started) => asked,
                Remedy::Unreachable | Remedy::Slow if self.reached && started.elapsed() < self.config.patience => None,
                Remedy::TryAgain if attempt < ATTEMPTS => None,
                Remedy::NotThere if attempt < DATA_ATTEMPTS => None,
                _ => return Err(failure),
            };
            tracing::debug!(
                node = self.name,
                attempt,
                reason = failure.what,
                "request to the node failed, trying again"
            );
            let pause = pause(attempt).max(asked.unwrap_or_default());
            if asked.is_some() {
                self.keep_quiet(pause);
            }
            tokio::time::sleep(pause).await;
        }
        Err(Failure::new(Remedy::Nothing, "was asked too often"))
    }

    /// Whether a pause that the node asks for ends before the deadline.
    fn has_time_for(&self, asked: Option<Duration>, started: Instant) -> bool {
        started.elapsed().saturating_add(asked.unwrap_or_default()) < self.config.patience
    }

    /// Sends one request once, when there is a slot, and adapts the limits.
    async fn attempt(&self, calls: &[Call], budget: Option<&ByteBudget>) -> Result<Vec<Answer>, Failure> {
        self.quiet().await;
        let slot = self.limiter.slot().await;
        let asked_at = Instant::now();
        let own = ByteBudget::default();
        let room = budget.unwrap_or(&own);
        let answers = match self.transport.send(call::request(calls), room).await {
            Ok(body) => {
                let bytes = body.len();
                let answers = self.read(calls, body).await;
                if answers.is_ok() {
                    slot.answered(bytes, calls.len(), asked_at.elapsed());
                }
                answers.and_then(|answers| room.take(bytes).map(|()| answers))
            }
            // A response that is too large by itself is smaller with fewer calls.
            Err(Failure { remedy: Remedy::TooLarge, what }) if budget.is_none() => {
                Err(Failure::new(Remedy::AskLess, what))
            }
            Err(failure) => Err(failure),
        };
        match &answers {
            Err(Failure { remedy: Remedy::Wait(_), .. }) => slot.overloaded(),
            Err(Failure { remedy: Remedy::AskLess | Remedy::TooLarge, .. }) => slot.too_many_calls(calls.len()),
            Err(Failure { remedy: Remedy::Slow, .. }) => {
                slot.overloaded();
                slot.too_many_calls(calls.len());
            }
            _ => {}
        }
        answers
    }

    async fn read(&self, calls: &[Call], body: Vec<u8>) -> Result<Vec<Answer>, Failure> {
        let allowed: Vec<call::Allowed> = calls.iter().map(Call::allowed).collect();
        let parse = move || call::answers(body, &allowed);
        match threads::run(parse).await {
            Ok(answers) => answers,
            Err(_) => Err(Failure::new(Remedy::Nothing, "gave answers that could not be read")),
        }
    }

    fn keep_quiet(&self, pause: Duration) {
        let until = Instant::now() + pause;
        let mut quiet_until = self.quiet_until.lock().unwrap_or_else(PoisonError::into_inner);
        if quiet_until.is_none_or(|already| already < until) {
            *quiet_until = Some(until);
        }
    }

    async fn quiet(&self) {
        let until = *self.quiet_until.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(until) = until {
            tokio::time::sleep_until(until).await;
        }
    }
}

/// Exponential backoff with an upper bound and jitter.
pub(super) fn pause(attempt: u32) -> Duration {
    let full = FIRST_PAUSE.saturating_mul(1 << attempt.min(16)).min(LONGEST_PAUSE);
    full.mul_f64(rand::rng().random_range(0.5..1.0))
}
