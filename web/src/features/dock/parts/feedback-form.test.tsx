// @vitest-environment jsdom
import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { MemoryRouter } from 'react-router';
import { afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { ApiError } from '@/api/error';
import { loadTexts, startLanguage } from '@/i18n';
import { forgetFeedback } from '../model/feedback';
import { FeedbackForm } from './feedback-form';

const call = vi.hoisted(() => vi.fn());
vi.mock('@/api/call', () => ({ call }));
vi.mock('@/api/request', () => ({ request: () => Promise.resolve('stored.png') }));

/** Addresses of pictures that the browser still holds. */
const held = new Set<string>();
let made = 0;

beforeAll(async () => {
  await startLanguage();
  await loadTexts('dock');
});

beforeEach(() => {
  call.mockReset();
  call.mockResolvedValue({ ticket: 't' });
  // jsdom has neither.
  Object.assign(URL, {
    createObjectURL: () => {
      made += 1;
      held.add(`blob:${made}`);
      return `blob:${made}`;
    },
    revokeObjectURL: (url: string) => held.delete(url),
  });
});
afterEach(() => {
  cleanup();
  forgetFeedback();
});

const open = (onClose: () => void = () => undefined) =>
  render(
    <MemoryRouter initialEntries={['/home']}>
      <FeedbackForm onClose={onClose} />
    </MemoryRouter>,
  );
const fields = () => screen.getAllByRole<HTMLInputElement>('textbox').map(({ value }) => value);

function write() {
  const [title, content] = screen.getAllByRole('textbox');
  fireEvent.change(title as HTMLElement, { target: { value: 'Slow' } });
  fireEvent.change(content as HTMLElement, { target: { value: 'The list is slow.' } });
  fireEvent.paste(title as HTMLElement, { clipboardData: { files: [new File(['x'], 'list.png', { type: 'image/png' })] } });
}

it('what was written and its pictures are there again when the form was closed', () => {
  const { unmount } = open();
  write();
  unmount();
  open();
  expect(fields()).toEqual(['Slow', 'The list is slow.']);
  screen.getByText('list.png');
  expect(held.size).toBe(1);
});

it('who cancels gives up the text, and the browser lets go of the pictures', () => {
  const onClose = vi.fn();
  const { unmount } = open(onClose);
  write();
  fireEvent.click(screen.getByRole('button', { name: 'Cancel' }));
  expect([onClose.mock.calls.length, held.size]).toEqual([1, 0]);
  unmount();
  open();
  expect(fields()).toEqual(['', '']);
});

it('what was sent is gone from the form, what could not be sent stays with the reason', async () => {
  call.mockRejectedValueOnce(new ApiError('The disk is full.', 'some', 500));
  const onClose = vi.fn();
  const { unmount } = open(onClose);
  write();
  fireEvent.click(screen.getByRole('button', { name: 'Send' }));
  unmount();
  await act(() => Promise.resolve());
  open(onClose);
  await screen.findByText(/The disk is full/);
  expect(fields()).toEqual(['Slow', 'The list is slow.']);
  fireEvent.click(screen.getByRole('button', { name: 'Send' }));
  await waitFor(() => expect(onClose).toHaveBeenCalledOnce());
  expect(call).toHaveBeenLastCalledWith('post', '/api/feedback/upload', { body: { feedbackTitle: 'Slow', feedbackContent: 'The list is slow.', feedbackUrl: '/home', feedbackPhoto: 'stored.png' }, quiet: true });
  expect([fields(), held.size]).toEqual([['', ''], 0]);
});

it('what was given up while it was on its way leaves no failure on the empty form', async () => {
  let fail: (error: Error) => void = () => undefined;
  call.mockImplementationOnce(() => new Promise((_, reject) => { fail = reject; }));
  const { unmount } = open();
  write();
  fireEvent.click(screen.getByRole('button', { name: 'Send' }));
  fireEvent.click(screen.getByRole('button', { name: 'Cancel' }));
  unmount();
  await act(async () => {
    fail(new ApiError('The disk is full.', 'some', 500));
    await Promise.resolve();
  });
  open();
  expect(screen.queryByText(/The disk is full/)).toBeNull();
});
