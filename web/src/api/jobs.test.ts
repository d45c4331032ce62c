import { describe, expect, it } from 'vitest';
import { newer, type Job } from './jobs';

const job = (change: Partial<Job>): Job => ({ jobId: 'a', kind: 'SQL', state: 'RUNNING', progress: 0, detail: null, createTime: 0, startTime: null, finishTime: null, elapsedMs: 0, rows: null, message: '', code: null, position: null, title: '', userName: '', version: 1, ...change });

describe('the newer snapshot', () => {
  it('is the one with the higher version, and keeps the text', () => {
    expect(newer(job({ version: 3, text: 'select 1' }), job({ version: 4, progress: 50 }))).toMatchObject({ progress: 50, text: 'select 1' });
    expect(newer(job({ version: 3, progress: 60 }), job({ version: 2, progress: 50 })).progress).toBe(60);
  });
  it('never goes back from the end', () => {
    expect(newer(job({ state: 'SUCCEEDED', version: 0 }), job({ version: 9 })).state).toBe('SUCCEEDED');
    expect(newer(job({ version: 9 }), job({ state: 'SUCCEEDED', version: 0 })).state).toBe('SUCCEEDED');
  });
  it('is another job when the job changed', () => {
    expect(newer(job({ version: 9 }), job({ jobId: 'b' })).jobId).toBe('b');
    expect(newer(undefined, job({})).jobId).toBe('a');
  });
});
