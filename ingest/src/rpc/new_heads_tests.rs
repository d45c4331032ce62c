use super::*;
use crate::rpc::mock_node::{Chain, MockNode};
use crate::rpc::{NodeConfig, Nodes};

async fn connect(urls: &[String]) -> Nodes {
    let configs = urls.iter().map(|url| NodeConfig::new(url).expect("an address")).collect();
    Nodes::connect(configs).await.expect("connects")
}

fn asked(mock: &MockNode) -> usize {
    mock.requests().iter().filter(|request| request.has("eth_subscribe")).count()
}

impl Announcements<'_> {
    /// Waits until a node announces a block.
    async fn subscribed(&mut self) -> usize {
        let deadline = Instant::now() + Duration::from_secs(30);
        loop {
            assert!(Instant::now() < deadline, "nobody announces");
            self.next(false).await;
            if let Some(announcer) = &self.announcer {
                return announcer.member.place;
            }
        }
    }

    /// Moves the times of all attempts into the past.
    fn age(&mut self, passed: Duration) {
        self.tries.iter_mut().for_each(|next| next.at = next.at.and_then(|at| at.checked_sub(passed)));
    }
}

#[tokio::test]
async fn subscription_moves_to_another_node() {
    let (plain, one) = (MockNode::honest(Chain::new(5, 4, 0)).await, MockNode::honest(Chain::new(5, 4, 0)).await);
    let other = MockNode::honest(Chain::new(5, 4, 0)).await;
    let nodes = connect(&[plain.http(), one.ws(), other.ws()]).await;
    let mut announcements = nodes.announcements();
    assert_eq!(announcements.subscribed().await, 1, "the first can't announce");
    assert_eq!((asked(&one), asked(&other)), (1, 0));
    one.stop().await;
    announcements.next(false).await;
    assert_eq!(announcements.subscribed().await, 2);
    for blocks in 5..8 {
        other.subscribed().await;
        other.switch(Chain::new(5, blocks, 0));
        announcements.next(true).await;
        assert!(announcements.announcer.as_ref().is_some_and(|announcer| announcer.announced));
    }
    assert_eq!((asked(&plain), asked(&other)), (0, 1), "one subscription for all");
}

#[tokio::test]
async fn node_that_misses_a_block_loses_its_subscription() {
    let (one, other) = (MockNode::honest(Chain::new(5, 4, 0)).await, MockNode::honest(Chain::new(5, 4, 0)).await);
    let nodes = connect(&[one.ws(), other.ws()]).await;
    let mut announcements = nodes.announcements();
    for (silent, moved, place) in [(false, true, 0), (true, false, 0), (true, true, 1), (false, true, 1)] {
        announcements.silent = silent;
        announcements.judge(moved);
        assert_eq!(announcements.subscribed().await, place, "silent: {silent}, moved: {moved}");
        let mock = if place == 0 { &one } else { &other };
        mock.subscribed().await;
        mock.switch(Chain::new(5, 4, 0));
    }
    // The only other node is tried after a delay that grows while it does not announce anything.
    announcements.silent = true;
    announcements.judge(true);
    assert!(announcements.candidate().is_none());
    announcements.age(RESUBSCRIBE);
    assert_eq!(announcements.subscribed().await, 0);
    announcements.silent = true;
    announcements.judge(true);
    announcements.age(RESUBSCRIBE);
    assert_eq!(announcements.candidate().map(|member| member.place), Some(1));
    assert_eq!(announcements.tries[0].pause, RESUBSCRIBE * 4);
}

#[tokio::test]
async fn lagging_node_loses_its_subscription() {
    let (one, other) = (MockNode::honest(Chain::new(5, 4, 0)).await, MockNode::honest(Chain::new(5, 4, 0)).await);
    let nodes = connect(&[one.ws(), other.ws()]).await;
    let mut announcements = nodes.announcements();
    assert_eq!(announcements.subscribed().await, 0);
    other.switch(Chain::new(5, 5, 0));
    for looks in 1..BEHIND {
        nodes.head().await.expect("a head");
        announcements.judge(true);
        assert!(announcements.announcer.is_some(), "{looks}: for a moment each is behind");
    }
    one.switch(Chain::new(5, 5, 0));
    nodes.head().await.expect("a head");
    announcements.judge(true);
    other.switch(Chain::new(5, 6, 0));
    nodes.head().await.expect("a head");
    for _ in 0..BEHIND {
        announcements.judge(true);
    }
    announcements.age(RESUBSCRIBE);
    assert_eq!(announcements.subscribed().await, 1, "the first is still behind");
    assert_eq!((asked(&one), asked(&other)), (1, 1));
}

#[tokio::test]
async fn unanswered_subscription_does_not_block() {
    let mock = MockNode::start(Chain::new(5, 4, 0), |request| match request.has("eth_subscribe") {
        true => crate::rpc::mock_node::Reply::Silence,
        false => crate::rpc::mock_node::Reply::Honest,
    })
    .await;
    let nodes = connect(&[mock.ws()]).await;
    let mut announcements = nodes.announcements();
    let started = Instant::now();
    announcements.next(false).await;
    assert!(started.elapsed() < ANNOUNCEMENT_TIMEOUT / 2 && announcements.asked.is_some());
}
