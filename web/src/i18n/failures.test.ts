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
  ['syntax_error', 'Syntax error. Expected: an expression, found the end of the text.', '语法错误：此处应为表达式，文本却已结束。'],
  ['time_limit', 'The query ran longer than 300 seconds and was stopped.', '查询运行超过 300 秒，已停止。'],
  ['result_limit', 'The result has more than 1000000 rows; add a LIMIT or aggregate more.', '结果超过 1000000 行，请加上 LIMIT 或进一步聚合。'],
  ['arithmetic_error', 'A number was divided by zero.', '有数字被零除。'],
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

test('names of the query stay as they are', async () => {
  const tell = await loadFailures('zh');
  expect(tell({ code: 'unknown_column', message: 'There is no column a{0}$1.' })).toBe('没有列 a{0}$1。');
  expect(tell({ code: 'unknown_column', message: 'There is no column identifier.' })).toBe('没有列 identifier。');
});

test('an English page says what the job said', async () => {
  const tell = await loadFailures('en');
  expect(tell({ code: 'unknown_column', message: 'There is no column x.' })).toBe('There is no column x.');
});
