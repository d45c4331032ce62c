// @vitest-environment jsdom
// What the editor offers and says before there is something on the board.
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeAll, expect, it, vi } from 'vitest';
import { call } from '@/api/call';
import { ApiError } from '@/api/error';
import { loadTexts, startLanguage } from '@/i18n';
import { isEmptyText } from '../model/document';
import { EmptyText } from './text-edit';
import { Palette } from './palette';
import { Picker } from './picker';

vi.mock('@/api/call', async (original) => ({ ...(await original<object>()), call: vi.fn(() => new Promise(() => undefined)) }));

beforeAll(async () => {
  // jsdom opens no dialogs.
  Object.assign(HTMLDialogElement.prototype, { showModal: vi.fn(), close: vi.fn() });
  await startLanguage();
  await loadTexts('dashboards');
});

afterEach(cleanup);

const inClient = (children: React.ReactNode) => <QueryClientProvider client={new QueryClient()}>{children}</QueryClientProvider>;

it('a 3D model is among the widgets, and is chosen by its title', async () => {
  const onAdd = vi.fn();
  const { unmount } = render(inClient(<Palette used={new Set()} onAdd={onAdd} onVisualization={vi.fn()} onCarry={vi.fn()} />));
  fireEvent.click(screen.getByRole('button', { name: '3D model' }));
  expect(onAdd).toHaveBeenCalledWith('model');
  unmount();
  const onModel = vi.fn();
  render(inClient(<Picker kind="model" used={new Set()} onChoose={vi.fn()} onModel={onModel} onClose={vi.fn()} />));
  fireEvent.click(await screen.findByRole('button', { name: 'DAO', hidden: true }));
  expect(onModel).toHaveBeenCalledWith('dao');
});

it('a text without words says so in the editor', () => {
  render(<EmptyText />);
  expect(screen.getByText(/^Nothing written yet\. Click here to write/)).toBeTruthy();
  expect(isEmptyText({ type: 'markdown', text: ' \n' })).toBe(true);
  expect(isEmptyText({ type: 'richText', blocks: [] })).toBe(true);
  expect(isEmptyText({ type: 'richText', blocks: [{ type: 'divider' }] })).toBe(false);
  expect(isEmptyText({ type: 'text', text: 'x' })).toBe(false);
  expect(isEmptyText({ type: 'filter', parameter: 'day' })).toBe(false);
});

it('a search is sent once nobody types, in place of the one before, and keeps its field when it fails', async () => {
  vi.useFakeTimers();
  const asked: { search: string; signal: AbortSignal }[] = [];
  const answers = [() => Promise.resolve({ items: [{ id: 'v', title: 'Fees' }], total: 1 }), () => new Promise(() => undefined), () => Promise.reject(new ApiError('The server could not be reached.', 'network', 0))];
  vi.mocked(call).mockImplementation(((_method: string, _path: string, { query, signal }: { query: { search: string }; signal: AbortSignal }) => {
    asked.push({ search: query.search, signal });
    return answers[asked.length - 1]?.();
  }) as unknown as typeof call);
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  render(
    <QueryClientProvider client={client}>
      <Palette used={new Set()} onAdd={vi.fn()} onVisualization={vi.fn()} onCarry={vi.fn()} />
    </QueryClientProvider>,
  );
  const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));
  await pass(0);
  const box = screen.getByRole<HTMLInputElement>('searchbox');
  const type = (text: string) => fireEvent.change(box, { target: { value: text } });
  for (const text of ['g', 'ga', 'gas']) {
    type(text);
    await pass(100);
  }
  expect(asked.map(({ search }) => search)).toEqual(['']);
  await pass(300);
  type('gas price');
  await pass(300);
  expect(asked.map(({ search }) => search)).toEqual(['', 'gas', 'gas price']);
  expect(asked[1]?.signal.aborted).toBe(true);
  await pass(10);
  screen.getByRole('alert');
  expect(screen.getByRole('searchbox')).toBe(box);
  expect(box.value).toBe('gas price');
  vi.useRealTimers();
});
