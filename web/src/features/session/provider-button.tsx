// The way to the provider, on the log-in page.
import { Building2 } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { Schemas } from '@/api/call';
import { paths } from '@/lib/paths';
import { ButtonLink } from '@/ui/button';
import css from './session.module.css';

interface ProviderButtonProps {
  provider: Schemas['LoginProvider'];
  /** Where the log-in leads. */
  target: string;
  /** Whether the form for passwords stands above it. */
  beside: boolean;
}

export function ProviderButton({ provider, target, beside }: ProviderButtonProps) {
  const { t } = useTranslation();
  const { label, available } = provider;
  return (
    <div className={css.provider}>
      {beside && <p className={css.or}>{t('session.provider.or')}</p>}
      <ButtonLink kind={beside ? 'default' : 'primary'} size="large" block icon={<Building2 size={17} strokeWidth={1.6} />} to={`${paths.provider}?${new URLSearchParams({ redirect: target }).toString()}`}>
        {label ? t('session.provider.with', { name: label }) : t('session.provider.company')}
      </ButtonLink>
      {!available && <p className={css.note}>{t('session.provider.away')}</p>}
    </div>
  );
}
