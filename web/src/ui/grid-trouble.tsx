/** Rows of the grid could not be fetched: says so over them, and asks again. */
import { useTranslation } from 'react-i18next';
import { Button } from './button';
import { useKeepPlace } from './keep-place';

export function GridTrouble({ onRetry }: { onRetry: () => void }) {
  const { t } = useTranslation();
  const place = useKeepPlace<HTMLDivElement>();
  return (
    <div ref={place} className="grid-trouble" role="status">
      {t('queries.grid.rowsFailed')}
      <Button size="small" onClick={onRetry}>
        {t('common.retry')}
      </Button>
    </div>
  );
}
