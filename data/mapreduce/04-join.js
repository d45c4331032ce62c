// titleEn: Join: transactions with the token transfers they made
// titleZh: 连接：交易与其产生的代币转账
// descriptionEn: Two inputs with one key. The mapper is told which input a row is from; sorting by that brings the transaction before its transfers, so nothing has to be kept.
// descriptionZh: 两个输入使用同一个键。mapper 知道每行来自哪个输入；据此排序使交易先于其转账到来，因此无需保存任何内容。
// tableName: tx_with_transfers

// ---- driver ----
({
  input: [
    { table: 'transactions', name: 'tx', columns: ['hash', 'from_address', 'receipt_gas_used'] },
    { table: 'token_transfers', name: 'transfer', columns: ['transaction_hash', 'token_address'] },
  ],
  sort: 'ascending',
  output: { hash: 'hash', sender: 'address', gas: 'bigint', transfers: 'bigint', tokens: 'int' },
})

// ---- mapper ----
(row, emit, input) => {
  if (input === 'tx') emit(row.hash, [row.from_address, row.receipt_gas_used], 0);
  else emit(row.transaction_hash, row.token_address, 1);
}

// ---- reducer ----
(hash, values, emit) => {
  const first = values.next().value;
  if (!Array.isArray(first)) return; // transfers without their transaction
  const tokens = new Set();
  let transfers = 0;
  for (const token of values) {
    tokens.add(token);
    transfers += 1;
  }
  if (transfers > 0) emit({ hash, sender: first[0], gas: first[1], transfers, tokens: tokens.size });
}
