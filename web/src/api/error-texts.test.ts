// @vitest-environment jsdom
// Every code that the server answers has a Chinese text, so that no page is left with English alone.
import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { setLanguage, startLanguage } from '@/i18n';
import { readyRefusals } from '@/i18n/failures';
import { errors as en } from '@/i18n/en/errors';
import { errors as zh } from '@/i18n/zh/errors';
import { ApiError, messageOf } from './error';

const root = path.resolve(import.meta.dirname, '../../..');

/** Codes of the engine, and those that the API names beside an HTTP status. */
function codes(): string[] {
  const engine = readFileSync(path.join(root, 'engine/types/src/error.rs'), 'utf8');
  const found = new Set(Array.from(engine.matchAll(/ErrorCode::\w+ => "([a-z_]+)"/g), ([, code = '']) => code));
  const files = readdirSync(path.join(root, 'api/src'), { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.rs'));
  for (const name of files) {
    const text = readFileSync(path.join(root, 'api/src', name), 'utf8');
    for (const [, code = ''] of text.matchAll(/StatusCode::[A-Z_]+,\s*"([a-z_]+)"/g)) found.add(code);
  }
  return [...found];
}

const whole = (texts: object) => Object.keys(texts).filter((code) => code !== 'lead');

describe('texts of errors', () => {
  test('every code of the server has one', () => {
    expect(codes().length).toBeGreaterThan(60);
    expect(codes().filter((code) => !(code in zh) && !(code in zh.lead))).toEqual([]);
  });

  test("a Chinese page says it in Chinese, and then what the server's sentence says more", async () => {
    const error = new ApiError('There is no such job.', 'not_found', 404);
    await startLanguage();
    expect(messageOf(error)).toBe('There is no such job.');
    await setLanguage('zh');
    expect(messageOf(error)).toBe('未找到该内容。 There is no such job.');
    // Once something was refused, the server's sentences are there.
    await readyRefusals('invalid_input');
    expect(messageOf(error)).toBe('没有该任务。');
    expect(messageOf(new ApiError('The name of a role has 1 to 30 letters, digits, _ or -.', 'invalid_input', 400))).toBe('角色名为 1 到 30 个字母、数字、_ 或 -。');
    expect(messageOf(new ApiError("Line 3 of the file can't be used: An address must be 0x followed by 40 hexadecimal digits.", 'invalid_csv', 400))).toBe('文件第 3 行无法使用：地址应为 0x 加 40 位十六进制数字。');
    expect(messageOf(new ApiError("Line 2 of the file can't be used: dappType is missing.", 'invalid_csv', 400))).toBe('文件第 2 行无法使用：缺少 dappType。');
    expect(messageOf(new ApiError('Something odd.', 'invalid_input', 400))).toBe('输入的内容无法使用。 Something odd.');
    expect(messageOf(new ApiError('The job has not ended yet.', 'job_running', 409))).toBe(zh.job_running);
    expect(messageOf(new ApiError('Something new.', 'something_new', 400))).toBe('Something new.');
  });

  test('both languages say the same codes whole', () => {
    expect(whole(zh)).toEqual(whole(en));
    expect(Object.keys(zh.lead).filter((code) => code in zh)).toEqual([]);
  });
});
