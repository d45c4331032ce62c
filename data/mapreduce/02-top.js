// titleEn: Top N: the largest transfers of ether
// titleZh: 前 N 名：最大的以太币转账
// descriptionEn: Secondary sort does the work: all pairs have one key, the values come largest first, the reducer stops after N. N is a parameter.
// descriptionZh: 由二次排序完成：所有键值对共用一个键，值按从大到小到来，reducer 取前 N 个后停止。N 是参数。
// tableName: top_transfers

// ---- driver ----
({
  input: 'transactions',
  columns: ['hash', 'from_address', 'to_address', 'value'],
  where: 'value > 0 and receipt_status = 1',
  sort: 'descending',
  params: { n: 10 },
  output: { rank: 'int', hash: 'hash', sender: 'address', receiver: 'address', wei: 'uint256' },
})

// ---- mapper ----
(row, emit) => {
  emit('all', [row.hash, row.from_address, row.to_address, row.value], row.value);
}

// ---- reducer ----
(key, transfers, emit) => {
  let rank = 0;
  for (const [hash, sender, receiver, wei] of transfers) {
    rank += 1;
    emit({ rank, hash, sender, receiver, wei });
    if (rank === params.n) break;
  }
}
