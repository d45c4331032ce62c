// How people log in here: with passwords, at a provider, or both.
import { useQuery } from '@tanstack/react-query';
import { loginOptions } from '@/api/account';

/** Without an answer the form for passwords is there, as on most servers. */
export const useLoginOptions = () => useQuery({ queryKey: ['login options'], queryFn: ({ signal }) => loginOptions(signal), retry: false, staleTime: 10_000 });
