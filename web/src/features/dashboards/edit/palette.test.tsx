// @vitest-environment jsdom
// What the editor offers and says before there is something on the board.
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { fireEvent, render, screen } from '@testing-library/react';
import { beforeAll, expect, it, vi } from 'vitest';
import { loadTexts, startLanguage } from '@/i18n';
import { isEmptyText } from '../model/document';
import { EmptyText } from './text-edit';
import { Palette } from './palette';
import { Picker } from './picker';

beforeAll(async () => {
  // jsdom opens no dialogs.
  Object.assign(HTMLDialogElement.prototype, { showModal: vi.fn(), close: vi.fn() });
  await startLanguage();
  await loadTexts('dashboards');
});

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
