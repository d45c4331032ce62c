// titleEn: Sessions: bursts of activity of each sender
// titleZh: 会话：每个发送方的活跃时段
// descriptionEn: A session ends when a sender is silent for longer than a gap. The values of a sender come in the order of time, so one pass finds all sessions.
// descriptionZh: 发送方静默超过给定间隔即结束一个会话。同一发送方的值按时间顺序到来，一次遍历即可找出所有会话。
// tableName: sender_sessions

// ---- driver ----
({
  input: 'transactions',
  columns: ['from_address', 'block_timestamp'],
  sort: 'ascending',
  params: { gapMinutes: 30 },
  output: { sender: 'address', begins: 'timestamp', ends: 'timestamp', transactions: 'bigint' },
})

// ---- mapper ----
(row, emit) => {
  emit(row.from_address, row.block_timestamp, row.block_timestamp);
}

// ---- reducer ----
(sender, times, emit) => {
  const gap = params.gapMinutes * 60_000;
  let session = null;
  for (const time of times) {
    if (session !== null && time - session.ends <= gap) {
      session.ends = time;
      session.transactions += 1;
      continue;
    }
    if (session !== null) emit(session);
    session = { sender, begins: time, ends: time, transactions: 1 };
  }
  if (session !== null) emit(session);
}
