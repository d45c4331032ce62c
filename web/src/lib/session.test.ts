// @vitest-environment jsdom
import { expect, it } from 'vitest';
import { holds, mayManage, type Account } from './session';

const of = (...permissions: string[]): Account => ({ id: '1', name: 'ada', avatar: null, role: 'desk', permissions });

it('only a permission that opens a page of the back office leads there', () => {
  expect(mayManage(of('system.official', 'system.platformMessage'))).toBe(false);
  expect(mayManage(of('system.official', 'system.feedback'))).toBe(true);
  expect(mayManage(null)).toBe(false);
  expect(holds(of('system.feedback'), 'system.whitePaper')).toBe(false);
});
