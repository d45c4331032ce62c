// titleEn: Secondary sort: the first and last transaction of each sender
// titleZh: 二次排序：每个发送方的首笔与末笔交易
// descriptionEn: A third value given to emit is what the values of a key are sorted by; here a list of block and place in the block. The reducer reads a stream in that order and keeps two of it.
// descriptionZh: emit 的第三个参数决定同一键内值的顺序，这里是区块号与区块内位置组成的列表。reducer 按该顺序读取流，只保留两项。
// tableName: first_and_last

// ---- driver ----
({
  input: 'transactions',
  columns: ['from_address', 'hash', 'block_number', 'transaction_index', 'block_timestamp'],
  sort: 'ascending',
  output: { sender: 'address', first_hash: 'hash', first_time: 'timestamp', last_hash: 'hash', last_time: 'timestamp' },
})

// ---- mapper ----
(row, emit) => {
  emit(row.from_address, [row.hash, row.block_timestamp], [row.block_number, row.transaction_index]);
}

// ---- reducer ----
(sender, transactions, emit) => {
  let first = null;
  let last = null;
  for (const transaction of transactions) {
    first ??= transaction;
    last = transaction;
  }
  emit({ sender, first_hash: first[0], first_time: first[1], last_hash: last[0], last_time: last[1] });
}
