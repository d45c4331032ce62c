//! Names the runs of queries.

/// One attempt to run a query, in all processes.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct RunId(pub String);

impl RunId {
    pub fn random() -> RunId {
        RunId(format!("{:032x}", rand::random::<u128>()))
    }
}
