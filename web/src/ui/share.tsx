// Sharing a creation: the button that opens the dialog. The dialog and its texts load when it is first opened.
import { Share2 } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { loadTexts } from '@/i18n';
import { Button } from './button';
import { lazyPart, Part } from './part';
import type { ShareDialogProps } from './share-dialog';

export type { Shared } from './share-dialog';

const Dialog = lazyPart(async () => {
  const [{ ShareDialog }] = await Promise.all([import('./share-dialog'), loadTexts('share')]);
  return { default: ShareDialog };
});

/** The dialog alone, for pages whose button is elsewhere, such as in a menu. */
export function ShareDialog(props: ShareDialogProps) {
  return (
    <Part onGone={props.onClose}>
      <Dialog {...props} />
    </Part>
  );
}

export function ShareButton(props: Omit<ShareDialogProps, 'onClose'> & { size?: 'small' | 'default' }) {
  const { t } = useTranslation();
  const { size = 'default', ...shared } = props;
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button size={size} icon={<Share2 size={16} strokeWidth={1.6} />} onClick={() => setOpen(true)}>
        <span data-words>{t('common.share')}</span>
      </Button>
      {open ? <ShareDialog {...shared} onClose={() => setOpen(false)} /> : null}
    </>
  );
}
