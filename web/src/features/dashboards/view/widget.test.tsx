// @vitest-environment jsdom
import { cleanup, render, screen } from '@testing-library/react';
import { MemoryRouter } from 'react-router';
import { afterEach, beforeAll, expect, it } from 'vitest';
import { loadTexts, startLanguage } from '@/i18n';
import type { Target, WidgetContent } from '../api';
import { WidgetCard } from './widget';

beforeAll(async () => {
  await startLanguage();
  await loadTexts('dashboards');
});

afterEach(cleanup);

const target: Target = { id: 'd', share: undefined, anonymous: false };

const card = (content: WidgetContent, bare: boolean) =>
  render(
    <MemoryRouter>
      <WidgetCard widget={{ id: 'w', content, layout: { x: 0, y: 0, w: 4, h: 3 } }} show={undefined} target={target} run={undefined} filtered={null} onRun={null} filter={(name) => <p>{name}</p>} bare={bare} />
    </MemoryRouter>,
  ).container;

it('what has no title and no menu has no line for them', () => {
  expect(card({ type: 'filter', parameter: 'day' }, false).querySelector('header')).toBeNull();
  expect(card({ type: 'model', model: 'dao_model' }, false).querySelector('header')).toBeNull();
});

it('a 3D model says which one it is; in a frame on another site nothing leads away', async () => {
  card({ type: 'model', model: 'dao_model' }, true);
  expect(await screen.findByText('DAO')).toBeTruthy();
  expect(screen.queryByRole('link')).toBeNull();
});
