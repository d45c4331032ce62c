// @vitest-environment jsdom
import { render } from '@testing-library/react';
import { expect, it } from 'vitest';
import { useReturnFocus } from './return-focus';

function Panel() {
  useReturnFocus();
  return <input aria-label="inside" />;
}

function Page({ open }: { open: boolean }) {
  return (
    <>
      <button type="button">opener</button>
      <button type="button">other</button>
      {open ? <Panel /> : null}
    </>
  );
}

it('the focus goes back to what opened the panel, unless it is elsewhere already', () => {
  const { getByText, getByLabelText, rerender } = render(<Page open={false} />);
  getByText('opener').focus();
  rerender(<Page open />);
  getByLabelText('inside').focus();
  rerender(<Page open={false} />);
  expect(document.activeElement).toBe(getByText('opener'));

  rerender(<Page open />);
  getByText('other').focus();
  rerender(<Page open={false} />);
  expect(document.activeElement).toBe(getByText('other'));
});
