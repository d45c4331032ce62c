import { expect, test } from 'vitest';
import { isSignature, kindOf, signatureOf, wantedOf } from './read';

const hash = `0x${'ab'.repeat(32)}`;
const other = `0x${'cd'.repeat(32)}`;
const call = '0xa9059cbb00';

test('a text says what it is, where it can be only one thing', () => {
  expect(kindOf('transfer(address,uint256)')).toBe('signature');
  expect(kindOf('event Transfer(address indexed from, address indexed to, uint256 value)')).toBe('signature');
  expect(kindOf(call)).toBe('input');
  expect(kindOf(`{"topics":["${hash}"],"data":"0x"}`)).toBe('log');
  expect(kindOf(`${hash}\n${call}`)).toBe('log');
  // Transactions or topics: the person knows.
  expect(kindOf(`${hash}\n${other}`)).toBeNull();
  expect(kindOf('hello')).toBeNull();
});

test('hashes are told apart however they are listed, each once', () => {
  expect(wantedOf('hashes', `"${hash}", ${other.toUpperCase().replace('0X', '0x')};\n${hash}`)).toEqual({ ok: true, body: { hashes: [hash, other] } });
  expect(wantedOf('hashes', `${hash} 0x12`)).toEqual({ ok: false, problem: 'hash' });
  const many = Array.from({ length: 51 }, (_, at) => `0x${String(at).padStart(64, '0')}`).join(' ');
  expect(wantedOf('hashes', many)).toEqual({ ok: false, problem: 'tooMany' });
  expect(wantedOf('hashes', ' ')).toBeNull();
});

test('data of a call is whole bytes', () => {
  expect(wantedOf('input', ` ${call} `)).toEqual({ ok: true, body: { input: call } });
  for (const wrong of ['0xabc', 'a9059cbb', '0x']) expect(wantedOf('input', wrong)).toEqual({ ok: false, problem: 'bytes' });
});

test('a log is read from JSON or line by line', () => {
  const log = { ok: true, body: { log: { topics: [hash, other], data: '0x01' } } };
  expect(wantedOf('log', JSON.stringify({ address: call, topics: [hash, other], data: '0x01' }))).toEqual(log);
  expect(wantedOf('log', `${hash}\n${other}\n0x01`)).toEqual(log);
  expect(wantedOf('log', `${hash} ${hash} ${hash} ${hash} ${other} 0x01`)).toEqual({ ok: true, body: { log: { topics: [hash, hash, hash, hash], data: `${other}01` } } });
  expect(wantedOf('log', '{"topics":')).toEqual({ ok: false, problem: 'topics' });
  expect(wantedOf('log', `${hash} nonsense`)).toEqual({ ok: false, problem: 'bytes' });
});

test('a signature without a word before it is a function', () => {
  expect(signatureOf(' transfer(address,uint256) ')).toBe('function transfer(address,uint256)');
  expect(signatureOf('event Sync(uint112,uint112)')).toBe('event Sync(uint112,uint112)');
  expect(isSignature('transfer(address,uint256)')).toBe(true);
  expect(isSignature('transfer')).toBe(false);
});
