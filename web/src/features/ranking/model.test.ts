import { expect, test } from 'vitest';
import { byType, dailyQuery, fastest, ordered, percentOf, readView, sumOf, writeView, type Ranked } from './model';

const row = (rank: number, name: string, more: Partial<Ranked> = {}): Ranked => ({ rank, name, dappType: 'games', contracts: 1, users: 10, transactions: 20, volume: '0', usersChange: null, transactionsChange: null, volumeChange: null, ...more });

test('an address gives its view back, and nonsense counts as not given', () => {
  const view = readView(new URLSearchParams('type=high-risk&period=month&sort=volume&by=change&order=asc&search=toss'));
  expect(view).toEqual({ type: 'high-risk', period: 'month', measure: 'volume', byChange: true, ascending: true, search: 'toss' });
  expect(writeView(view).toString()).toBe('type=high-risk&period=month&sort=volume&by=change&order=asc&search=toss');
  expect(writeView(readView(new URLSearchParams('type=x&period=year&sort=fame&by=1&order=up'))).toString()).toBe('');
});

test('by change the largest comes first, and what is new comes last in both directions', () => {
  const rows = [row(1, 'A', { usersChange: -3 }), row(2, 'B'), row(3, 'C', { usersChange: 12.5 }), row(4, 'D', { usersChange: 12.5 })];
  const view = readView(new URLSearchParams('by=change'));
  expect(ordered(rows, view).map(({ name }) => name)).toEqual(['C', 'D', 'A', 'B']);
  expect(ordered(rows, { ...view, ascending: true }).map(({ name }) => name)).toEqual(['A', 'C', 'D', 'B']);
});

test('by amount the ranks of the server stand, also when the names are searched', () => {
  const rows = [row(1, 'Coin Toss'), row(2, 'Lend'), row(3, 'Toss Up')];
  expect(ordered(rows, readView(new URLSearchParams('search=TOSS'))).map(({ rank }) => rank)).toEqual([1, 3]);
  expect(ordered(rows, readView(new URLSearchParams('order=asc'))).map(({ rank }) => rank)).toEqual([3, 2, 1]);
});

test('sums of wei are exact, and shares are of the whole', () => {
  const rows = [row(1, 'A', { volume: '9007199254740993' }), row(2, 'B', { volume: '1', dappType: 'finance' })];
  expect(sumOf(rows, 'volume')).toBe(9007199254740994n);
  expect(byType(rows, 'transactions').filter(({ amount }) => amount > 0n)).toEqual([
    { type: 'games', dapps: 1, amount: 20n, percent: 50 },
    { type: 'finance', dapps: 1, amount: 20n, percent: 50 },
  ]);
  expect([percentOf(1n, 3n), percentOf(2n, 3n), percentOf(1n, 0n)]).toEqual([33.33, 66.67, 0]);
});

test('the fastest grew; nobody is the fastest where all shrank', () => {
  expect(fastest([row(1, 'A', { transactionsChange: 2 }), row(2, 'B', { transactionsChange: 30 })])?.name).toBe('B');
  expect(fastest([row(1, 'A', { transactionsChange: -2 }), row(2, 'B')])).toBeNull();
});

test('a name cannot leave its place in the query', () => {
  expect(dailyQuery("O'Neil's")).toContain("d.name = 'O''Neil''s'");
});
