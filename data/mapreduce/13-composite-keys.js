// titleEn: Composite keys: pairs of sender and token, by hour
// titleZh: 组合键：按小时统计发送方与代币的组合
// descriptionEn: Keys are lists and sort like lists, so that with one partition the rows of a sender stand together. The hour comes from a Date, which is UTC here; a Date always takes a time.
// descriptionZh: 键可以是列表，并按列表排序，因此在单分区时同一发送方的行排在一起。小时取自 Date，此处始终为 UTC，且必须给定时间。
// tableName: token_hours

// ---- driver ----
({
  input: 'token_transfers',
  columns: ['from_address', 'token_address', 'block_timestamp'],
  partitions: 1,
  output: { sender: 'address', token: 'address', hour: 'int', transfers: 'bigint' },
})

// ---- mapper ----
(row, emit) => {
  emit([row.from_address, row.token_address, new Date(row.block_timestamp).getHours()], 1);
}

// ---- combiner ----
(key, ones, emit) => {
  emit(key, ones.reduce((sum, one) => sum + one, 0));
}

// ---- reducer ----
([sender, token, hour], ones, emit) => {
  emit({ sender, token, hour, transfers: ones.reduce((sum, one) => sum + one, 0) });
}
