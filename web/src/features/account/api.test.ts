import { afterEach, expect, it, vi } from 'vitest';
import { saveInfo } from './api';

afterEach(() => vi.unstubAllGlobals());

it('tags of the profile are those that others find the person by', async () => {
  const asked: string[] = [];
  vi.stubGlobal('fetch', (url: string, { method, body }: { method: string; body?: string }) => {
    asked.push([method, url.replace(/^\/api/, ''), body ?? ''].join(' ').trim());
    const data = url.includes('creator/detail') ? { tags: ['DeFi', 'old'] } : {};
    return Promise.resolve(new Response(JSON.stringify({ status: 'success', data }), { headers: { 'Content-Type': 'application/json' } }));
  });
  await saveInfo('ada', { career: ' Analyst ', address: '', tags: ['defi', 'nft', 'gas'] });
  expect(asked).toEqual([
    'PUT /system/user/updateUserInfo?career=Analyst&address=&tag=defi%2Cnft%2Cgas',
    'GET /creator/detail?userName=ada',
    'POST /tag/remove {"entity":"user","id":"ada","tag":"old"}',
    'POST /tag/add {"entity":"user","id":"ada","tag":"nft"}',
    'POST /tag/add {"entity":"user","id":"ada","tag":"gas"}',
  ]);
});
