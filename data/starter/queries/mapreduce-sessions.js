// tableName: sender_sessions

// ---- driver ----
({
  input: 'transactions',
  columns: ['from_address', 'block_timestamp'],
  sort: 'ascending',
  params: { gapMinutes: 30 },
  output: { sender: 'address', sessions: 'bigint', longest: 'bigint' },
})

// ---- mapper ----
(row, emit) => {
  emit(row.from_address, row.block_timestamp, row.block_timestamp);
}

// ---- reducer ----
(sender, times, emit) => {
  const gap = params.gapMinutes * 60_000;
  let [last, size, sessions, longest] = [null, 0, 0, 0];
  for (const time of times) {
    if (last === null || time - last > gap) {
      sessions += 1;
      size = 0;
    }
    size += 1;
    longest = Math.max(longest, size);
    last = time;
  }
  emit({ sender, sessions, longest });
}
