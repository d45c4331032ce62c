// titleEn: Average: the gas price of each day, exact
// titleZh: 平均值：每天的 gas 价格（精确）
// descriptionEn: Sums and counts can be combined, averages can't: pairs carry both, and the reducer divides at the end. Sums are BigInts, so nothing is rounded before that.
// descriptionZh: 和与计数可以合并，平均值不行：键值对携带两者，reducer 最后相除。求和使用 BigInt，之前不会有任何舍入。
// tableName: gas_price_by_day

// ---- driver ----
({
  input: 'transactions',
  columns: ['block_timestamp', 'gas_price'],
  output: { day: 'date', transactions: 'bigint', average_wei: 'uint256' },
})

// ---- mapper ----
(row, emit) => {
  const day = Math.floor(row.block_timestamp / 86_400_000) * 86_400_000;
  emit(day, [row.gas_price, 1n]);
}

// ---- combiner ----
function combiner(day, parts, emit) {
  let [sum, count] = [0n, 0n];
  for (const [price, of] of parts) [sum, count] = [sum + price, count + of];
  emit(day, [sum, count]);
}

// ---- reducer ----
function reducer(day, parts, emit) {
  let [sum, count] = [0n, 0n];
  for (const [price, of] of parts) [sum, count] = [sum + price, count + of];
  emit({ day, transactions: count, average_wei: sum / count });
}
