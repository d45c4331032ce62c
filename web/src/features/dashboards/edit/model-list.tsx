// The 3D models to choose one of, with what each shows.
import { Box } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { modelIds, type ModelId } from '@/lib/models';
import css from './panels.module.css';

export function ModelList({ onChoose }: { onChoose: (model: ModelId) => void }) {
  const { t } = useTranslation();
  return (
    <ul className={css.list}>
      {modelIds.map((id) => (
        <li key={id}>
          <button type="button" title={t(`models.model.${id}.text`)} onClick={() => onChoose(id)}>
            <Box size={15} strokeWidth={1.6} aria-hidden />
            <span className="ellipsis">{t(`models.model.${id}.title`)}</span>
          </button>
        </li>
      ))}
    </ul>
  );
}
