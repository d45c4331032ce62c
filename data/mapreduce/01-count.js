// titleEn: Count: transactions of each sender
// titleZh: 计数：每个发送方的交易数
// descriptionEn: The smallest job: the mapper emits a one for each row, the reducer adds them up. The combiner adds up what one worker has, so that less travels.
// descriptionZh: 最小的作业：mapper 为每一行发出一个 1，reducer 求和；combiner 先在各工作线程内求和，减少传输量。
// tableName: tx_per_sender

// ---- driver ----
({
  input: 'transactions',
  columns: ['from_address'],
  output: { sender: 'address', transactions: 'bigint' },
})

// ---- mapper ----
(row, emit) => {
  emit(row.from_address, 1);
}

// ---- combiner ----
(sender, ones, emit) => {
  emit(sender, ones.reduce((sum, one) => sum + one, 0));
}

// ---- reducer ----
(sender, ones, emit) => {
  emit({ sender, transactions: ones.reduce((sum, one) => sum + one, 0) });
}
