// The camera's buttons.
import { Camera, Focus, Maximize, Minimize, RotateCcw, Rotate3d, Table2, ZoomIn, ZoomOut } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { saveFile } from '@/lib/save-file';
import { IconButton } from '@/ui/button';
import type { Stage } from '../stage/stage';
import css from './tools.module.css';

interface Props {
  stage: Stage | null;
  title: string;
  spinning: boolean;
  onSpin: (on: boolean) => void;
  table: boolean;
  onTable: (on: boolean) => void;
  full: { on: boolean; possible: boolean; toggle: () => void };
}

const icon = { size: 17, strokeWidth: 1.6 };

export function Tools({ stage, title, spinning, onSpin, table, onTable, full }: Props) {
  const { t } = useTranslation();
  const off = stage === null || table;
  return (
    <div className={css.tools} role="toolbar" aria-label={t('models.camera')}>
      <IconButton label={t('models.spin')} aria-pressed={spinning} disabled={off} icon={<Rotate3d {...icon} />} onClick={() => onSpin(!spinning)} />
      <IconButton label={t('models.zoomIn')} disabled={off} icon={<ZoomIn {...icon} />} onClick={() => stage?.zoom(1.25)} />
      <IconButton label={t('models.zoomOut')} disabled={off} icon={<ZoomOut {...icon} />} onClick={() => stage?.zoom(0.8)} />
      <IconButton label={t('models.fit')} disabled={off} icon={<Focus {...icon} />} onClick={() => stage?.fit()} />
      <IconButton label={t('models.reset')} disabled={off} icon={<RotateCcw {...icon} />} onClick={() => stage?.reset()} />
      <IconButton label={t('models.picture')} disabled={off} icon={<Camera {...icon} />} onClick={() => stage && saveFile(`${title}.png`, stage.picture())} />
      <IconButton label={t('models.table')} aria-pressed={table} icon={<Table2 {...icon} />} onClick={() => onTable(!table)} />
      {full.possible && <IconButton label={t(full.on ? 'models.leaveFull' : 'models.full')} icon={full.on ? <Minimize {...icon} /> : <Maximize {...icon} />} onClick={full.toggle} />}
    </div>
  );
}
