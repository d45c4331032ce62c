// The heading of a page of the back office, with what can be done there.
import { useMemo, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { usePage } from '@/lib/page';
import { system, type SystemPageId } from '../pages';
import css from './kit.module.css';

interface PageHeadProps {
  page: SystemPageId;
  /** A line of small words before the actions. */
  note?: ReactNode;
  /** The note is not known yet: it only keeps its room. */
  waiting?: boolean;
  actions?: ReactNode;
}

export function PageHead({ page, note, waiting, actions }: PageHeadProps) {
  const { t } = useTranslation();
  const title = t(`system.pages.${page}`);
  const manage = t('system.manage');
  usePage(title, useMemo(() => [{ title: manage, to: system }], [manage]));
  return (
    <header className={css.head}>
      <h1 tabIndex={-1}>{title}</h1>
      <div className={css.headActions}>
        {note !== undefined && <small data-waiting={waiting}>{note}</small>}
        {actions}
      </div>
    </header>
  );
}
