// @vitest-environment jsdom
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { fireEvent, render, screen, waitFor } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { loadTexts, startLanguage } from '@/i18n';
import { AddTag } from './add-tag';

const call = vi.hoisted(() => vi.fn());
vi.mock('@/api/call', () => ({ call }));

// jsdom has dialogs without their methods, and measures nothing.
HTMLDialogElement.prototype.showModal = function () {
  this.open = true;
};
HTMLDialogElement.prototype.close = () => undefined;
vi.stubGlobal('ResizeObserver', class { observe() { return undefined; } unobserve() { return undefined; } disconnect() { return undefined; } });

interface Options {
  query: { kind: string; search: string };
}

it('a creation is found by its title among all there are, and only among those of its kind', async () => {
  await startLanguage();
  await loadTexts('community');
  const card = (id: string, title: string) => ({ id, title, kind: 'query', titleZh: null });
  call.mockImplementation((method: string, _path: string, { query }: Options) => {
    if (method === 'post') return Promise.resolve(['fees']);
    const items = query.kind === 'dashboard' ? [card('d1', 'Board of today')] : query.search === 'older' ? [card('q900', 'An older query')] : [card('q1', 'Query of today')];
    return Promise.resolve({ items, total: 900 });
  });
  const onAdded = vi.fn();
  render(
    <QueryClientProvider client={new QueryClient()}>
      <AddTag onAdded={onAdded} onClose={() => undefined} />
    </QueryClientProvider>,
  );
  const choose = async (box: string, option: string) => {
    fireEvent.mouseDown(screen.getByLabelText(box));
    fireEvent.click(await screen.findByTitle(option));
  };
  await choose('Kind', 'Dashboard');
  fireEvent.mouseDown(screen.getByLabelText('Which one'));
  await screen.findByTitle('Board of today');
  await choose('Kind', 'Query');
  fireEvent.mouseDown(screen.getByLabelText('Which one'));
  expect(screen.queryByTitle('Board of today')).toBeNull();
  fireEvent.change(screen.getByLabelText('Which one'), { target: { value: 'older' } });
  fireEvent.click(await screen.findByTitle('An older query'));
  fireEvent.change(screen.getByLabelText('Tag'), { target: { value: 'fees' } });
  fireEvent.click(screen.getByText('Add tag', { selector: 'button' }));
  await waitFor(() => expect(onAdded).toHaveBeenCalledOnce());
  expect(call).toHaveBeenLastCalledWith('post', '/api/tag/add', { body: { entity: 'query', id: 'q900', tag: 'fees' }, quiet: true });
});
