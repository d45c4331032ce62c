// titleEn: Batch mapper: gas of each sender, fast
// titleZh: 批量 mapper：快速统计每个发送方的 gas
// descriptionEn: With batch the mapper is called for some ten thousand rows at once and gets columns. Sums and counts of a batch are made outside of JavaScript; what comes of them is emitted once for each key.
// descriptionZh: 设置 batch 后，mapper 每次处理数万行并得到整列。批内的求和与计数在 JavaScript 之外完成，其结果对每个键只发出一次。
// tableName: gas_per_sender

// ---- driver ----
({
  input: 'transactions',
  columns: ['from_address', 'receipt_gas_used'],
  batch: true,
  output: { sender: 'address', gas: 'uint256' },
})

// ---- mapper ----
(batch, emit) => {
  for (const [sender, gas] of batch.sums('from_address', 'receipt_gas_used')) emit(sender, gas);
}

// ---- reducer ----
(sender, sums, emit) => {
  let gas = 0n;
  for (const sum of sums) gas += sum;
  emit({ sender, gas });
}
