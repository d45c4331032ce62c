// @vitest-environment jsdom
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { MemoryRouter } from 'react-router';
import { afterEach, beforeAll, expect, it, vi } from 'vitest';
import { loadTexts, startLanguage } from '@/i18n';
import type { Target, WidgetContent, WidgetShows } from '../api';
import { WidgetCard } from './widget';

beforeAll(async () => {
  await startLanguage();
  await loadTexts('dashboards');
});

afterEach(cleanup);

const target: Target = { id: 'd', share: undefined, anonymous: false };

const card = (content: WidgetContent, bare: boolean, show?: WidgetShows) =>
  render(
    <QueryClientProvider client={new QueryClient()}>
      <MemoryRouter>
        <WidgetCard widget={{ id: 'w', content, layout: { x: 0, y: 0, w: 4, h: 3 } }} show={show} target={target} run={undefined} filtered={null} onRun={null} filter={(name) => <p>{name}</p>} bare={bare} />
      </MemoryRouter>
    </QueryClientProvider>,
  ).container;

it('what has no title and no menu has no line for them', () => {
  expect(card({ type: 'filter', parameter: 'day' }, false).querySelector('header')).toBeNull();
  expect(card({ type: 'model', model: 'dao_model' }, false).querySelector('header')).toBeNull();
});

it('a 3D model says which one it is; in a frame on another site nothing leads away', async () => {
  card({ type: 'model', model: 'dao_model' }, true);
  expect(await screen.findByText('DAO')).toBeTruthy();
  expect(screen.queryByRole('link')).toBeNull();
});

it('a chart that is not drawn can be opened, but neither saved nor turned into a table', async () => {
  // jsdom does not know what is in sight.
  vi.stubGlobal('IntersectionObserver', class { observe() { return undefined; } disconnect() { return undefined; } });
  const show = { widgetId: 'w', visible: true, title: 'Gas', queryId: 'q', visualization: { type: 'line', options: {} }, shown: null } as unknown as WidgetShows;
  card({ type: 'visualization', visualizationId: 'v' }, false, show);
  fireEvent.click(screen.getByRole('button', { name: /Gas/ }));
  expect((await screen.findAllByRole('menuitem')).map(({ textContent }) => textContent)).toEqual(['Open query']);
});

it('a widget that breaks keeps its title and its buttons, and takes no other away', () => {
  vi.spyOn(console, 'error').mockReturnValue();
  const broken = { type: 'visualization', visualizationId: 'v' } as const;
  const show = (id: string) => ({ widgetId: id, visible: true, title: `Gas of ${id}`, queryId: 'q', visualization: { type: 'line', options: {} }, shown: null }) as unknown as WidgetShows;
  vi.stubGlobal('IntersectionObserver', class { observe() { throw new Error('no rows'); } disconnect() { return undefined; } });
  card(broken, false, show('ada'));
  screen.getByRole('alert');
  screen.getByRole('heading', { name: 'Gas of ada' });
  expect(screen.getByRole('button', { name: /Gas of ada/ })).toBeTruthy();
});
