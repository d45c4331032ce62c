// Recovery codes, shown this once.
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '@/ui/button';
import { Dialog } from '@/ui/dialog';
import { CopyButton } from '@/ui/parts';
import css from '../security.module.css';

export function RecoveryCodes({ codes, onClose }: { codes: readonly string[]; onClose: () => void }) {
  const { t } = useTranslation();
  const list = useRef<HTMLUListElement>(null);
  // The field that had the focus is gone; the codes are what is to be read now.
  useEffect(() => list.current?.focus(), []);
  return (
    // It has to be closed by its button: a click beside it would lose the codes.
    <Dialog
      title={t('account.security.second.codesTitle')}
      actions={
        <Button kind="primary" onClick={onClose}>
          {t('account.security.second.kept')}
        </Button>
      }
    >
      <p>{t('account.security.second.codesText')}</p>
      <ul ref={list} tabIndex={-1} className={css.codes} aria-label={t('account.security.second.codesTitle')}>
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <p className={css.copy}>
        <CopyButton text={codes.join('\n')} label={t('account.security.second.copyCodes')} />
      </p>
    </Dialog>
  );
}
