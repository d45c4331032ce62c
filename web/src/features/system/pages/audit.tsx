// What was done in the back office, by whom and how it ended.
import { useTranslation } from 'react-i18next';
import { Tag } from '@/ui/parts';
import { useCommon } from '../kit/common';
import { ListPage } from '../kit/list-page';
import { listOf, type RowOf } from '../kit/source';
import { areaName, areas, byRole } from '../parts/areas';
import { deedText } from '../parts/deeds';

const source = listOf('/api/system/audit/list', '/api/system/audit/export');

export function Component() {
  const { t } = useTranslation();
  const { user, choice, days, person, moment, plain, number } = useCommon<RowOf<typeof source>>();
  return (
    <ListPage
      page="audit"
      source={source}
      rowKey={(row) => row.id}
      filters={[user(), choice('area', t('system.audit.area'), [...areas, byRole].map((area) => [area, areaName(t, area)])), days()]}
      columns={[
        moment('time', t('system.kit.time'), (row) => row.actedAt),
        person((row) => row.userName),
        plain('area', t('system.audit.area'), (row) => areaName(t, row.area), { cell: (row) => <Tag>{areaName(t, row.area)}</Tag> }),
        plain('detail', t('system.audit.detail'), (row) => deedText(t, row), { cut: true }),
        plain('call', t('system.audit.call'), (row) => `${row.method} ${row.path}`, { cell: (row) => <code>{`${row.method} ${row.path}`}</code>, cut: true }),
        number('status', t('system.audit.status'), (row) => row.status, (row) => <Tag tone={row.status < 400 ? 'ok' : 'bad'}>{row.status}</Tag>),
        plain('address', t('system.kit.address'), (row) => row.address),
      ]}
    />
  );
}
