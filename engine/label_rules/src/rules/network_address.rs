//! B8: precompiles, system contracts and addresses without an owner.

use super::prelude::*;

pub(super) const RULE: Rule = Rule {
    id: "B8",
    name: "network-address",
    category: Category::Basic,
    version: 1,
    title: Both { en: "Network address", zh: "网络地址" },
    text: Both {
        en: "The zero address, 0x…dead, precompiled contracts, the deposit contract of the beacon chain and the system contracts of EIP-4788, 2935, 7002 and 7251, as far as a transaction was sent to them.",
        zh: "零地址、0x…dead、预编译合约、信标链存款合约以及 EIP-4788、2935、7002、7251 的系统合约，仅限收到过交易者。",
    },
    value: Both { en: "transactions received", zh: "收到的交易数" },
    labels: &["network-address"],
    inputs: &[START, END],
    parameters: &[],
    source: "Ethereum's execution specifications",
    steps: &[],
    rows: Rows::Labels(
        "select t.to_address as address, 'network-address' as label, 'NETWORK' as label_type, count(*) as value,
  max(n.name) as entity, sum(t.value) as wei, min(t.block_timestamp) as first_seen
from transactions t join (values
  ('0x0000000000000000000000000000000000000000', 'zero address'),
  ('0x000000000000000000000000000000000000dead', 'dead address'),
  ('0x0000000000000000000000000000000000000001', 'precompile ecrecover'),
  ('0x0000000000000000000000000000000000000002', 'precompile sha256'),
  ('0x0000000000000000000000000000000000000003', 'precompile ripemd160'),
  ('0x0000000000000000000000000000000000000004', 'precompile identity'),
  ('0x0000000000000000000000000000000000000005', 'precompile modexp'),
  ('0x0000000000000000000000000000000000000006', 'precompile ecadd'),
  ('0x0000000000000000000000000000000000000007', 'precompile ecmul'),
  ('0x0000000000000000000000000000000000000008', 'precompile ecpairing'),
  ('0x0000000000000000000000000000000000000009', 'precompile blake2f'),
  ('0x000000000000000000000000000000000000000a', 'precompile point evaluation'),
  ('0x00000000219ab540356cbb839cbe05303d7705fa', 'beacon deposit contract'),
  ('0x000f3df6d732807ef1319fb7b8bb8522d0beac02', 'beacon roots (EIP-4788)'),
  ('0x0000f90827f1c53a10cb7a02335b175320002935', 'block hashes (EIP-2935)'),
  ('0x00000961ef480eb55e80d19ad83579a64c007002', 'withdrawal requests (EIP-7002)'),
  ('0x0000bbddc7ce488642fb579f8b00f3a590007251', 'consolidation requests (EIP-7251)')) n(address, name)
  on t.to_address = from_hex(n.address)
where t.block_timestamp >= cast({{from}} as timestamp) and t.block_timestamp < cast({{to}} as timestamp)
group by t.to_address",
    ),
};
