// A 3D model in a widget: which one it is, and the way to it. The models' texts load with the first of them.
import { Box } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { loadTexts } from '@/i18n';
import { modelOfName } from '@/lib/models';
import { ButtonLink } from '@/ui/button';
import { lazyPart, Part } from '@/ui/part';
import css from './board.module.css';

const Words = lazyPart(async () => {
  await loadTexts('models');
  return { default: ModelWords };
});

/** `bare`: without the way to it, in a frame on another site. */
export function ModelBody({ name, bare }: { name: string; bare: boolean }) {
  const { t } = useTranslation();
  return (
    <div className={css.model}>
      <Box size={32} strokeWidth={1.2} aria-hidden />
      <Part>
        <Words name={name} />
      </Part>
      {bare ? null : (
        <ButtonLink size="small" to={`/visualization_model/${name}`}>
          {t('dashboards.openModel')}
        </ButtonLink>
      )}
    </div>
  );
}

function ModelWords({ name }: { name: string }) {
  const { t } = useTranslation();
  const id = modelOfName(name);
  if (id === undefined) return null;
  return (
    <>
      <strong>{t(`models.model.${id}.title`)}</strong>
      <p>{t(`models.model.${id}.text`)}</p>
    </>
  );
}
