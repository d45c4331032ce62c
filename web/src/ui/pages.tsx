// The pages of a list: total, size, previous, pages, next, jumper.
import { Pagination, Select } from 'antd';
import { useTranslation } from 'react-i18next';
import { count } from '@/lib/format';
import { pageSizes, type Paging } from '@/lib/paging';
import { useWidth } from '@/lib/width';
import css from './pages.module.css';

interface PagesProps {
  paging: Paging;
  /** Entries on all pages; nothing is shown without one. */
  total: number;
  onChange: (paging: Paging) => void;
}

export function Pages({ paging: { page, size }, total, onChange }: PagesProps) {
  const { t } = useTranslation();
  const narrow = useWidth() === 'narrow';
  if (total === 0) return null;
  return (
    <nav className={css.pages} aria-label={t('common.pages.label')}>
      <span>{t('common.pages.total', { total: count(total) })}</span>
      <Select<number>
        aria-label={t('common.pages.size')}
        value={size}
        options={pageSizes.map((value) => ({ value, label: t('common.pages.perPage', { size: value }) }))}
        // Another size starts again at the first page: the old number would show other entries.
        onChange={(next) => onChange({ page: 1, size: next })}
      />
      <Pagination current={page} pageSize={size} total={total} showSizeChanger={false} showQuickJumper showLessItems={narrow} onChange={(next) => onChange({ page: next, size })} />
    </nav>
  );
}
