// @vitest-environment jsdom
import { beforeEach, expect, it } from 'vitest';
import { clickOf } from './click';

beforeEach(() => {
  document.body.innerHTML = `
    <p id="text">Only read</p>
    <a id="link" href="/community/discover?tab=queries"><b id="inside">  All
      queries </b></a>
    <button id="icon" aria-label="Dark theme"><svg></svg></button>
    <input id="field" name="password" value="s3cret" />`;
});

const on = (id: string) => clickOf(document.getElementById(id));

it('says what was used, by the name people see', () => {
  expect(on('inside')).toEqual({ title: 'All queries', behavior: 'a /community/discover?tab=queries' });
  expect(on('icon')).toEqual({ title: 'Dark theme', behavior: 'button' });
});

it('is silent about clicks on text', () => expect(on('text')).toBeNull());

it('never tells what is typed in a field', () => expect(JSON.stringify(on('field'))).not.toContain('s3cret'));
