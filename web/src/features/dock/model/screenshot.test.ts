import { expect, it } from 'vitest';
import { screenshotProblem } from './screenshot';

const file = (name: string, type: string, size = 10) => ({ name, type, size });

it('takes the four kinds of pictures under 2 MB', () => {
  for (const [name, type] of [['a.jpg', 'image/jpeg'], ['A.JPEG', 'image/jpeg'], ['a.png', 'image/png'], ['a.gif', 'image/gif']] as const) expect(screenshotProblem(file(name, type), 0), name).toBeNull();
  expect(screenshotProblem(file('a.webp', 'image/webp'), 0)).toBe('type');
  expect(screenshotProblem(file('a.svg', 'image/png'), 0)).toBe('type');
  expect(screenshotProblem(file('a.png', 'image/png', 2 * 1024 * 1024), 0)).toBe('size');
  expect(screenshotProblem(file('a.png', 'image/png', 2 * 1024 * 1024 - 1), 9)).toBeNull();
  expect(screenshotProblem(file('a.png', 'image/png'), 10)).toBe('many');
});
