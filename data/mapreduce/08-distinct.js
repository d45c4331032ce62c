// titleEn: Distinct: addresses active on each day
// titleZh: 去重：每天的活跃地址
// descriptionEn: Duplicates meet at their key: a pair of day and address is a key, and each key is one row. A list is a key like any other.
// descriptionZh: 重复项在同一个键上相遇：日期与地址组成的列表作为键，每个键输出一行。列表可以像其他值一样作为键。
// tableName: active_addresses

// ---- driver ----
({
  input: 'transactions',
  columns: ['block_timestamp', 'from_address', 'to_address'],
  output: { day: 'date', address: 'address' },
})

// ---- mapper ----
(row, emit) => {
  const day = Math.floor(row.block_timestamp / 86_400_000) * 86_400_000;
  emit([day, row.from_address], null);
  if (row.to_address !== null) emit([day, row.to_address], null);
}

// ---- combiner ----
(key, values, emit) => {
  emit(key, null);
}

// ---- reducer ----
([day, address], values, emit) => {
  emit({ day, address });
}
