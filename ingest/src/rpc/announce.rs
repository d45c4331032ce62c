//! When to look for new blocks: at once when a node announces one, else every half second.

use std::time::Duration;

use futures::FutureExt;
use futures::future::BoxFuture;
use tokio::time::Instant;

use super::failure::{Failure, Remedy};
use super::members::{Member, Members};
use super::transport::Messages;
use super::{Call, call};

/// Between two looks while no node announces anything.
const POLL: Duration = Duration::from_millis(500);
/// Before the next look after one that found nothing: a node may announce without end.
const LULL: Duration = Duration::from_millis(100);
/// The nodes are looked at all the same after so long a silence. When there was a new block in it, the subscription is
/// dead.
const SILENCE: Duration = Duration::from_secs(15);
/// How often in a row the node that announces must be found behind the others: for a moment each of them is.
const BEHIND: u32 = 3;
/// Before a node is asked again to announce; twice as long each time that it did not.
const RESUBSCRIBE: Duration = Duration::from_secs(30);
const LONGEST_RESUBSCRIBE: Duration = Duration::from_secs(600);

/// Announcements of new heads, by one node at a time.
pub(crate) struct Announcements<'a> {
    members: &'a Members,
    announcer: Option<Announcer<'a>>,
    /// The node that was asked to announce, and its answer.
    asked: Option<(&'a Member, BoxFuture<'a, Subscribed>)>,
    /// Whether the last wait ended without an announcement.
    silent: bool,
    /// By the place of a node.
    tries: Vec<Try>,
}

/// What comes of a subscription; nothing over HTTP.
type Subscribed = Result<Option<Messages>, Failure>;

struct Announcer<'a> {
    member: &'a Member,
    messages: Messages,
    /// Whether it ever announced something.
    announced: bool,
    /// How often in a row it was behind the others.
    behind: u32,
}

/// When a node may be asked to announce.
struct Try {
    /// Never when it can't.
    at: Option<Instant>,
    /// Before the next time.
    pause: Duration,
}

impl<'a> Announcements<'a> {
    /// Of these nodes; none is asked yet.
    pub(super) fn of(members: &'a Members) -> Announcements<'a> {
        let now = Instant::now();
        let tries = (0..members.named()).map(|_| Try { at: Some(now), pause: RESUBSCRIBE }).collect();
        Announcements { members, announcer: None, asked: None, silent: false, tries }
    }

    /// Waits until there may be a new block. `moved`: whether there was one when it was looked at after the last wait.
    pub(crate) async fn next(&mut self, moved: bool) {
        self.judge(moved);
        if self.announcer.is_none() && self.asked.is_none() {
            self.asked = self.candidate().map(|member| (member, subscribe(member).boxed()));
        }
        if let Some(announcer) = &mut self.announcer {
            if !moved {
                tokio::time::sleep(LULL).await;
            }
            match tokio::time::timeout(SILENCE, announcer.messages.next()).await {
                Ok(Ok(_)) => announcer.announced = true,
                Ok(Err(failure)) => self.leave(&failure.what),
                Err(_) => self.silent = true,
            }
        } else if let Some((_, subscribed)) = &mut self.asked {
            // A block may have come before the subscription, so the caller looks once more.
            if let Ok(subscribed) = tokio::time::timeout(POLL, subscribed).await {
                self.take(subscribed);
            }
        } else {
            tokio::time::sleep(POLL).await;
        }
    }

    /// Leaves a node that announces nothing, or too late.
    fn judge(&mut self, moved: bool) {
        let silent = std::mem::take(&mut self.silent);
        let newest = self.members.newest();
        let Some(announcer) = &mut self.announcer else { return };
        announcer.behind = if announcer.member.node.newest() < newest { announcer.behind + 1 } else { 0 };
        if silent && moved {
            self.leave("did not announce a new block");
        } else if announcer.behind >= BEHIND {
            self.leave("is behind the other nodes");
        }
    }

    /// The node to ask next: one that may be asked, did not fail just now and is not behind the others; of several, the
    /// the one whose last request is the oldest.
    fn candidate(&self) -> Option<&'a Member> {
        let (members, now) = (self.members, Instant::now());
        let newest = members.newest();
        let may = members.awake().filter(|member| member.node.newest() >= newest);
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

    /// Asks a node again after a while.
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

/// Asks a node for announcements.
async fn subscribe(member: &Member) -> Subscribed {
    let body = call::request(&[Call::new("eth_subscribe", "\"newHeads\"")]);
    let subscribing = async {
        let Some(mut messages) = member.node.transport.subscribe(body).await? else { return Ok(None) };
        call::answers(messages.next().await?, &[call::Allowed::default()])?;
        Ok(Some(messages))
    };
    let silence = |_| Err(Failure::new(Remedy::Away, "does not answer the wish for announcements"));
    tokio::time::timeout(SILENCE, subscribing).await.unwrap_or_else(silence)
}

#[cfg(test)]
#[path = "announce_tests.rs"]
mod tests;
