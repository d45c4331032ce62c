// tableName: transfer_digits

// ---- driver ----
({
  input: 'transactions',
  columns: ['value'],
  where: 'value > 0',
  partitions: 1,
  output: { digits: 'int', transfers: 'bigint' },
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
  emit({ digits, transfers: ones.reduce((sum, one) => sum + one, 0) });
}
