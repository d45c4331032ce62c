// @vitest-environment jsdom
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import type { ComponentType } from 'react';
import { MemoryRouter, useLocation } from 'react-router';
import { afterEach, beforeAll, expect, it, vi } from 'vitest';
import { loadTexts, startLanguage } from '@/i18n';
import { embedMetricPath, metricPath } from '@/lib/paths';
import { typeOf, typesOf } from './types';

const chart = { visualizationId: 'v', queryId: 'q', title: 'Transactions per day', titleZh: null, visualizationType: 'line' };

/** The chart without rows, or with those of a table. */
const serve = (type: string, result: object | null) =>
  vi.stubGlobal('fetch', (address: string) => {
    const data = address.includes('/official/visualization') ? { chart, pending: false, resolution: '1 Day', resolutions: ['1 Day'], viz: { type, options: {} }, result } : address.includes('/official/dashboards') ? [] : null;
    return Promise.resolve(new Response(JSON.stringify({ status: 'success', data }), { headers: { 'Content-Type': 'application/json' } }));
  });

const rows = { columns: [{ name: 'n', type: 'bigint' }], rows: [['1']], total: 1, cutAt: null, shown: { jobId: 'j' } };

function Where() {
  const { search } = useLocation();
  return <output>{search}</output>;
}

const open = (Page: ComponentType, path: string) =>
  render(
    <QueryClientProvider client={new QueryClient()}>
      <MemoryRouter initialEntries={[path]}>
        <Page />
        <Where />
      </MemoryRouter>
    </QueryClientProvider>,
  );

let Embed: ComponentType;
let Metric: ComponentType;

beforeAll(async () => {
  // jsdom knows neither; the first is asked while the pages load.
  vi.stubGlobal('matchMedia', () => ({ matches: false, addEventListener: () => undefined, removeEventListener: () => undefined }));
  vi.stubGlobal('ResizeObserver', class { observe() { return undefined; } unobserve() { return undefined; } disconnect() { return undefined; } });
  [{ Component: Embed }, { Component: Metric }] = await Promise.all([import('./embed'), import('./metric')]);
  await startLanguage();
  await Promise.all([loadTexts('charts'), loadTexts('official')]);
});
afterEach(cleanup);

it('a chart is drawn as its link says, where it can be', () => {
  expect(typesOf('bar')).toEqual(['line', 'area', 'bar', 'table']);
  expect(typesOf('pie')).toEqual(['pie', 'table']);
  expect([typeOf('line', 'bar'), typeOf('line', 'pie'), typeOf('line', null), typeOf('pie', 'table'), typeOf('table', 'line')]).toEqual(['bar', 'line', 'line', 'table', 'table']);
});

it('the type comes from the link, and the link follows the choice', async () => {
  serve('line', null);
  open(Metric, metricPath({ dashboardId: 'd', visualizationId: 'v', visualizationType: 'bar' }));
  expect((await screen.findByRole<HTMLInputElement>('radio', { name: 'Bar' })).checked).toBe(true);
  fireEvent.click(screen.getByRole('radio', { name: 'Area' }));
  await waitFor(() => expect(document.querySelector('output')?.textContent).toContain('visualizationType=area'));
});

it('the period comes from the link, and the link follows the choice', async () => {
  serve('table', { ...rows, columns: [{ name: 'day', type: 'date' }], rows: [['2026-03-01']] });
  open(Metric, `${metricPath({ dashboardId: 'd', visualizationId: 'v', visualizationType: 'table' })}&days=30`);
  expect((await screen.findByRole<HTMLInputElement>('radio', { name: '30 d' })).checked).toBe(true);
  fireEvent.click(screen.getByRole('radio', { name: '7 d' }));
  await waitFor(() => expect(document.querySelector('output')?.textContent).toContain('days=7'));
  fireEvent.click(screen.getByRole('radio', { name: 'All' }));
  await waitFor(() => expect(document.querySelector('output')?.textContent).not.toContain('days'));
});

it('a frame on another site is drawn as its link says', async () => {
  serve('line', null);
  open(Embed, embedMetricPath({ dashboardId: 'd', visualizationId: 'v', visualizationType: 'area' }));
  expect((await screen.findByRole('heading', { name: chart.title })).nextElementSibling?.getAttribute('href')).toContain('visualizationType=area');
});

it('only what can be saved is offered: nothing where nothing is drawn, the rows of a plain table', async () => {
  serve('line', null);
  open(Metric, metricPath({ dashboardId: 'd', visualizationId: 'v', visualizationType: 'line' }));
  expect((await screen.findByRole<HTMLButtonElement>('button', { name: 'Save chart' })).disabled).toBe(true);
  cleanup();
  serve('table', rows);
  open(Metric, metricPath({ dashboardId: 'd', visualizationId: 'v', visualizationType: 'table' }));
  const save = await screen.findByRole<HTMLButtonElement>('button', { name: 'Save chart' });
  await waitFor(() => expect(save.disabled).toBe(false));
  fireEvent.click(save);
  expect(screen.getAllByRole('menuitem').map(({ textContent }) => textContent)).toEqual(['Numbers (CSV)']);
});
