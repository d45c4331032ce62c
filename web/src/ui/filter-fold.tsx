// The filters of a list: as they are where there is room; on a phone behind a button that says how many are set.
import { ChevronDown, SlidersHorizontal } from 'lucide-react';
import { useId, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from './button';
import css from './filter-fold.module.css';

interface Props {
  /** How many filters differ from what they are at first. */
  active: number;
  /** Forms of filters; sending one folds them away, so that what it found is in sight. */
  children: ReactNode;
}

export function FilterFold({ active, children }: Props) {
  const { t } = useTranslation();
  const id = useId();
  const [open, setOpen] = useState(false);
  return (
    <div className={css.fold} onSubmit={() => setOpen(false)}>
      <Button className={css.toggle} icon={<SlidersHorizontal size={16} strokeWidth={1.6} />} aria-expanded={open} aria-controls={id} onClick={() => setOpen(!open)}>
        {t('common.filters.name')}
        {active > 0 && (
          <span className={css.count}>
            <span aria-hidden>{active}</span>
            <span className="visually-hidden">{t('common.filters.set', { active })}</span>
          </span>
        )}
        <ChevronDown className={css.arrow} size={16} strokeWidth={1.6} aria-hidden />
      </Button>
      <div id={id} className={css.content} data-open={open}>
        {children}
      </div>
    </div>
  );
}
