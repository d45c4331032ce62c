/** Copying that tells when the browser did not allow it. */
import { useTranslation } from 'react-i18next';
import { copyText } from '@/lib/copy';
import { notify } from './notices';

/** Copies a text; whether it is on the clipboard now. */
export function useCopy(): (text: string) => Promise<boolean> {
  const { t } = useTranslation();
  return async (text) => {
    const copied = await copyText(text);
    if (!copied) notify.error(t('common.copyFailed'));
    return copied;
  };
}
