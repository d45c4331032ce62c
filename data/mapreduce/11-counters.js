// titleEn: Counters: what was seen on the way
// titleZh: 计数器：沿途所见
// descriptionEn: count() adds to a counter of the whole job, log() writes a line; both are in the job's log. Good for rows that a job leaves out.
// descriptionZh: count() 累加整个作业的计数器，log() 写入一行日志；两者都出现在作业日志中。适合统计被跳过的行。
// tableName: failed_by_receiver

// ---- driver ----
({
  input: 'transactions',
  columns: ['to_address', 'receipt_status', 'receipt_gas_used'],
  output: { receiver: 'address', failed: 'bigint', gas_lost: 'uint256' },
})

// ---- mapper ----
(row, emit) => {
  count('transactions');
  if (row.to_address === null) {
    count('creations');
    return;
  }
  if (row.receipt_status === 1n) return;
  count('failed');
  emit(row.to_address, row.receipt_gas_used);
}

// ---- reducer ----
(receiver, gases, emit) => {
  let [failed, gas] = [0, 0n];
  for (const used of gases) [failed, gas] = [failed + 1, gas + used];
  emit({ receiver, failed, gas_lost: gas });
}
