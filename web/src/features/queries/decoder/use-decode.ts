/** One request to the decoder: its transactions arrive one by one over the websocket, the answer then says it all. */
import { useMutation } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { call, type Schemas } from '@/api/call';
import { randomHex } from '@/lib/random';
import { live } from '@/live/socket';
import type { Wanted } from './read';

export type Decoded = Schemas['DecodedTransaction'];
type Answer = Schemas['DecodeAnswer'];
type State = Schemas['DecoderState'];

export interface Decoding {
  /** What is there: all of it at the end, what has arrived before. */
  readonly shown: Answer | null;
  /** Transactions that were asked for. */
  readonly asked: number;
  readonly busy: boolean;
  readonly error: Error | null;
  readonly start: (wanted: Extract<Wanted, { ok: true }>) => void;
}

interface Heard {
  readonly requestId: string;
  readonly transactions: readonly Decoded[];
  readonly count: number;
}

const nothing: Heard = { requestId: '', transactions: [], count: 0 };

export function useDecode(): Decoding {
  const [heard, setHeard] = useState(nothing);
  useEffect(
    () =>
      live.listen(({ type, data }) => {
        if (type !== 'decoder.state') return;
        const { requestId, hash, decodedResult, count } = data as State;
        setHeard((now) => (now.requestId === requestId ? { ...now, count, transactions: [...now.transactions, { hash, decodedResult: decodedResult as Decoded['decodedResult'] }] } : now));
      }),
    [],
  );
  const asking = useMutation({
    mutationFn: ({ body, requestId }: { body: Extract<Wanted, { ok: true }>['body']; requestId: string }) => call('post', '/api/decoder/decode', { body: { ...body, requestId }, quiet: true }),
    onMutate: ({ requestId }) => setHeard({ ...nothing, requestId }),
  });
  const streamed: Answer | null = asking.isPending && heard.transactions.length > 0 ? { transactions: [...heard.transactions], count: heard.count } : null;
  return {
    shown: asking.data ?? streamed,
    asked: asking.variables?.body.hashes?.length ?? 0,
    busy: asking.isPending,
    error: asking.error,
    start: ({ body }) => asking.mutate({ body, requestId: randomHex(16) }),
  };
}
