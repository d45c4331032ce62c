// titleEn: Histogram: how large transfers of ether are
// titleZh: 直方图：以太币转账金额分布
// descriptionEn: The number of digits of an amount is its class. Amounts are BigInts: a text of one is exact, a logarithm of one is not.
// descriptionZh: 金额的位数即其分组。金额为 BigInt：其文本是精确的，而对数不是。
// tableName: transfer_sizes

// ---- driver ----
({
  input: 'transactions',
  columns: ['value'],
  where: 'value > 0',
  partitions: 1,
  output: { from_wei: 'uint256', to_wei: 'uint256', transfers: 'bigint' },
})

// ---- mapper ----
(row, emit) => {
  emit(row.value.toString().length, 1);
}

// ---- combiner ----
(digits, ones, emit) => {
  emit(digits, ones.reduce((sum, one) => sum + one, 0));
}

// ---- reducer ----
(digits, ones, emit) => {
  const from = 10n ** BigInt(digits - 1);
  emit({ from_wei: from, to_wei: from * 10n - 1n, transfers: ones.reduce((sum, one) => sum + one, 0) });
}
