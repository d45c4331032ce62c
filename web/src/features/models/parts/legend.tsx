// Colours and what they mean; a click hides or shows a group.
import { useTranslation } from 'react-i18next';
import { count } from '@/lib/format';
import { ALONE, SMALLER, type Groups } from '../look';
import type { Kind, Model } from '../model';
import css from './legend.module.css';

interface Props {
  groups: Groups;
  model: Model;
  hidden: ReadonlySet<string>;
  onToggle: (key: string) => void;
}

export function Legend({ groups, model, hidden, onToggle }: Props) {
  const name = useGroupName(model);
  const { t } = useTranslation();
  return (
    <section className={css.legend} aria-label={t('models.legend')}>
      <h2>{t(model.clusters ? 'models.clusters' : 'models.legend')}</h2>
      <ul>
        {groups.groups.map((group) => (
          <li key={group.key}>
            <button type="button" aria-pressed={!hidden.has(group.key)} title={t('models.toggle')} onClick={() => onToggle(group.key)}>
              <span className={css.dot} style={{ background: `var(${group.colour})` }} aria-hidden />
              <span className={css.name}>{name(group.key)}</span>
              <span className={css.count}>{count(group.count)}</span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}

export function useGroupName(model: Model): (key: string) => string {
  const { t } = useTranslation();
  return (key) => {
    if (!model.clusters) return (model.kinds as readonly string[]).includes(key) ? t(`models.kind.${key as Kind}`) : key;
    if (key === SMALLER || key === ALONE) return t(`models.cluster.${key}`);
    return t('models.cluster.number', { number: key });
  };
}
