// @vitest-environment jsdom
import { act, cleanup, fireEvent, render, screen, within } from '@testing-library/react';
import { afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { loadTexts, startLanguage } from '@/i18n';
import { Note } from './note';

/** Asks all that watch sizes to look again: jsdom lays nothing out. */
let resize: () => void;

beforeAll(async () => {
  await startLanguage();
  await loadTexts('dashboards');
  HTMLDialogElement.prototype.showModal = function () {
    this.open = true;
  };
  HTMLDialogElement.prototype.close = function () {
    this.open = false;
  };
});

beforeEach(() => {
  vi.stubGlobal(
    'ResizeObserver',
    class {
      constructor(heard: () => void) {
        resize = heard;
      }
      observe() {}
      disconnect() {}
    },
  );
});

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

function note({ height, room, opens = true }: { height: number; room: number; opens?: boolean }) {
  vi.spyOn(Element.prototype, 'scrollHeight', 'get').mockReturnValue(height);
  vi.spyOn(Element.prototype, 'clientHeight', 'get').mockReturnValue(room);
  render(
    <Note label="Guide" titled flat={false} opens={opens}>
      <p>What gas is</p>
    </Note>,
  );
  act(() => resize());
}

it('a text that its card has no room for opens as a whole, and closes again', () => {
  note({ height: 300, room: 60 });
  fireEvent.click(screen.getByRole('button', { name: 'Read all of Guide' }));
  const dialog = screen.getByRole('dialog', { name: 'Guide' });
  expect(within(dialog).getByText('What gas is')).toBeTruthy();
  fireEvent.click(within(dialog).getByRole('button', { name: 'Close' }));
  expect(screen.queryByRole('dialog')).toBeNull();
});

it('a text that is seen as a whole has no button, nor has one that is being arranged', () => {
  note({ height: 60, room: 60 });
  expect(screen.queryByRole('button')).toBeNull();
  cleanup();
  note({ height: 300, room: 60, opens: false });
  expect(screen.queryByRole('button')).toBeNull();
});

it('the keyboard reaches a text, to scroll it', () => {
  note({ height: 300, room: 60 });
  const text = screen.getByRole('group', { name: 'Guide' });
  text.focus();
  expect(document.activeElement).toBe(text);
});
