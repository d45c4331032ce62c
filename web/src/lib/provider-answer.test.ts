// @vitest-environment jsdom
import { expect, it } from 'vitest';
import { keepTarget, startProviderAnswer, takeProviderAnswer, takeTarget } from './provider-answer';

function open(address: string): void {
  history.replaceState(null, '', address);
  startProviderAnswer();
}

it('takes the code out of the address, once', () => {
  open('/auth/provider?code=abc&state=xyz&session_state=1');
  expect(location.href).not.toContain('abc');
  expect(location.pathname + location.search).toBe('/auth/provider');
  expect(takeProviderAnswer()).toEqual({ code: 'abc', state: 'xyz' });
  expect(takeProviderAnswer()).toBeUndefined();
});

it('knows that the provider let nobody in', () => {
  open('/auth/provider?error=access_denied&error_description=No&state=xyz');
  expect(location.search).toBe('');
  expect(takeProviderAnswer()).toBeNull();
});

it.each(['/auth/provider', '/auth/provider?redirect=%2Fuser%2Finfo', '/auth/provider?code=abc', '/user/query?code=abc&state=xyz'])('leaves %s as it is', (address) => {
  open(address);
  expect(location.pathname + location.search).toBe(address);
  expect(takeProviderAnswer()).toBeUndefined();
});

it('a log-in leads to no other site', () => {
  keepTarget('/user/info?a=1');
  expect(takeTarget()).toBe('/user/info?a=1');
  expect(takeTarget()).toBe('/home');
  keepTarget('https://evil.example/');
  expect(takeTarget()).toBe('/home');
});
