// titleEn: PageRank: one step over the transfers of ether
// titleZh: PageRank：在以太币转账图上的一步
// descriptionEn: Each sender divides its rank among its transactions; an address gets what arrives. Everybody begins with rank 1; read the table of the step before as a second input to go on.
// descriptionZh: 每个发送方将其排名均分到各笔交易，地址得到汇入的部分。所有地址从排名 1 开始；将上一步的表作为第二个输入即可继续迭代。
// tableName: rank_step

// ---- driver ----
({
  input: 'transactions',
  columns: [
    'from_address',
    'to_address',
    'count(*) over (partition by from_address) as degree',
  ],
  where: 'to_address is not null and value > 0',
  params: { damping: 0.85 },
  output: { address: 'address', rank: 'double' },
})

// ---- mapper ----
(row, emit) => {
  emit(row.to_address, 1 / Number(row.degree));
  emit(row.from_address, 0); // whoever gives is there too, though nothing may arrive
}

// ---- combiner ----
(address, parts, emit) => {
  emit(address, parts.reduce((sum, part) => sum + part, 0));
}

// ---- reducer ----
(address, parts, emit) => {
  const arrived = parts.reduce((sum, part) => sum + part, 0);
  emit({ address, rank: 1 - params.damping + params.damping * arrived });
}
