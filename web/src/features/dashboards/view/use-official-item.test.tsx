// @vitest-environment jsdom
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, renderHook } from '@testing-library/react';
import { beforeAll, expect, it, vi } from 'vitest';
import { loadTexts, startLanguage } from '@/i18n';
import { setAccount, signIn } from '@/lib/session';
import { dashboardKey, type DashboardView } from '../api';
import { useOfficialItem } from './use-official-item';

const target = { id: 'a1', share: undefined, anonymous: false };
const view = (more: Partial<DashboardView>) => ({ id: 'a1', official: false, visibility: 'public', ...more }) as DashboardView;
const staff = (permissions: string[]) => setAccount({ id: '1', name: 'ada', avatar: null, role: 'desk', permissions });

beforeAll(async () => {
  await startLanguage();
  await loadTexts('dashboards');
  signIn('token');
});

it('only who may do so puts a public dashboard on the official page, and takes it from there', async () => {
  const sent: unknown[] = [];
  vi.stubGlobal('fetch', (_: string, { body }: { body: string }) => {
    sent.push(JSON.parse(body));
    return Promise.resolve(new Response(JSON.stringify({ status: 'success', data: true }), { headers: { 'Content-Type': 'application/json' } }));
  });
  const client = new QueryClient();
  client.setQueryData(dashboardKey(target), view({}));
  const items = (shown: DashboardView) =>
    renderHook(() => useOfficialItem(shown, target), { wrapper: ({ children }) => <QueryClientProvider client={client}>{children}</QueryClientProvider> }).result.current;
  staff(['system.feedback']);
  expect(items(view({}))).toEqual([]);
  staff(['system.official']);
  expect(items(view({ visibility: 'private' }))).toEqual([]);
  expect(items(view({ official: true })).map(({ label }) => label)).toEqual(['Take from the official dashboards']);
  const [make] = items(view({}));
  await act(async () => {
    make?.onSelect();
    await vi.waitFor(() => expect(client.getQueryData<DashboardView>(dashboardKey(target))?.official).toBe(true));
  });
  expect(sent).toEqual([{ id: 'a1', official: true }]);
  vi.unstubAllGlobals();
});
