use quarry_types::Result;

use super::byte_budget::ByteBudget;
use super::mock_node::{Chain, MockNode, Reply};
use super::*;

/// More than any response of the test chain without padding.
const MOST: usize = 1 << 20;
const PADDED: u64 = 2;

fn pad(method: &str, result: &mut serde_json::Value) {
    if method == "eth_getBlockByNumber" && result["number"] == format!("{PADDED:#x}") {
        result["padding"] = "x".repeat(8 * MOST).into();
    }
}

async fn padded() -> MockNode {
    MockNode::start(Chain::new(5, 8, 0), |_| Reply::changed(pad)).await
}

async fn fetch(node: &Node, range: std::ops::RangeInclusive<u64>, most: usize) -> Result<(usize, usize), FetchError> {
    let brought = node.fetch_blocks(range, Some(most)).await?;
    Ok((brought.blocks.len(), brought.bytes))
}

#[test]
fn budget_covers_all_responses() {
    let budget = ByteBudget::of(10);
    assert!(budget.take(6).is_ok() && budget.take(4).is_ok());
    assert_eq!((budget.left(), budget.taken(), budget.most()), (0, 10, 10));
    assert_eq!(budget.take(1).expect_err("nothing is left").what, "returned more than 10 bytes at once");
    assert_eq!(ByteBudget::of(usize::MAX).left(), MAX_ANSWER_BYTES);
    assert!(budget.check_read(20).is_ok() && budget.check_read(21).is_err());
}

#[tokio::test]
async fn oversized_responses_are_cut_off_on_all_transports() {
    let mock = padded().await;
    for url in [mock.http(), mock.ws()] {
        let node = Node::connect(NodeConfig::new(&url).expect("an address")).await.expect("connects");
        let Err(FetchError::TooLarge(error)) = fetch(&node, 0..=3, MOST).await else { panic!("8 MiB are over 1") };
        assert!(
            error.message.contains("returned more than 1 MiB at once (calls eth_getBlockByNumber(\"0x0\""),
            "{error}"
        );
        let (blocks, taken) = fetch(&node, 3..=7, MOST).await.expect("these are small");
        assert!(blocks == 5 && (1000..MOST).contains(&taken), "{taken}");
        let (blocks, taken) = fetch(&node, 0..=3, 16 * MOST).await.expect("there is room");
        assert!(blocks == 4 && taken > 8 * MOST, "{taken}");
        assert_eq!(node.blocks(0..=3).await.expect("as large as any may be").len(), 4);
    }
}

#[tokio::test]
async fn small_responses_add_up() {
    let mock = MockNode::honest(Chain::new(5, 8, 0)).await;
    for url in [mock.http(), mock.ws()] {
        let config = NodeConfig { batch: 2, ..NodeConfig::new(&url).expect("an address") };
        let node = Node::connect(config).await.expect("connects");
        let (_, of_one) = fetch(&node, 1..=1, MOST).await.expect("a block");
        assert!(fetch(&node, 2..=3, of_one * 5 / 2).await.is_ok());
        let outcome = fetch(&node, 1..=7, of_one * 5 / 2).await;
        assert!(matches!(outcome, Err(FetchError::TooLarge(_))));
    }
}

#[tokio::test]
async fn exceeded_budget_does_not_fail_over() {
    let (one, other) = (padded().await, padded().await);
    let configs = [&one, &other].map(|mock| NodeConfig::new(&mock.http()).expect("an address"));
    let nodes = Nodes::connect(configs.to_vec()).await.expect("connects");
    assert!(matches!(nodes.fetch_blocks(0..=3, MOST).await, Err(FetchError::TooLarge(_))));
    let asked = |mock: &MockNode| mock.requests().iter().filter(|request| request.has_block(PADDED)).count();
    assert_eq!(asked(&one) + asked(&other), 1);
    assert!(nodes.are_all_available());
    let brought = nodes.fetch_blocks(0..=3, 16 * MOST).await.expect("there is room");
    assert!(brought.blocks.len() == 4 && brought.bytes > 8 * MOST);
}
