// All shortcuts on one card.
import { useTranslation } from 'react-i18next';
import { setOneKey, useOneKey } from '@/lib/shortcuts';
import { Button } from '@/ui/button';
import { Dialog } from '@/ui/dialog';
import { creates, nav } from './nav';
import css from './help.module.css';

export function Help({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const oneKey = useOneKey();
  const rows: [string[], string][] = [
    ...nav.flatMap((entry): [string[], string][] => (entry.key === undefined ? [] : [[['g', entry.key], t(`shell.nav.${entry.name}`)]])),
    ...creates.map((entry): [string[], string] => [['n', entry.key], t(`shell.create.${entry.name}`)]),
    [['Ctrl', 'K'], t('shell.search')],
    [['/'], t('shell.searchPage')],
    [['['], t('shell.toggleSidebar')],
    [['?'], t('shell.shortcuts')],
  ];
  return (
    <Dialog
      title={t('shell.shortcuts')}
      onClose={onClose}
      actions={
        <Button kind="primary" onClick={onClose}>
          {t('common.close')}
        </Button>
      }
    >
      <dl className={css.list}>
        {rows.map(([keys, name]) => (
          <div key={keys.join(' ')}>
            <dt>{name}</dt>
            <dd>
              {keys.map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dd>
          </div>
        ))}
      </dl>
      <label className={css.oneKey}>
        <input type="checkbox" checked={oneKey} onChange={({ target }) => setOneKey(target.checked)} />
        {t('shell.oneKey')}
      </label>
    </Dialog>
  );
}
