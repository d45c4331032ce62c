// @vitest-environment jsdom
import { render, screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import type { Widget, WidgetContent } from '../api';
import { Board } from './board';

const widget = (id: string, content: WidgetContent, more: Partial<Widget> = {}): Widget => ({ id, content, layout: { x: 0, y: 0, w: 4, h: 3 }, ...more });

it('readers see no frame of a text that nobody has written yet', () => {
  const widgets = [
    widget('written', { type: 'text', text: 'x' }),
    widget('empty', { type: 'text', text: ' ' }),
    widget('blank', { type: 'richText', blocks: [{ type: 'paragraph', spans: [] }] }),
    widget('titled', { type: 'markdown', text: '' }, { title: 'Part two' }),
    widget('untitled', { type: 'markdown', text: '' }, { title: 'Part three', showTitle: false }),
  ];
  render(
    <Board content={{ widgets }} shows={[]}>
      {({ id }) => <p>{id}</p>}
    </Board>,
  );
  expect(screen.getAllByRole('paragraph').map(({ textContent }) => textContent)).toEqual(['written', 'titled']);
});
