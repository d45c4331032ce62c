// @vitest-environment jsdom
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { renderHook, waitFor } from '@testing-library/react';
import type { ReactNode } from 'react';
import { expect, it } from 'vitest';
import { ApiError } from '@/api/error';
import { setLanguage, startLanguage } from '@/i18n';
import { QueryFailed } from './run';
import { useReason } from './use-reason';

const client = new QueryClient();
const wrapper = ({ children }: { children: ReactNode }) => <QueryClientProvider client={client}>{children}</QueryClientProvider>;

it('a model says why its query failed, in the language of the page', async () => {
  await startLanguage();
  const { result } = renderHook(useReason, { wrapper });
  const failed = new QueryFailed('The query ran longer than 20 seconds and was stopped.');
  expect(result.current(failed)).toBe('The query ran longer than 20 seconds and was stopped.');
  expect(result.current(new ApiError('There is no such job.', 'something_new', 404))).toBe('There is no such job.');
  await setLanguage('zh');
  await waitFor(() => expect(result.current(failed)).toBe('查询运行超过 20 秒，已停止。'));
});
