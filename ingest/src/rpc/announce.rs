//! When to look for new blocks: at once when the node announces one, else every half second.

use std::time::Duration;

use tokio::time::Instant;

use super::failure::{Failure, Remedy};
use super::transport::Messages;
use super::{Call, Node, call};

/// Between two looks at a node that announces nothing.
const POLL: Duration = Duration::from_millis(500);
/// A node that announces blocks is looked at all the same after so long a silence.
const SILENCE: Duration = Duration::from_secs(15);
/// Between two tries to subscribe again.
const RESUBSCRIBE: Duration = Duration::from_secs(30);

/// Announcements of a node's new heads.
pub(crate) struct Announcements<'a> {
    node: &'a Node,
    messages: Option<Messages>,
    /// When to try to subscribe; `None` when the node can't announce.
    subscribe_at: Option<Instant>,
}

impl Node {
    /// What tells when to look for new blocks.
    pub(crate) fn announcements(&self) -> Announcements<'_> {
        Announcements { node: self, messages: None, subscribe_at: Some(Instant::now()) }
    }
}

impl Announcements<'_> {
    /// Waits until there may be a new block.
    pub(crate) async fn next(&mut self) {
        if self.messages.is_none() && self.subscribe_at.is_some_and(|at| at <= Instant::now()) {
            self.subscribe().await;
            // A block may have come before the subscription.
            return;
        }
        let Some(messages) = &mut self.messages else { return tokio::time::sleep(POLL).await };
        match tokio::time::timeout(SILENCE, messages.next()).await {
            Ok(Ok(_)) | Err(_) => {}
            Ok(Err(failure)) => {
                tracing::debug!(node = self.node.name(), reason = failure.what, "announcements of new blocks ended");
                self.messages = None;
            }
        }
    }

    async fn subscribe(&mut self) {
        self.subscribe_at = Some(Instant::now() + RESUBSCRIBE);
        let body = call::request(&[Call::new("eth_subscribe", "\"newHeads\"")]);
        let subscribed = tokio::time::timeout(SILENCE, async {
            let Some(mut messages) = self.node.transport.subscribe(body).await? else { return Ok(None) };
            call::answers(messages.next().await?, &[call::Allowed::default()])?;
            Ok(Some(messages))
        });
        match subscribed.await {
            Ok(Ok(Some(messages))) => self.messages = Some(messages),
            Ok(Ok(None)) => self.subscribe_at = None,
            Ok(Err(Failure { remedy: Remedy::OtherMethod, .. })) => self.subscribe_at = None,
            Ok(Err(failure)) => {
                tracing::debug!(node = self.node.name(), reason = failure.what, "no announcements of new blocks");
            }
            Err(_) => tracing::debug!(node = self.node.name(), "no answer to the wish for announcements"),
        }
    }
}
