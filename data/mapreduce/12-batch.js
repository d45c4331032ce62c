// titleEn: Batch mapper: gas of each sender, fast
// titleZh: 批量 mapper：快速统计每个发送方的 gas
// descriptionEn: With batch the mapper is called for some thousand rows at once and gets columns: typed arrays where it can be. What it adds up by itself it emits once for each key.
// descriptionZh: 设置 batch 后，mapper 每次处理数千行并得到整列（尽可能为类型化数组）。它自行汇总后，对每个键只发出一次。
// tableName: gas_per_sender

// ---- driver ----
({
  input: 'transactions',
  columns: ['from_address', 'receipt_gas_used'],
  where: 'receipt_gas_used is not null',
  batch: true,
  output: { sender: 'address', gas: 'uint256' },
})

// ---- mapper ----
(batch, emit) => {
  const { from_address: senders, receipt_gas_used: gas, length } = batch;
  const sums = new Map();
  for (let row = 0; row < length; row++) {
    const sender = senders[row];
    sums.set(sender, (sums.get(sender) ?? 0n) + gas[row]);
  }
  for (const [sender, sum] of sums) emit(sender, sum);
}

// ---- reducer ----
(sender, sums, emit) => {
  let gas = 0n;
  for (const sum of sums) gas += sum;
  emit({ sender, gas });
}
