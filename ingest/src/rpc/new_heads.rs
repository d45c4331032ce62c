//! Waits for new blocks: until a node announces a head, else polls every half second.

use std::time::Duration;

use futures::FutureExt;
use futures::future::BoxFuture;
use tokio::time::Instant;

use super::failure::{Failure, Remedy};
use super::node_pool::{Member, NodePool};
use super::transport::Messages;
use super::{Call, call};

/// Polling interval without a subscription.
const POLL: Duration = Duration::from_millis(500);
/// Minimum delay after an announcement without a new block, as a node may announce endlessly.
const MIN_DELAY: Duration = Duration::from_millis(100);
/// Poll after this time without an announcement. If there is a new block, the subscription is dead.
const ANNOUNCEMENT_TIMEOUT: Duration = Duration::from_secs(15);
/// How many times in a row the announcing node must be behind the others before another one is used.
const BEHIND: u32 = 3;
/// Delay before a node is asked to subscribe again; doubled after each failure.
const RESUBSCRIBE: Duration = Duration::from_secs(30);
const LONGEST_RESUBSCRIBE: Duration = Duration::from_secs(600);

/// Subscriptions to new heads, one node at a time.
pub(crate) struct Announcements<'a> {
    pool: &'a NodePool,
    announcer: Option<Announcer<'a>>,
    /// The subscribed node and its subscription.
    asked: Option<(&'a Member, BoxFuture<'a, Subscribed>)>,
    /// Whether the last wait timed out.
    silent: bool,
    /// By index of a node.
    tries: Vec<Try>,
}

/// The messages of a subscription; none over HTTP.
type Subscribed = Result<Option<Messages>, Failure>;

struct Announcer<'a> {
    member: &'a Member,
    messages: Messages,
    /// Whether it ever announced a block.
    announced: bool,
    /// How many times in a row it was behind the others.
    behind: u32,
}

/// When a node may be asked to subscribe.
struct Try {
    /// Never, as it does not support subscriptions.
    at: Option<Instant>,
    /// Delay before the next attempt.
    pause: Duration,
}

impl<'a> Announcements<'a> {
    /// Announcements of these nodes; none is subscribed yet.
    pub(super) fn of(pool: &'a NodePool) -> Announcements<'a> {
        let now = Instant::now();
        let tries = (0..pool.named()).map(|_| Try { at: Some(now), pause: RESUBSCRIBE }).collect();
        Announcements { pool, announcer: None, asked: None, silent: false, tries }
    }

    /// Waits until there may be a new block. `moved`: whether there was one after the last wait.
    pub(crate) async fn next(&mut self, moved: bool) {
        self.judge(moved);
        if self.announcer.is_none() && self.asked.is_none() {
            self.asked = self.candidate().map(|member| (member, subscribe(member).boxed()));
        }
        if let Some(announcer) = &mut self.announcer {
            if !moved {
                tokio::time::sleep(MIN_DELAY).await;
            }
            match tokio::time::timeout(ANNOUNCEMENT_TIMEOUT, announcer.messages.next()).await {
                Ok(Ok(_)) => announcer.announced = true,
                Ok(Err(failure)) => self.leave(&failure.what),
                Err(_) => self.silent = true,
            }
        } else if let Some((_, subscribed)) = &mut self.asked {
            // A block may have arrived before the subscription, so the caller checks once more.
            if let Ok(subscribed) = tokio::time::timeout(POLL, subscribed).await {
                self.take(subscribed);
            }
        } else {
            tokio::time::sleep(POLL).await;
        }
    }

    /// Drops a subscription that announces nothing, or too late.
    fn judge(&mut self, moved: bool) {
        let silent = std::mem::take(&mut self.silent);
        let newest = self.pool.newest();
        let Some(announcer) = &mut self.announcer else { return };
        announcer.behind = if announcer.member.node.newest() < newest { announcer.behind + 1 } else { 0 };
        if silent && moved {
            self.leave("did not announce a new block");
        } else if announcer.behind >= BEHIND {
            self.leave("is behind the other nodes");
        }
    }

    /// The next node to subscribe to: it may be asked, did not fail recently and is not behind the others. The least
    /// recently asked one if there are several.
    fn candidate(&self) -> Option<&'a Member> {
        let (pool, now) = (self.pool, Instant::now());
        let newest = pool.newest();
        let may = pool.available().filter(|member| member.node.newest() >= newest);
        let due = may.filter_map(|member| Some((self.tries.get(member.place)?.at?, member)));
        due.filter(|(at, _)| *at <= now).min_by_key(|(at, _)| *at).map(|(_, member)| member)
    }

    fn take(&mut self, subscribed: Subscribed) {
        let Some((member, _)) = self.asked.take() else { return };
        match subscribed {
            Ok(Some(messages)) => {
                self.announcer = Some(Announcer { member, messages, announced: false, behind: 0 });
            }
            Ok(None) | Err(Failure { remedy: Remedy::OtherMethod, .. }) => {
                if let Some(next) = self.tries.get_mut(member.place) {
                    next.at = None;
                }
            }
            Err(failure) => self.put_off(member, false, &failure.what),
        }
    }

    fn leave(&mut self, why: &str) {
        if let Some(Announcer { member, announced, .. }) = self.announcer.take() {
            self.put_off(member, announced, why);
        }
    }

    /// Allows another attempt after a delay.
    fn put_off(&mut self, member: &Member, announced: bool, why: &str) {
        let Some(next) = self.tries.get_mut(member.place) else { return };
        if announced {
            next.pause = RESUBSCRIBE;
        }
        tracing::debug!(node = member.node.name(), why, pause = ?next.pause, "no announcements of new blocks");
        next.at = Some(Instant::now() + next.pause);
        next.pause = (next.pause * 2).min(LONGEST_RESUBSCRIBE);
    }
}

/// Subscribes to new heads of a node.
async fn subscribe(member: &Member) -> Subscribed {
    let body = call::request(&[Call::new("eth_subscribe", "\"newHeads\"")]);
    let subscribing = async {
        let Some(mut messages) = member.node.transport.subscribe(body).await? else { return Ok(None) };
        call::answers(messages.next().await?, &[call::Allowed::default()])?;
        Ok(Some(messages))
    };
    let silence = |_| Err(Failure::new(Remedy::Unreachable, "does not answer the subscription"));
    tokio::time::timeout(ANNOUNCEMENT_TIMEOUT, subscribing).await.unwrap_or_else(silence)
}

#[cfg(test)]
#[path = "new_heads_tests.rs"]
mod tests;
