//! When to look for new blocks: at once when the node announces one, else every half second.

use std::time::Duration;

use tokio::time::Instant;

use super::failure::{Failure, Remedy};
use super::transport::Messages;
use super::{Call, Node, call};

/// Between two looks at a node that announces nothing.
const POLL: Duration = Duration::from_millis(500);
/// A node that announces blocks is looked at all the same after so long a silence. When there was a new block in it, the
/// subscription is dead.
const SILENCE: Duration = Duration::from_secs(15);
/// Between two tries to subscribe again.
const RESUBSCRIBE: Duration = Duration::from_secs(30);

/// Announcements of a node's new heads.
pub(crate) struct Announcements<'a> {
    node: &'a Node,
    messages: Option<Messages>,
    /// Whether the last wait ended without an announcement.
    silent: bool,
    /// When to try to subscribe; `None` when the node can't announce.
    subscribe_at: Option<Instant>,
}

impl Node {
    /// What tells when to look for new blocks.
    pub(crate) fn announcements(&self) -> Announcements<'_> {
        Announcements { node: self, messages: None, silent: false, subscribe_at: Some(Instant::now()) }
    }
}

impl Announcements<'_> {
    /// Waits until there may be a new block. `moved`: whether there was one when it was looked at after the last wait.
    pub(crate) async fn next(&mut self, moved: bool) {
        if std::mem::take(&mut self.silent) && moved {
            tracing::debug!(node = self.node.name(), "a new block was not announced");
            self.messages = None;
        }
        if self.messages.is_none() && self.subscribe_at.is_some_and(|at| at <= Instant::now()) {
            self.subscribe().await;
            // A block may have come before the subscription.
            return;
        }
        let Some(messages) = &mut self.messages else { return tokio::time::sleep(POLL).await };
        match tokio::time::timeout(SILENCE, messages.next()).await {
            Ok(Ok(_)) => {}
            Err(_) => self.silent = true,
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rpc::NodeConfig;
    use crate::rpc::stub::{Chain, Stub};

    #[tokio::test]
    async fn a_subscription_that_misses_a_block_is_made_again() {
        let stub = Stub::honest(Chain::new(5, 4, 0)).await;
        let node = Node::connect(NodeConfig::new(&stub.ws()).expect("an address")).await.expect("connects");
        let subscriptions = || stub.requests().iter().filter(|request| request.has("eth_subscribe")).count();
        let mut announcements = node.announcements();
        announcements.next(false).await;
        for (silent, moved, expected) in [(false, true, 1), (true, false, 1), (true, true, 2)] {
            announcements.silent = silent;
            announcements.subscribe_at = Some(Instant::now());
            stub.subscribed().await;
            stub.switch(Chain::new(5, 4, 0));
            announcements.next(moved).await;
            assert_eq!(subscriptions(), expected, "silent: {silent}, moved: {moved}");
        }
    }
}
