// @vitest-environment jsdom
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeAll, expect, it } from 'vitest';
import { startLanguage } from '@/i18n';
import { Dialog } from './dialog';
import { Notices, notify } from './notices';
import { popupPlace } from './top-dialog';

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
afterEach(() => {
  cleanup();
  fillScreen(null);
});

const page = (...titles: string[]) => (
  <>
    <Notices />
    {titles.map((title) => (
      <Dialog key={title} title={title} />
    ))}
  </>
);
/** As the browser does when an element fills the screen, or nothing any longer. */
function fillScreen(element: Element | null): void {
  Object.defineProperty(document, 'fullscreenElement', { configurable: true, value: element });
  document.dispatchEvent(new Event('fullscreenchange'));
}

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

it('what failed is told inside of what fills the screen, and in a dialog above it', () => {
  const chart = (
    <>
      <figure />
      <p>beside</p>
    </>
  );
  const { rerender } = render(
    <>
      {page()}
      {chart}
    </>,
  );
  act(() => notify.error('The file could not be saved'));
  const figureOf = () => screen.getByRole('alert').closest('figure');
  expect(figureOf()).toBeNull();
  act(() => fillScreen(document.querySelector('figure')));
  expect(figureOf()).not.toBeNull();
  rerender(
    <>
      {page('Stop')}
      {chart}
    </>,
  );
  expect(figureOf()).toBeNull();
  expect(dialogOf()).toBe('Stop');
  rerender(
    <>
      {page()}
      {chart}
    </>,
  );
  expect(figureOf()).not.toBeNull();
  act(() => fillScreen(null));
  expect(figureOf()).toBeNull();
  fireEvent.click(screen.getByRole('button', { name: 'Close' }));
});

it('what opens at a field opens where it can be seen: in its dialog, in what fills the screen, else over the page', () => {
  render(
    <>
      <figure>
        <input aria-label="In the figure" />
      </figure>
      <dialog open>
        <input aria-label="In the dialog" />
      </dialog>
    </>,
  );
  const figure = document.querySelector('figure');
  expect(popupPlace(screen.getByLabelText('In the figure'))).toBe(document.body);
  expect(popupPlace(screen.getByLabelText('In the dialog')).tagName).toBe('DIALOG');
  act(() => fillScreen(figure));
  expect(popupPlace(screen.getByLabelText('In the figure'))).toBe(figure);
  expect(popupPlace(screen.getByLabelText('In the dialog')).tagName).toBe('DIALOG');
  // A drawer of Ant Design names no field.
  expect(popupPlace()).toBe(figure);
});
