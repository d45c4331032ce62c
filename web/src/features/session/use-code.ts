// Codes that prove an email address or a phone number: where they can be sent, sending one, and when the next may follow.
import { useMutation, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { codeChannels, sendCode, type CodePurpose, type Contact } from '@/api/account';

/** The server sends no second code sooner. */
const pauseSeconds = 60;

export function useChannels() {
  return useQuery({ queryKey: ['code channels'], queryFn: ({ signal }) => codeChannels(signal), staleTime: Infinity });
}

export interface CodeSender {
  send: (contact: Contact, to: string) => void;
  sending: boolean;
  /** Seconds until another one can be sent; 0 when it can. */
  wait: number;
  /** Whether one was sent on this page. */
  sent: boolean;
  error: Error | null;
}

export function useCode(purpose: CodePurpose): CodeSender {
  const { send, ...state } = useSending(({ contact, to }: { contact: Contact; to: string }) => sendCode(contact, to, purpose));
  return { ...state, send: (contact, to) => send({ contact, to }) };
}

/** Sends something that the server sends once a minute. */
export function useSending<To>(sendTo: (to: To) => Promise<void>) {
  const [wait, setWait] = useState(0);
  const sending = useMutation({ mutationFn: sendTo, onSuccess: () => setWait(pauseSeconds) });
  useEffect(() => {
    if (wait === 0) return;
    const timer = setTimeout(() => setWait(wait - 1), 1000);
    return () => clearTimeout(timer);
  }, [wait]);
  return { send: (to: To) => sending.mutate(to), sending: sending.isPending, wait, sent: sending.isSuccess, error: sending.error };
}
