// How accounts are made on this server.
import { useQuery } from '@tanstack/react-query';
import { registrationRules } from './account';

export const useRegistrationRules = () => useQuery({ queryKey: ['registration rules'], queryFn: ({ signal }) => registrationRules(signal), staleTime: Infinity });
