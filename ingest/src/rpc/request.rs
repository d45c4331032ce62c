//! Requests to a node: as many calls in each as it wants, tried again as long as that may help.

use std::sync::PoisonError;
use std::time::Duration;

use quarry_types::Result;
use rand::Rng;
use tokio::time::Instant;

use super::allowance::Allowance;
use super::answer::Answer;
use super::failure::{Failure, Remedy};
use super::{Call, Node, call};
use crate::threads;

/// Tries when a failure may have been an accident.
const TRIES: u32 = 5;
/// Tries when a node does not have what it should, or gives what does not fit together: the others are asked sooner.
pub(super) const LOOKS: u32 = 3;
const FIRST_PAUSE: Duration = Duration::from_millis(100);
const LONGEST_PAUSE: Duration = Duration::from_secs(10);

impl Node {
    /// The answers to these calls in their order, in as many requests as the node wants, retried as it needs.
    pub(crate) async fn answers(&self, calls: &[Call]) -> Result<Vec<Answer>> {
        self.try_answers(calls, None).await.map_err(|(calls, failure)| self.error(calls, &failure))
    }

    /// As `answers`, which may be so large together; the failure comes with the calls of the request that failed.
    pub(super) async fn try_answers<'a>(
        &self,
        calls: &'a [Call],
        allowance: Option<&Allowance>,
    ) -> Result<Vec<Answer>, (&'a [Call], Failure)> {
        let mut answers = Vec::with_capacity(calls.len());
        let mut rest = calls;
        while !rest.is_empty() {
            let (now, later) = rest.split_at(rest.len().min(self.pace.calls()));
            match self.persist(now, allowance).await {
                Ok(more) => {
                    answers.extend(more);
                    rest = later;
                }
                // The node took fewer at once; the batch was cut meanwhile.
                Err(failure) if failure.remedy == Remedy::AskLess && now.len() > 1 => {}
                Err(failure) => return Err((now, failure)),
            }
        }
        Ok(answers)
    }

    /// One request, tried as long as that may help. With `AskLess` the batch size is smaller now.
    async fn persist(&self, calls: &[Call], allowance: Option<&Allowance>) -> Result<Vec<Answer>, Failure> {
        let started = Instant::now();
        for attempt in 1.. {
            let failure = match self.attempt(calls, allowance).await {
                Ok(answers) => return Ok(answers),
                Err(failure) => failure,
            };
            let asked = match failure.remedy {
                Remedy::AskLess if calls.len() > 1 => return Err(failure),
                // Where others can be asked, they are, rather than waiting again and again for less.
                Remedy::Slow if calls.len() > 1 && started.elapsed() < self.config.patience => {
                    return Err(Failure { remedy: Remedy::AskLess, ..failure });
                }
                Remedy::Wait(asked) if self.has_time_for(asked, started) => asked,
                Remedy::Away | Remedy::Slow if self.reached && started.elapsed() < self.config.patience => None,
                Remedy::TryAgain if attempt < TRIES => None,
                Remedy::NotThere if attempt < LOOKS => None,
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

    /// Whether a pause that the node asks for, of any length, ends before its time is over.
    fn has_time_for(&self, asked: Option<Duration>, started: Instant) -> bool {
        started.elapsed().saturating_add(asked.unwrap_or_default()) < self.config.patience
    }

    /// One request, one try, when it is its turn; the pace learns from it.
    async fn attempt(&self, calls: &[Call], allowance: Option<&Allowance>) -> Result<Vec<Answer>, Failure> {
        self.quiet().await;
        let turn = self.pace.turn().await;
        let asked_at = Instant::now();
        let own = Allowance::default();
        let room = allowance.unwrap_or(&own);
        let answers = match self.transport.send(call::request(calls), room).await {
            Ok(body) => {
                let bytes = body.len();
                let answers = self.read(calls, body).await;
                if answers.is_ok() {
                    turn.answered(bytes, calls.len(), asked_at.elapsed());
                }
                answers.and_then(|answers| room.take(bytes).map(|()| answers))
            }
            // An answer that is too large by itself is smaller with fewer calls.
            Err(Failure { remedy: Remedy::TooLarge, what }) if allowance.is_none() => {
                Err(Failure::new(Remedy::AskLess, what))
            }
            Err(failure) => Err(failure),
        };
        match &answers {
            Err(Failure { remedy: Remedy::Wait(_), .. }) => turn.overloaded(),
            Err(Failure { remedy: Remedy::AskLess | Remedy::TooLarge, .. }) => turn.too_many_calls(calls.len()),
            Err(Failure { remedy: Remedy::Slow, .. }) => {
                turn.overloaded();
                turn.too_many_calls(calls.len());
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

/// Grows twofold with every attempt, up to a bound; a random half keeps many workers from coming back at once.
pub(super) fn pause(attempt: u32) -> Duration {
    let full = FIRST_PAUSE.saturating_mul(1 << attempt.min(16)).min(LONGEST_PAUSE);
    full.mul_f64(rand::rng().random_range(0.5..1.0))
}
