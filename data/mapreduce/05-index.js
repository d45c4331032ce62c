// titleEn: Inverted index: which addresses hold which token
// titleZh: 倒排索引：哪些地址收到过哪种代币
// descriptionEn: From rows of who received what to lists of receivers by token. The address is the sort value, so a repeated one stands next to itself and is dropped without a set.
// descriptionZh: 从“谁收到什么”的行得到按代币排列的接收方列表。地址作为排序值，重复者相邻，无需集合即可去重。
// tableName: holders_of_token

// ---- driver ----
({
  input: 'token_transfers',
  columns: ['token_address', 'to_address'],
  sort: 'ascending',
  params: { most: 100 },
  output: { token: 'address', receivers: 'bigint', sample: 'array(address)' },
})

// ---- mapper ----
(row, emit) => {
  emit(row.token_address, row.to_address, row.to_address);
}

// ---- reducer ----
(token, receivers, emit) => {
  let [last, count] = [null, 0];
  const sample = [];
  for (const receiver of receivers) {
    if (receiver === last) continue;
    last = receiver;
    count += 1;
    if (sample.length < params.most) sample.push(receiver);
  }
  emit({ token, receivers: count, sample });
}
