use super::*;
use crate::rpc::stub::{Chain, Stub};
use crate::rpc::{NodeConfig, Nodes};

async fn connect(urls: &[String]) -> Nodes {
    let configs = urls.iter().map(|url| NodeConfig::new(url).expect("an address")).collect();
    Nodes::connect(configs).await.expect("connects")
}

fn asked(stub: &Stub) -> usize {
    stub.requests().iter().filter(|request| request.has("eth_subscribe")).count()
}

impl Announcements<'_> {
    /// Waits until a node announces.
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

    /// As if so much time had passed since all nodes were asked.
    fn age(&mut self, passed: Duration) {
        self.tries.iter_mut().for_each(|next| next.at = next.at.and_then(|at| at.checked_sub(passed)));
    }
}

#[tokio::test]
async fn another_node_announces_when_the_subscription_of_the_first_ends() {
    let (plain, one) = (Stub::honest(Chain::new(5, 4, 0)).await, Stub::honest(Chain::new(5, 4, 0)).await);
    let other = Stub::honest(Chain::new(5, 4, 0)).await;
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
async fn a_node_that_misses_a_block_announces_no_longer() {
    let (one, other) = (Stub::honest(Chain::new(5, 4, 0)).await, Stub::honest(Chain::new(5, 4, 0)).await);
    let nodes = connect(&[one.ws(), other.ws()]).await;
    let mut announcements = nodes.announcements();
    for (silent, moved, place) in [(false, true, 0), (true, false, 0), (true, true, 1), (false, true, 1)] {
        announcements.silent = silent;
        announcements.judge(moved);
        assert_eq!(announcements.subscribed().await, place, "silent: {silent}, moved: {moved}");
        let stub = if place == 0 { &one } else { &other };
        stub.subscribed().await;
        stub.switch(Chain::new(5, 4, 0));
    }
    // The only other one left is asked after a while, and that while grows as long as it keeps silent.
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
async fn a_node_that_stays_behind_announces_no_longer() {
    let (one, other) = (Stub::honest(Chain::new(5, 4, 0)).await, Stub::honest(Chain::new(5, 4, 0)).await);
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
async fn a_wish_for_announcements_that_is_not_answered_holds_nothing_up() {
    let stub = Stub::start(Chain::new(5, 4, 0), |request| match request.has("eth_subscribe") {
        true => crate::rpc::stub::Reply::Silence,
        false => crate::rpc::stub::Reply::Honest,
    })
    .await;
    let nodes = connect(&[stub.ws()]).await;
    let mut announcements = nodes.announcements();
    let started = Instant::now();
    announcements.next(false).await;
    assert!(started.elapsed() < SILENCE / 2 && announcements.asked.is_some());
}
