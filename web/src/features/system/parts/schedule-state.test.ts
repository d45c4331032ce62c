import { expect, it } from 'vitest';
import { conditionOf } from './schedule-state';

const now = 1_000_000;
const run = (state: 'SUCCEEDED' | 'FAILED') => ({ jobId: 'j', state, createTime: 1, elapsedMs: 1 });
const base = { activeJobs: 0, paused: false, nextRunTime: now + 1, runs: [run('SUCCEEDED')] };

it('says what matters most first', () => {
  expect(conditionOf({ ...base, activeJobs: 1, paused: true }, now)).toBe('running');
  expect(conditionOf({ ...base, paused: true, nextRunTime: 0 }, now)).toBe('paused');
  expect(conditionOf({ ...base, nextRunTime: now - 60_001, runs: [run('FAILED')] }, now)).toBe('late');
  expect(conditionOf({ ...base, nextRunTime: now - 60_000 }, now)).toBe('ok');
  expect(conditionOf({ ...base, runs: [run('SUCCEEDED'), run('FAILED')] }, now)).toBe('failed');
  expect(conditionOf({ ...base, runs: [] }, now)).toBe('waiting');
});
