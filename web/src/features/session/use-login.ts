// Logging in by steps: the password, and what the server asks for after it.
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { login } from '@/api/account';
import { ApiError } from '@/api/error';

/** What a login needs beside name and password: a code of the second factor, or one sent to the owner. */
export type Step = 'password' | 'second' | 'sent';

export function useLogin(onToken: (token: string) => void) {
  const [step, setStep] = useState<Step>('password');
  const entering = useMutation({
    mutationFn: login,
    onSuccess: onToken,
    onError: (error) => {
      if (!(error instanceof ApiError)) return;
      if (error.code === 'second_factor_required' || error.code === 'wrong_second_factor') setStep('second');
      if (error.code === 'account_slowed') setStep('sent');
      // A code that was sent works once: the next password needs another one.
      if (error.code === 'wrong_login' && step === 'second') setStep('password');
    },
  });
  // The first question for the code is no mistake of the person.
  const error = entering.error instanceof ApiError && entering.error.code === 'second_factor_required' ? null : entering.error;
  const startOver = () => {
    entering.reset();
    setStep('password');
  };
  return { step, error, entering: entering.isPending, enter: entering.mutate, startOver };
}
