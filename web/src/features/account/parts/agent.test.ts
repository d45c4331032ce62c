import { expect, it } from 'vitest';
import { nameOf } from './agent';

it('names browsers that name others too', () => {
  const chrome = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Safari/537.36';
  expect(nameOf(chrome)).toEqual({ browser: 'Chrome', system: 'Linux' });
  expect(nameOf(`${chrome} Edg/130.0.0.0`)).toEqual({ browser: 'Edge', system: 'Linux' });
  expect(nameOf('Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Version/18.0 Mobile/15E148 Safari/604.1')).toEqual({ browser: 'Safari', system: 'iOS' });
  expect(nameOf('Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:131.0) Gecko/20100101 Firefox/131.0')).toEqual({ browser: 'Firefox', system: 'Windows' });
});

it('names programs by their first word, and says when there is none', () => {
  expect(nameOf('curl/8.5.0')).toEqual({ browser: 'curl', system: null });
  expect(nameOf('psql (PostgreSQL)')).toEqual({ browser: 'psql', system: null });
  expect(nameOf('  ')).toBeNull();
});
