import { expect, it } from 'vitest';
import { barsOf } from './grid-loading';

it('draws one bar in each column, where its cells stand', () => {
  const bars = barsOf([
    { left: 0, width: 126, atEnd: false },
    { left: 126, width: 226, atEnd: true },
  ]);
  expect(bars).toBe('linear-gradient(90deg, transparent 0 13px, var(--line) 0 73px, transparent 0 219px, var(--line) 0 339px, transparent 0)');
});

it('draws none without columns', () => expect(barsOf([])).toBe('none'));
