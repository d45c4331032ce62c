//! Addresses of nodes as a setting.

use quarry_ingest::NodeConfig;

use super::Value;

/// Nodes of one chain; separated by commas in a text.
#[derive(Debug, Clone, Default)]
pub struct Nodes(pub Vec<NodeConfig>);

impl Value for Nodes {
    fn parse(text: &str) -> Result<Nodes, String> {
        let addresses = text.split(',').map(str::trim).filter(|address| !address.is_empty());
        let nodes: Result<Vec<NodeConfig>, String> = addresses
            .map(|address| NodeConfig::new(address).map_err(|_| format!("addresses of nodes, unlike `{address}`")))
            .collect();
        nodes.map(Nodes)
    }

    /// Without paths and passwords, where providers keep their keys.
    fn show(&self) -> String {
        self.0.iter().map(NodeConfig::name).collect::<Vec<_>>().join(", ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn several_nodes_and_no_secret() {
        let nodes = Nodes::parse("https://user:secret@node.example/v3/key, ws://127.0.0.1:8546,/run/geth.ipc").unwrap();
        assert_eq!(nodes.show(), "https://node.example, ws://127.0.0.1:8546, /run/geth.ipc");
        assert!(Nodes::parse("").unwrap().0.is_empty());
        assert!(Nodes::parse("localhost").unwrap_err().contains("`localhost`"));
    }
}
