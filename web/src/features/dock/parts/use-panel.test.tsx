// @vitest-environment jsdom
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { Activity, useState } from 'react';
import { afterEach, expect, it } from 'vitest';
import { usePanel } from './use-panel';

function Panel({ onClose }: { onClose: () => void }) {
  const panel = usePanel(onClose);
  return (
    <section ref={panel} tabIndex={-1}>
      <input aria-label="inside" />
    </section>
  );
}

function Page() {
  const [open, setOpen] = useState(false);
  const [hidden, setHidden] = useState(false);
  return (
    <>
      <button type="button" onClick={() => setOpen(!open)}>panel</button>
      <button type="button" onClick={() => setHidden(!hidden)}>another page</button>
      <textarea aria-label="query" />
      <Activity mode={hidden ? 'hidden' : 'visible'}>{open ? <Panel onClose={() => setOpen(false)} /> : null}</Activity>
    </>
  );
}

afterEach(cleanup);

const press = (name: string) => {
  const button = screen.getByRole('button', { name });
  button.focus();
  fireEvent.click(button);
};
const focused = () => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent;

it('takes the focus when it opens, and gives it back when it is closed from inside', () => {
  render(<Page />);
  press('panel');
  expect(focused()).toBe('inside');
  fireEvent.keyDown(screen.getByLabelText('inside'), { key: 'Escape' });
  expect(focused()).toBe('panel');
});

it('takes it from nobody who is elsewhere: neither when it goes, nor when it is in sight again', () => {
  render(<Page />);
  press('panel');
  screen.getByLabelText('query').focus();
  // As feedback does that was sent.
  fireEvent.click(screen.getByRole('button', { name: 'panel' }));
  expect(focused()).toBe('query');
  press('panel');
  press('another page');
  press('another page');
  expect(screen.getByLabelText('inside')).toBeTruthy();
  expect(focused()).toBe('another page');
});
