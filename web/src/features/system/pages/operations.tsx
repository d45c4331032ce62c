// What people did with dashboards: made, changed, deleted.
import { useTranslation } from 'react-i18next';
import { encodeId } from '@/lib/ids';
import { ButtonLink } from '@/ui/button';
import { Tag } from '@/ui/parts';
import { Actions } from '../kit/cells';
import { useCommon } from '../kit/common';
import { ListPage } from '../kit/list-page';
import { listOf, type RowOf } from '../kit/source';
import { useView, ViewPicker } from '../kit/view';

const views = ['create', 'edit', 'delete'] as const;
const sources = {
  create: listOf('/api/dashboard/allCreateRecord'),
  edit: listOf('/api/dashboard/allEditRecord'),
  delete: listOf('/api/dashboard/allDeleteRecord'),
};

export function Component() {
  const { t } = useTranslation();
  const [view, setView] = useView(views);
  const { user, days, person, moment, plain, actions } = useCommon<RowOf<(typeof sources)['create']>>();
  return (
    <ListPage
      page="operations"
      key={view}
      source={sources[view]}
      rowKey={(row) => `${row.dashboardId} ${row.createTime}`}
      above={<ViewPicker label={t('system.operations.operation')} view={view} onView={setView} options={views.map((value) => ({ value, label: t(`system.operations.${value}`) }))} />}
      filters={[user(), days()]}
      columns={[
        plain('dashboard', t('system.operations.dashboard'), (row) => row.dashboardName, { main: true }),
        { ...person((row) => row.userName), main: false },
        plain('operation', t('system.operations.operation'), () => t(`system.operations.${view}`), { cell: () => <Tag>{t(`system.operations.${view}`)}</Tag> }),
        moment('time', t('system.kit.time'), (row) => row.createTime),
        ...(view === 'delete'
          ? []
          : [
              actions((row) => (
                <Actions>
                  <ButtonLink size="small" to={`/user/dashboard?id=${encodeId(row.dashboardId)}`}>
                    {t('system.kit.open')}
                  </ButtonLink>
                </Actions>
              )),
            ]),
      ]}
    />
  );
}
