// Logging in at a provider: sends the person there, and takes them in when they come back.
import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate, useSearchParams } from 'react-router';
import { beginProviderLogin, providerLogin } from '@/api/account';
import { messageOf } from '@/api/error';
import { safeRedirect } from '@/lib/guard';
import { usePage } from '@/lib/page';
import { paths } from '@/lib/paths';
import { keepTarget, takeProviderAnswer, takeTarget, type ProviderAnswer } from '@/lib/provider-answer';
import { signIn } from '@/lib/session';
import { Button, ButtonLink } from '@/ui/button';
import { Refusal } from './form-head';
import { useLoginOptions } from './use-login-options';
import css from './session.module.css';

/** The page of the provider to go to, or the token of whoever came back from it; neither for a person who turned back. */
type Outcome = { page: string } | { token: string } | null;

export function Component() {
  const { t } = useTranslation();
  usePage(t('session.provider.title'));
  const [search] = useSearchParams();
  const navigate = useNavigate();
  const { data: options } = useLoginOptions();
  const entering = useMutation({
    mutationFn: async (answer: ProviderAnswer | undefined): Promise<Outcome> => {
      if (answer === null) return null;
      if (answer) return { token: await providerLogin(answer) };
      keepTarget(safeRedirect(search.get('redirect'), location.origin));
      return { page: await beginProviderLogin() };
    },
    onSuccess: (outcome) => {
      if (outcome === null) return;
      if ('token' in outcome) {
        signIn(outcome.token);
        void navigate(takeTarget(), { replace: true });
        return;
      }
      // In place of this page: who goes back from there comes to where they were before.
      location.replace(outcome.page);
    },
  });
  const { mutate } = entering;
  const begun = useRef(false);
  useEffect(() => {
    if (begun.current) return;
    begun.current = true;
    mutate(takeProviderAnswer());
  }, [mutate]);

  const name = options?.provider?.label ?? t('session.provider.company');
  const problem = entering.error ? messageOf(entering.error) : entering.data === null ? t('session.provider.turnedBack') : null;
  return (
    <div className={css.form}>
      <h1>{t('session.provider.title')}</h1>
      {problem === null ? (
        <p className={css.note} role="status">
          {t('session.provider.waiting', { name })}
        </p>
      ) : (
        <>
          <Refusal message={problem} />
          <Button kind="primary" size="large" block onClick={() => mutate(undefined)}>
            {t('session.provider.again')}
          </Button>
          <ButtonLink size="large" block to={paths.login}>
            {t('session.provider.loginPage')}
          </ButtonLink>
        </>
      )}
    </div>
  );
}
