// New blocks over the websocket: what pages know of the chain follows without asking.
import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { ChainHead } from '@/api/chain';
import { live } from './socket';

/** Keeps the chain's state fresh by the heads that the server tells, while `wanted`. */
export function useHeads(wanted: boolean): void {
  const client = useQueryClient();
  useEffect(() => {
    if (!wanted) return;
    return live.listen(({ type, data }) => {
      if (type !== 'chain.head') return;
      const head = data as ChainHead;
      // The head at once; its block and the counts of rows come with the next answer.
      client.setQueryData<{ head?: ChainHead | null }>(['chain'], (now) => now && { ...now, head, dataAsOf: head.time });
      void client.invalidateQueries({ queryKey: ['chain'] });
    });
  }, [wanted, client]);
}
