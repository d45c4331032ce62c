// @vitest-environment jsdom
import { cleanup, render, screen } from '@testing-library/react';
import { Hash } from 'lucide-react';
import { afterEach, beforeAll, expect, it, vi } from 'vitest';
import { startLanguage } from '@/i18n';
import { defineViz } from './define';
import { result } from './fixture';
import { ok } from './types';

beforeAll(() => startLanguage());
afterEach(cleanup);

const { View } = defineViz<{ unit: string }, string>({
  id: 'counter',
  icon: Hash,
  defaults: () => ({ unit: 'wei' }),
  transform: ({ rows }, { unit }) => ok(`${(rows[0]?.[0] as string).trim()} ${unit}`),
  Editor: () => null,
  View: ({ model }) => <p>{model}</p>,
});

it('a drawing that breaks on its rows takes nothing else away, and is there again with others', () => {
  vi.spyOn(console, 'error').mockReturnValue();
  const dashboard = (rows: ReturnType<typeof result>, unit: string) => (
    <>
      <p>The chart beside it</p>
      <View table={rows} stored={{ unit }} title="Fees" />
    </>
  );
  const broken = result([['fee', 'decimal']]);
  const { rerender } = render(dashboard(broken, 'wei'));
  screen.getByRole('alert');
  screen.getByText('The chart beside it');
  rerender(dashboard(result([['fee', 'decimal']], ['7']), 'gwei'));
  screen.getByText('7 gwei');
  expect(screen.queryByRole('alert')).toBeNull();
});
