import { describe, expect, it } from 'vitest';
import { guard, isAuthPage, isOpen, safeRedirect } from './guard';

const place = (pathname: string, search = '', hash = '') => ({ pathname, search, hash });
const origin = 'https://quarry.example';

describe('guard', () => {
  it.each(['/home', '/start', '/user/query', '/user/my-query', '/user/query/', '/platform/FAQ', '/developer-apis/change-log', '/visualization_model/airdrop_model', '/404', '/'])(
    'a visitor may open %s',
    (path) => expect(guard(place(path), 'none', origin)).toBeNull(),
  );

  it.each(['/user/info', '/community/favorites', '/community/my-creations', '/auth/reset', '/system/user', '/chatpage', '/user/my-dashboard/preview', '/platformer', '/homes'])(
    'a visitor who opens %s is asked to log in and comes back',
    (path) => expect(guard(place(path, '?a=1&b=2', '#x'), 'none', origin)).toBe(`/auth/login?redirect=${encodeURIComponent(`${path}?a=1&b=2#x`)}`),
  );

  it('a person who is signed in has no use for login and register', () => {
    expect(guard(place('/auth/login'), 'known', origin)).toBe('/');
    expect(guard(place('/auth/register'), 'known', origin)).toBe('/');
    expect(guard(place('/user/info'), 'known', origin)).toBeNull();
  });

  it('who comes back from a provider is let in, whoever is logged in here', () => {
    for (const login of ['none', 'known', 'fresh'] as const) expect(guard(place('/auth/provider'), login, origin)).toBeNull();
  });

  it('a person who has just logged in goes on to where the login leads', () => {
    expect(guard(place('/auth/login', '?redirect=%2Fuser%2Finfo%3Fa%3D1'), 'fresh', origin)).toBe('/user/info?a=1');
    expect(guard(place('/auth/register', '?redirect=https%3A%2F%2Fevil.example'), 'fresh', origin)).toBe('/home');
    expect(guard(place('/auth/login'), 'fresh', origin)).toBe('/home');
  });

  it('knows the pages that show failures themselves', () => {
    expect(['/auth/login', '/auth/register', '/auth/forget', '/auth/reset', '/auth/provider'].every(isAuthPage)).toBe(true);
    expect(isAuthPage('/auth/loginx')).toBe(false);
    expect(isOpen('/auth/reset')).toBe(false);
  });
});

describe('safeRedirect', () => {
  it.each(['/user/info', '/user/dashboard?id=ODIxOA', '/community/favorites#top', '/a//b'])('follows %s', (to) => expect(safeRedirect(to, origin)).toBe(to));

  it.each([
    null,
    '',
    'https://evil.example/',
    '//evil.example',
    '/\\evil.example',
    '\\\\evil.example',
    '/\t/evil.example',
    '/\n/evil.example',
    ' //evil.example',
    'javascript:alert(1)',
    'data:text/html,x',
    '/..//evil.example',
    '/.//evil.example',
    '/auth/login?redirect=/auth/login',
    '/auth/register',
    '/auth/provider',
    '/x/../auth/login',
    'user/info',
  ])('does not follow %j', (to) => expect(safeRedirect(to, origin)).toBe('/home'));
});
