//! Every view can be planned, has its documented columns, and reads the right events.

use std::sync::Arc;

use alloy_primitives::keccak256;
use arrow::datatypes::Schema;
use datafusion::datasource::empty::EmptyTable;
use datafusion::execution::session_state::SessionStateBuilder;

use super::*;
use crate::session_states::open_sessions;
use quarry_lake::KnownContracts;
use quarry_lake::tables::Table;
use quarry_runtime::EngineConfig;

#[tokio::test]
async fn every_view_has_its_columns() {
    let dir = tempfile::tempdir().unwrap();
    let sessions = open_sessions(&EngineConfig::at(dir.path())).unwrap();
    let chain = Table::ALL.map(|table| (table, Arc::new(EmptyTable::new(table.schema())) as _));
    for contracts in [None, Some(1)].map(KnownContracts::shipped) {
        let rollups =
            Table::DERIVED.map(|table| (table.name().to_string(), Arc::new(EmptyTable::new(table.schema())) as _));
        let planner = Planner::new(sessions.base(), &chain, rollups.into(), contracts);
        for view in ALL {
            let name = format!("{}.{}", view.schema, view.name);
            let table = planner.plan(view).await.unwrap_or_else(|error| panic!("{name}: {error}"));
            let plan = table.get_logical_plan().unwrap().into_owned();
            let state = SessionStateBuilder::new_from_existing(sessions.base().as_ref().clone()).build();
            let plan = state.optimize(&plan).unwrap_or_else(|error| panic!("{name}: {error}"));
            let shape = |schema: &Schema| -> Vec<_> {
                let fields = schema.fields().iter();
                fields.map(|f| (f.name().clone(), f.data_type().clone(), f.metadata().clone())).collect()
            };
            let (found, expected) = (shape(plan.schema().as_arrow()), shape(&view.arrow_schema()));
            for (found, expected) in found.iter().zip(&expected) {
                assert_eq!((&found.0, found.1.to_string()), (&expected.0, expected.1.to_string()), "{name}");
                let uint256 = |field: &(String, _, std::collections::HashMap<String, String>)| {
                    field.2.get(quarry_types::meaning::MEANING).is_some_and(|meaning| meaning == "uint256")
                };
                assert_eq!(uint256(found), uint256(expected), "{name}.{}", found.0);
            }
            assert_eq!(found.len(), expected.len(), "{name}");
        }
    }
}

#[test]
fn topics_are_the_hashes_of_their_events() {
    let events = [
        (&token_events::ERC1155_TRANSFER_SINGLE, "TransferSingle(address,address,address,uint256,uint256)"),
        (&token_events::ERC1155_TRANSFER_BATCH, "TransferBatch(address,address,address,uint256[],uint256[])"),
        (&transfers::NFT, "TransferBatch(address,address,address,uint256[],uint256[])"),
        (&token_events::ERC20_APPROVAL, "Approval(address,address,uint256)"),
        (&token_events::ERC721_APPROVAL, "Approval(address,address,uint256)"),
        (&token_events::ERC721_APPROVAL_FOR_ALL, "ApprovalForAll(address,address,bool)"),
        (&token_events::ERC1155_APPROVAL_FOR_ALL, "ApprovalForAll(address,address,bool)"),
        (&trades::TRADES, "PairCreated(address,address,address,uint256)"),
        (&trades::TRADES, "PoolCreated(address,address,uint24,int24,address)"),
        (&trades::TRADES, "Swap(address,uint256,uint256,uint256,uint256,address)"),
        (&trades::TRADES, "Swap(address,address,int256,int256,uint160,uint128,int24)"),
        (&prices::USD, "PairCreated(address,address,address,uint256)"),
        (&prices::USD, "Sync(uint112,uint112)"),
    ];
    for (view, event) in events {
        let topic = keccak256(event).to_string();
        assert!(view.sql.contains(&topic), "{} looks for {event}, {topic}", view.name);
    }
}
