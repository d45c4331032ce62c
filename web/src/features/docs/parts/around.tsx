// The pages before and after.
import { ArrowLeft, ArrowRight } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { DocPage, Place } from '../nav';
import css from '../docs.module.css';

export function Around({ place }: { place: Place }) {
  const { t } = useTranslation();
  return (
    <nav className={css.around} aria-label={t('docs.around')}>
      {place.before ? <Neighbour page={place.before} side="before" /> : null}
      {place.after ? <Neighbour page={place.after} side="after" /> : null}
    </nav>
  );
}

function Neighbour({ page, side }: { page: DocPage; side: 'before' | 'after' }) {
  const { t } = useTranslation();
  const icon = { size: 16, strokeWidth: 1.6, 'aria-hidden': true };
  return (
    <Link to={`/${page.id}`} data-side={side}>
      <span>{t(`docs.${side}`)}</span>
      <strong>
        {side === 'before' ? <ArrowLeft {...icon} /> : null}
        {t(`docs.page.${page.name}`)}
        {side === 'after' ? <ArrowRight {...icon} /> : null}
      </strong>
    </Link>
  );
}
