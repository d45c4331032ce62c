// @vitest-environment jsdom
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeAll, expect, it } from 'vitest';
import { startLanguage } from '@/i18n';
import { Dialog } from './dialog';
import { Notices, notify } from './notices';

beforeAll(async () => {
  // jsdom has the element without its methods.
  HTMLDialogElement.prototype.showModal = function () {
    this.open = true;
  };
  HTMLDialogElement.prototype.close = function () {
    this.open = false;
  };
  await startLanguage();
});
afterEach(cleanup);

const page = (...titles: string[]) => (
  <>
    <Notices />
    {titles.map((title) => (
      <Dialog key={title} title={title} />
    ))}
  </>
);
const dialogOf = () => screen.getByRole('alert').closest('dialog')?.querySelector('h2')?.textContent;

it('what failed is told in the dialog that covers the page, and can be closed there', () => {
  const { rerender } = render(page());
  act(() => notify.error('No connection'));
  expect(dialogOf()).toBeUndefined();
  rerender(page('Delete'));
  expect(dialogOf()).toBe('Delete');
  rerender(page('Delete', 'Log in'));
  expect(dialogOf()).toBe('Log in');
  rerender(page('Delete'));
  expect(dialogOf()).toBe('Delete');
  rerender(page());
  expect(dialogOf()).toBeUndefined();
  rerender(page('Delete'));
  fireEvent.click(screen.getByRole('button', { name: 'Close' }));
  expect(screen.queryByRole('alert')).toBeNull();
});
