// @vitest-environment jsdom
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { useState } from 'react';
import { afterEach, beforeAll, expect, test } from 'vitest';
import { TabList } from './tab-list';

// jsdom lays nothing out, so there is nothing to scroll to.
beforeAll(() => {
  Element.prototype.scrollIntoView = () => undefined;
});
afterEach(cleanup);

const tabs = ['Result', 'Bar 1', 'Line 2'].map((name) => ({ key: name, name }));

function Page() {
  const [current, setCurrent] = useState('Result');
  return <TabList tabs={tabs} current={current} label="Result and visualizations" panelId="panel" onChange={setCurrent} />;
}

test('the arrows go from tab to tab and around, and Tab stops only at the open one', () => {
  render(<Page />);
  const list = screen.getByRole('tablist');
  const open = () => screen.getByRole('tab', { selected: true }).textContent;
  screen.getByRole('tab', { name: 'Result' }).focus();
  fireEvent.keyDown(list, { key: 'ArrowRight' });
  expect(open()).toBe('Bar 1');
  expect(document.activeElement?.textContent).toBe('Bar 1');
  fireEvent.keyDown(list, { key: 'End' });
  fireEvent.keyDown(list, { key: 'ArrowRight' });
  expect(open()).toBe('Result');
  fireEvent.keyDown(list, { key: 'ArrowLeft' });
  expect(open()).toBe('Line 2');
  expect(screen.getAllByRole('tab').map((tab) => tab.tabIndex)).toEqual([-1, -1, 0]);
});
