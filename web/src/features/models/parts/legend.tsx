// Colours and what they mean; a click hides or shows a group.
import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import { count } from '@/lib/format';
import { ALONE, SMALLER, type Group, type Groups } from '../look';
import type { Kind, Model } from '../model';
import css from './legend.module.css';

interface Props {
  groups: Groups;
  model: Model;
  /** Colours tell which hub a node hangs on. */
  hubs: boolean;
  hidden: ReadonlySet<string>;
  onToggle: (key: string) => void;
  onHubs: (hubs: boolean) => void;
}

export function Legend({ groups, model, hubs, hidden, onToggle, onHubs }: Props) {
  const name = useGroupName(model);
  const { t } = useTranslation();
  return (
    <section className={css.legend} aria-label={t('models.legend')}>
      <h2>{t(model.clusters ? 'models.clusters' : hubs ? 'models.hubs' : 'models.legend')}</h2>
      {model.layout === 'force' && !model.clusters && (
        <div role="group" aria-label={t('models.colour')} className={css.colour}>
          {[false, true].map((one) => (
            <button key={String(one)} type="button" aria-pressed={hubs === one} onClick={() => onHubs(one)}>
              {t(one ? 'models.byHub' : 'models.byKind')}
            </button>
          ))}
        </div>
      )}
      <ul>
        {groups.groups.map((group) => (
          <li key={group.key}>
            <button type="button" className={css.group} aria-pressed={!hidden.has(group.key)} title={t('models.toggle')} onClick={() => onToggle(group.key)}>
              <span className={css.dot} style={{ background: `var(${group.colour})` }} aria-hidden />
              <span className={css.name}>{name(group)}</span>
              <span className={css.count}>{count(group.count)}</span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** The name of a kind of nodes in the language on show. */
export function useKindName(model: Model): (kind: string) => string {
  const { t } = useTranslation();
  return useCallback((kind) => ((model.kinds as readonly string[]).includes(kind) ? t(`models.kind.${kind as Kind}`) : kind), [model, t]);
}

export function useGroupName(model: Model): (group: Group | undefined) => string {
  const { t } = useTranslation();
  const kindName = useKindName(model);
  return (group) => {
    if (!group) return '';
    if (group.name !== undefined) return t('models.cluster.around', { name: group.name });
    if (group.key === SMALLER || group.key === ALONE) return t(`models.cluster.${group.key}`);
    return model.clusters ? t('models.cluster.number', { number: group.key }) : kindName(group.key);
  };
}
