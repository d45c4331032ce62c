// @vitest-environment jsdom
import { beforeAll, expect, test } from 'vitest';
import { setLanguage, startLanguage } from '.';
import { loadFailures } from './failures';

beforeAll(async () => {
  await startLanguage();
  await setLanguage('zh');
});

test.each([
  ['unknown_column', 'There is no column gas_usd. Did you mean gas_used?', '没有列 gas_usd。你要找的是 gas_used 吗？'],
  ['unknown_table', 'There is no table nosuch.', '没有表 nosuch。'],
  ['invalid_query', 'The column number must be in GROUP BY, or inside an aggregate such as max(number).', '列 number 必须出现在 GROUP BY 中，或放在 max(number) 这样的聚合函数里。'],
  ['syntax_error', 'Syntax error. Expected: an expression, found end of input.', '语法错误：此处应为表达式，文本却已结束。'],
  ['time_limit', 'The query ran longer than 300 seconds and was stopped.', '查询运行超过 300 秒，已停止。'],
  ['result_limit', 'The result has more than 1000000 rows; add a LIMIT or aggregate more.', '结果超过 1000000 行，请加上 LIMIT 或进一步聚合。'],
  ['arithmetic_error', 'A number was divided by zero.', '有数字被零除。'],
  ['invalid_input', 'The parameter pool_share must be a number from 0.0001 to 1.', '参数 pool_share 应为 0.0001 到 1 的数字。'],
  ['invalid_input', 'Chain data is available from 2026-08-24 to 2026-11-22; 2025-01 is outside that range.', '链上数据为 2026-08-24 至 2026-11-22，2025-01 不在其中。'],
  ['invalid_query', 'mapper, line 3: TypeError: a key is undefined. The row was {"to_address":null,"note":"a. The row was b"}', 'mapper 第 3 行：键是 undefined。当时的数据行：{"to_address":null,"note":"a. The row was b"}'],
  ['invalid_query', 'reducer, line 2: TypeError: the column sum expects a 256-bit integer, got 1.5. The key was "a".', 'reducer 第 2 行：列 sum 应为 256 位整数，而不是 1.5。当时的键："a"。'],
  ['time_limit', 'mapper: ran 5 s without reading or emitting anything; is there an endless loop?', 'mapper：运行 5 秒，既没有读取也没有输出；是否有死循环？'],
  ['unknown_column', 'driver: The input logs: There is no column topic9. Did you mean topic0?', 'driver：输入 logs：没有列 topic9。你要找的是 topic0 吗？'],
  ['invalid_input', 'There is no reducer to run.', '缺少要运行的 reducer。'],
  ['unknown_table', 'There is no table flows in your schema.', '你没有名为 flows 的表。'],
  ['unknown_table', 'There is no label Adress. Available: Address, Contract.', '没有标签 Adress。可用的有 Address, Contract。'],
  ['unknown_column', 'There is no variable m here. Did you mean n?', '这里没有变量 m。你要找的是 n 吗？'],
  ['invalid_query', 'abs expects a number, got a value of type STRING.', 'abs 需要数字，而不是 STRING 类型的值。'],
  ['invalid_query', "n is a node and can't be a relationship.", 'n 是节点，不能用作关系。'],
  ['not_allowed', 'This form of pattern is not supported here.', '这里不支持这种形式的模式。'],
  ['invalid_query', '0x12 has 2 hex digits; an address has 40.', '0x12 有 2 位十六进制数字；地址为 40 位。'],
  ['invalid_query', 'The value of the parameter day is not a valid date; write it as 2024-03-01.', '参数 day 的值应为 2024-03-01 这样的日期。'],
  ['syntax_error', 'Syntax error. Expected: joined table, found: where.', '语法错误：此处应为要连接的表，却是 where。'],
  ['syntax_error', "Syntax error. The query should end before '('.", "语法错误：查询应在 '(' 之前结束。"],
  ['invalid_query', "Error parsing timestamp from '2024-99-01': error parsing date.", "文本 '2024-99-01' 不是时间。"],
  ['invalid_query', 'This is not supported: Unsupported CAST from hash to bigint.', 'hash 不能转换为 bigint。'],
  ['invalid_input', "The file can't be read: it is damaged or has a different format.", '无法读取文件：文件已损坏，或是其他格式。'],
  ['quota_exceeded', 'The tables of user_ada can have at most 100 MB in total; drop some first.', 'user_ada 的表合计最多 100 MB，请先删除一些。'],
])('%s on a Chinese page', async (code, message, wanted) => {
  const tell = await loadFailures('zh');
  expect(tell({ code, message })).toBe(wanted);
});

test('a sentence that nobody wrote down keeps its English behind what its code says', async () => {
  const tell = await loadFailures('zh');
  expect(tell({ code: 'arithmetic_error', message: 'Something odd happened.' })).toBe('数值计算出错。 Something odd happened.');
  expect(tell({ code: 'internal_error', message: 'Something went wrong on our side; the log has the details.' })).toBe('服务端出错了，详情见服务器日志。');
  expect(tell({ code: null, message: 'Something odd happened.' })).toBe('Something odd happened.');
});

test('what the engine of JavaScript says stays as it is behind its place', async () => {
  const tell = await loadFailures('zh');
  expect(tell({ code: 'invalid_query', message: "mapper, line 7: TypeError: cannot read property 'x' of undefined. The row was {}" })).toBe("mapper 第 7 行： TypeError: cannot read property 'x' of undefined. 当时的数据行：{}");
});

test('names of the query stay as they are', async () => {
  const tell = await loadFailures('zh');
  expect(tell({ code: 'unknown_column', message: 'There is no column a{0}$1.' })).toBe('没有列 a{0}$1。');
  expect(tell({ code: 'unknown_column', message: 'There is no column identifier.' })).toBe('没有列 identifier。');
});

test('an English page says what the job said', async () => {
  const tell = await loadFailures('en');
  expect(tell({ code: 'unknown_column', message: 'There is no column x.' })).toBe('There is no column x.');
});
