//! The known contracts of a chain in the SQL of views and metrics.

use quarry_lake::{KnownContracts, PoolFactory};

/// Replaces the placeholders of a query. `{dollars}` is a query with the columns `address` and `decimals` of tokens that are worth
/// a dollar, and `{ether}` one with the `address` of wrapped ether. `{factories}` and `{uniswap}` are conditions on the column
/// `address`: factories of the pools that prices come from, and Uniswap's. `{project}` is the project of the column `factory`.
/// `{circulates}` is the condition that ether of the address `a` circulates.
pub fn fill(sql: &str, contracts: &KnownContracts) -> String {
    let factories = |keep: fn(&PoolFactory) -> bool| {
        let kept = contracts.pool_factories.iter().filter(|factory| keep(factory));
        let addresses: Vec<String> = kept.map(|factory| format!("'{:#x}'", factory.address)).collect();
        if addresses.is_empty() { "false".to_string() } else { format!("address in ({})", addresses.join(", ")) }
    };
    let circulates = contracts.deposit_contract.map_or("true".to_string(), |deposits| format!("a <> '{deposits:#x}'"));
    sql.replace("{dollars}", &dollars(contracts))
        .replace("{ether}", &ether(contracts))
        .replace("{factories}", &factories(|factory| factory.version == 2))
        .replace("{uniswap}", &factories(|factory| factory.project == "uniswap"))
        .replace("{project}", &project(contracts))
        .replace("{circulates}", &circulates)
}

/// Grouped, so that the planner knows that each address has one row.
fn dollars(contracts: &KnownContracts) -> String {
    let rows = contracts.dollar_tokens.iter().map(|token| format!("('{:#x}', {})", token.address, token.decimals));
    let (rows, condition) = match contracts.dollar_tokens.is_empty() {
        true => ("('0x00', 0)".to_string(), "where false "),
        false => (rows.collect::<Vec<_>>().join(", "), ""),
    };
    format!(
        "select abi_address(uint256(column1)) as address, max(column2) as decimals from (values {rows}) {condition}group by 1"
    )
}

fn ether(contracts: &KnownContracts) -> String {
    let condition = if contracts.wrapped_ether.is_some() { "" } else { " where false" };
    let address = contracts.wrapped_ether.unwrap_or_default();
    format!("select abi_address(uint256('{address:#x}')) as address{condition}")
}

fn project(contracts: &KnownContracts) -> String {
    let case = |factory: &PoolFactory| format!("when '{:#x}' then '{}' ", factory.address, factory.project);
    match contracts.pool_factories.is_empty() {
        true => "'other'".to_string(),
        false => {
            format!("case factory {}else 'other' end", contracts.pool_factories.iter().map(case).collect::<String>())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: &str = "{dollars}; {ether}; {factories}; {uniswap}; {project}; {circulates}";

    #[test]
    fn a_chain_without_known_contracts_has_no_prices_and_all_of_its_ether_circulates() {
        let none = fill(ALL, &KnownContracts::default());
        assert_eq!(
            none,
            "select abi_address(uint256(column1)) as address, max(column2) as decimals from (values ('0x00', 0)) where \
             false group by 1; select abi_address(uint256('0x0000000000000000000000000000000000000000')) as address where \
             false; false; false; 'other'; true"
        );
    }

    #[test]
    fn prices_come_from_pools_of_version_2_and_uniswap_is_both() {
        let filled = fill("{factories}; {uniswap}; {circulates}", &KnownContracts::shipped(Some(1)));
        assert_eq!(
            filled,
            "address in ('0x5c69bee701ef814a2b6a3edd4b1652cb9cc5aa6f', '0xc0aee478e3658e2610c5f7a4a2e1777ce9e4f2ac'); \
             address in ('0x5c69bee701ef814a2b6a3edd4b1652cb9cc5aa6f', '0x1f98431c8ad98523631ae4a59f267346ea31f984'); \
             a <> '0x00000000219ab540356cbb839cbe05303d7705fa'"
        );
    }
}
