// Files that people uploaded: find, look at, download, remove.
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call, type Schemas } from '@/api/call';
import { bytes } from '@/lib/format';
import { Button } from '@/ui/button';
import { Modal } from '@/ui/modal';
import { Tag } from '@/ui/parts';
import { downloadFile } from '../api';
import { useAct } from '../kit/act';
import { Actions } from '../kit/cells';
import { useCommon } from '../kit/common';
import { ListPage } from '../kit/list-page';
import type { RowOf, Source } from '../kit/source';
import { Picture } from '../parts/picture';

type Row = Schemas['FileRow'];
const scenes = ['avatar', 'feedback', 'white-paper'] as const;

const source: Source<Row> = {
  key: '/api/file/list',
  fetch: (query, signal) => call('post', '/api/file/list', { body: query as Schemas['FileFilter'], quiet: true, ...(signal ? { signal } : {}) }),
};

export function Component() {
  const { t } = useTranslation();
  const act = useAct();
  const [shown, setShown] = useState<Row>();
  const { user, text, choice, days, person, moment, plain, number, actions } = useCommon<RowOf<typeof source>>();
  const scene = (name: string) => {
    const known = scenes.find((one) => one === name);
    return known ? t(`system.files.scenes.${known}`) : name;
  };
  const remove = (row: Row) =>
    act({
      run: () => call('delete', '/api/system/file', { query: { path: row.path } }),
      done: t('system.kit.removed'),
      confirm: { title: t('system.files.removeTitle', { name: row.name }), text: t('system.files.removeText'), ok: t('system.kit.remove') },
    });
  return (
    <>
      <ListPage
        page="fileManage"
        source={source}
        rowKey={(row) => row.path}
        filters={[text('name', t('system.files.file')), user(), choice('scene', t('system.files.scene'), scenes.map((one) => [one, scene(one)])), days()]}
        columns={[
          plain('name', t('system.files.file'), (row) => row.name, { main: true, cut: true }),
          plain('scene', t('system.files.scene'), (row) => scene(row.scene), { cell: (row) => <Tag>{scene(row.scene)}</Tag> }),
          plain('media', t('system.files.media'), (row) => row.media),
          number('size', t('system.files.size'), (row) => row.size, (row) => bytes(row.size)),
          { ...person((row) => row.ownerName), main: false },
          moment('time', t('system.files.uploaded'), (row) => row.createdAt),
          actions((row) => (
            <Actions>
              {row.media.startsWith('image/') && (
                <Button size="small" kind="text" onClick={() => setShown(row)}>
                  {t('system.kit.view')}
                </Button>
              )}
              <Button size="small" kind="text" onClick={() => void downloadFile(row.path, row.name).catch(() => undefined)}>
                {t('system.kit.download')}
              </Button>
              <Button size="small" kind="text" disabled={row.scene === 'white-paper'} onClick={() => remove(row)}>
                {t('system.kit.remove')}
              </Button>
            </Actions>
          )),
        ]}
      />
      {shown && (
        <Modal title={shown.name} footer={null} onCancel={() => setShown(undefined)} width={720}>
          <Picture path={shown.path} name={shown.name} />
        </Modal>
      )}
    </>
  );
}
