import { describe, expect, it } from 'vitest';
import type { Parameter, Widget } from '../api';
import { changedValues, defaultValue, givenValues, valuesFor, valuesOf, withValues } from './values';

const token: Parameter = { name: 'token', type: 'text', default: 'WETH' };
const limit: Parameter = { name: 'limit', type: 'number', default: 10 };
const days: Parameter = { name: 'days', type: 'dateRange' };
const kinds: Parameter = { name: 'kinds', type: 'list', multiple: true, options: ['a', 'b'] };
const all = [token, limit, days, kinds];
const widget = (parameters: Record<string, string> = {}): Widget => ({ id: 'w', layout: { x: 0, y: 0, w: 6, h: 6 }, content: { type: 'visualization', visualizationId: 'v', parameters } });

describe('values in the address', () => {
  it('are the defaults where the address says nothing', () => {
    expect(valuesOf(all, new URLSearchParams())).toEqual({ token: 'WETH', limit: '10', days: null, kinds: null });
  });

  it('come back as they were written', () => {
    const values = { token: 'UNI', limit: '115792089237316195423570985008687907853269984665640564039457', days: { start: '2026-01-01', end: '2026-02-01' }, kinds: ['a', 'b'] };
    const search = withValues(new URLSearchParams('id=x'), all, values);
    expect(search.get('id')).toBe('x');
    expect(valuesOf(all, search)).toEqual(values);
  });

  it('are left out when they are the defaults, and say when a default was taken away', () => {
    expect(withValues(new URLSearchParams(), all, valuesOf(all, new URLSearchParams())).toString()).toBe('');
    expect(valuesOf([token], withValues(new URLSearchParams(), [token], { token: null }))).toEqual({ token: null });
  });

  it('of another form than the parameter takes are none', () => {
    expect(valuesOf([days], new URLSearchParams('p_days=2026-01-01'))).toEqual({ days: null });
    expect(defaultValue({ ...days, default: 'yesterday' })).toBeNull();
  });
});

describe('what a query runs with', () => {
  const values = { ...valuesOf(all, new URLSearchParams()), token: 'UNI', limit: '7' };

  it('is nothing when no changed filter concerns it, so that it need not run', () => {
    expect(valuesFor(widget(), [{ name: 'other', type: 'text' }], all, values)).toBeNull();
    expect(valuesFor(widget(), [token], all, valuesOf(all, new URLSearchParams()))).toBeNull();
  });

  it('is the changed values of the parameters it has; numbers keep every digit', () => {
    expect(valuesFor(widget(), [token, limit], all, values)).toEqual({ token: 'UNI', limit: { type: 'number', value: '7' } });
  });

  it('goes to the parameter that the widget names', () => {
    expect(valuesFor(widget({ token: 'symbol' }), [{ name: 'symbol', type: 'text' }], all, values)).toEqual({ symbol: 'UNI' });
  });

  it('is what the filters say from the start where the query would say otherwise', () => {
    const first = valuesOf(all, new URLSearchParams());
    expect(valuesFor(widget(), [{ ...token, default: 'DAI' }, limit], all, first)).toEqual({ token: 'WETH' });
    expect(valuesFor(widget(), [token, { ...limit, default: 50 }], all, first)).toEqual({ limit: { type: 'number', value: '10' } });
  });

  it('is no value where a default was taken away, and the default where the filter never had a value or the query needs one', () => {
    const cleared = { ...values, token: null, limit: '10' };
    expect(valuesFor(widget(), [token, limit], all, cleared)).toEqual({ token: null });
    expect(valuesFor(widget(), [{ ...token, required: true }, limit], all, cleared)).toBeNull();
    expect(valuesFor(widget(), [token], [{ ...token, default: null }], { token: null })).toBeNull();
  });
});

describe('what the server is told of the filters', () => {
  it('is nothing while all are as at first, then all of them that have a value or lost it', () => {
    const first = valuesOf(all, new URLSearchParams());
    expect(changedValues(all, first)).toBeNull();
    expect(changedValues(all, { ...first, limit: '7' })).toEqual({ token: 'WETH', limit: '7' });
    expect(changedValues(all, { ...first, token: null })).toEqual({ token: null, limit: '10' });
    expect(givenValues(all, first)).toEqual({ token: 'WETH', limit: '10' });
  });
});
