/** Another text of the query beside the one in the editor. */
import { useTranslation } from 'react-i18next';
import { useWidth } from '@/lib/width';
import type { EditorLanguage } from '@/ui/editor/language';
import { Button } from '@/ui/button';
import { Modal } from '@/ui/modal';
import { lazyPart, Part } from '@/ui/part';
import { Skeleton } from '@/ui/parts';
import type { Compared } from './history-drawer';
import css from './compare-dialog.module.css';

const Diff = lazyPart(() => import('@/ui/editor/diff').then(({ Diff: component }) => ({ default: component })));

interface CompareDialogProps {
  other: Compared;
  text: string;
  language: EditorLanguage;
  editable: boolean;
  onClose: () => void;
}

export function CompareDialog({ other, text, language, editable, onClose }: CompareDialogProps) {
  const { t } = useTranslation();
  const narrow = useWidth() === 'narrow';
  const here = t('editors.compare.here');
  return (
    <Modal
      width="min(1500px, 94vw)"
      title={t('editors.compare.title')}
      onCancel={onClose}
      footer={
        <div className={css.foot}>
          <Button size="small" onClick={onClose}>
            {t('common.close')}
          </Button>
          {editable ? (
            <Button
              size="small"
              kind="primary"
              onClick={() => {
                other.restore();
                onClose();
              }}
            >
              {t('editors.history.restore')}
            </Button>
          ) : null}
        </div>
      }
    >
      {other.text === text ? <p className={css.same}>{t('editors.compare.same')}</p> : null}
      <div className={css.heads} data-narrow={narrow}>
        <span>{other.title}</span>
        <span>{here}</span>
      </div>
      <div className={css.body}>
        <Part waiting={<Skeleton height="60%" width="100%" />}>
          <Diff before={other.text} after={text} language={language} labels={[other.title, here]} narrow={narrow} />
        </Part>
      </div>
    </Modal>
  );
}
