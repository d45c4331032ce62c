import { expect, it } from 'vitest';
import { conditionOf, elapsedOf } from './schedule-state';

const now = 1_000_000;
const run = (state: 'SUCCEEDED' | 'FAILED') => ({ jobId: 'j', state, createTime: 1, startTime: 1, finishTime: 2, elapsedMs: 1, progress: 100 });
const base = { activeJobs: 0, paused: false, nextRunTime: now + 1, runs: [run('SUCCEEDED')] };

it('says what matters most first', () => {
  expect(conditionOf({ ...base, activeJobs: 1, paused: true }, now)).toBe('running');
  expect(conditionOf({ ...base, paused: true, nextRunTime: 0 }, now)).toBe('paused');
  expect(conditionOf({ ...base, nextRunTime: now - 60_001, runs: [run('FAILED')] }, now)).toBe('late');
  expect(conditionOf({ ...base, nextRunTime: now - 60_000 }, now)).toBe('ok');
  expect(conditionOf({ ...base, runs: [run('SUCCEEDED'), run('FAILED')] }, now)).toBe('failed');
  expect(conditionOf({ ...base, runs: [] }, now)).toBe('waiting');
});

it('says how long a run took, or has run so far', () => {
  expect(elapsedOf({ startTime: 100, finishTime: 350, elapsedMs: 250 }, now)).toBe(250);
  expect(elapsedOf({ startTime: now - 70, finishTime: null, elapsedMs: null }, now)).toBe(70);
  expect(elapsedOf({ startTime: null, finishTime: null, elapsedMs: null }, now)).toBeNull();
  // Killed before it started.
  expect(elapsedOf({ startTime: null, finishTime: 5, elapsedMs: null }, now)).toBeNull();
  expect(elapsedOf(undefined, now)).toBeNull();
});
