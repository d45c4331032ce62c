// Dapps: what they are called, what kind they are, where they live on the web.
import { Form, Input, Select } from 'antd';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call, type Schemas } from '@/api/call';
import { Button, ButtonLink } from '@/ui/button';
import { Tag } from '@/ui/parts';
import { useAct } from '../kit/act';
import { Actions, Given } from '../kit/cells';
import { useCommon } from '../kit/common';
import { FormDialog } from '../kit/form-dialog';
import { ListPage } from '../kit/list-page';
import { listOf, type RowOf } from '../kit/source';
import { systemPages, systemPath } from '../pages';
import { dappTypeName, dappTypes } from '../parts/dapp-types';
import { ImportButton } from '../parts/import-button';
import { shippedNote } from '../parts/shipped-notes';

type Dapp = Schemas['Dapp'];
const source = listOf('/api/system/dapp/info/list');
const addressesOf = (name: string) => `${systemPages.filter((page) => page.id === 'reflect').map(systemPath).join('')}?name=${encodeURIComponent(name)}`;

export function Component() {
  const { t } = useTranslation();
  const act = useAct();
  const [edited, setEdited] = useState<Dapp | 'new'>();
  const { text, choice, moment, plain, number, actions } = useCommon<RowOf<typeof source>>();
  const remove = (dapp: Dapp) =>
    act({
      run: () => call('delete', '/api/system/dapp/info/{name}', { path: { name: dapp.name } }),
      done: t('system.kit.removed'),
      confirm: { title: t('system.dapps.removeTitle', { name: dapp.name }), text: t('system.dapps.removeText'), ok: t('system.kit.remove') },
    });
  return (
    <>
      <ListPage
        page="dapp"
        source={source}
        rowKey={(row) => row.name}
        filters={[text('name', t('system.dapps.dapp')), choice('dappType', t('system.dapps.type'), dappTypes.map((type) => [type, dappTypeName(t, type)]))]}
        actions={
          <>
            <ImportButton path="/api/system/dapp/info/import" columns="name,dappType,website,note" />
            <Button kind="primary" icon={<Plus size={17} strokeWidth={1.6} />} onClick={() => setEdited('new')}>
              {t('system.dapps.add')}
            </Button>
          </>
        }
        columns={[
          plain('name', t('system.dapps.dapp'), (row) => row.name, { main: true }),
          plain('type', t('system.dapps.type'), (row) => dappTypeName(t, row.dappType), { cell: (row) => <Tag tone={row.dappType === 'high-risk' ? 'warn' : 'plain'}>{dappTypeName(t, row.dappType)}</Tag> }),
          plain('website', t('system.dapps.website'), (row) => row.website, {
            cut: true,
            cell: (row) =>
              row.website ? (
                <a href={row.website} target="_blank" rel="noreferrer">
                  {row.website}
                </a>
              ) : (
                <Given text="" />
              ),
          }),
          number('addresses', t('system.dapps.addresses'), (row) => row.addresses),
          plain('note', t('system.kit.note'), (row) => shippedNote(t, row.note), { cut: true, cell: (row) => <Given text={shippedNote(t, row.note)} /> }),
          moment('updated', t('system.kit.updated'), (row) => row.updatedAt),
          actions((row) => (
            <Actions>
              <ButtonLink size="small" kind="text" to={addressesOf(row.name)}>
                {t('system.dapps.addresses')}
              </ButtonLink>
              <Button size="small" kind="text" onClick={() => setEdited(row)}>
                {t('system.kit.edit')}
              </Button>
              <Button size="small" kind="text" onClick={() => remove(row)}>
                {t('system.kit.remove')}
              </Button>
            </Actions>
          )),
        ]}
      />
      {edited && <DappForm dapp={edited === 'new' ? undefined : edited} onClose={() => setEdited(undefined)} />}
    </>
  );
}

function DappForm({ dapp, onClose }: { dapp: Dapp | undefined; onClose: () => void }) {
  const { t } = useTranslation();
  return (
    <FormDialog<Schemas['DappForm']>
      title={dapp?.name ?? t('system.dapps.add')}
      ok={t('system.kit.save')}
      done={t('system.kit.saved')}
      initial={{ name: dapp?.name ?? '', dappType: (dapp?.dappType ?? 'finance') as Schemas['DappType'], website: dapp?.website ?? '', note: dapp?.note ?? '' }}
      onClose={onClose}
      onSubmit={(body) => call('put', '/api/system/dapp/info', { body, quiet: true })}
    >
      <Form.Item name="name" label={t('system.kit.name')} rules={[{ required: true, whitespace: true, message: t('system.kit.required') }]}>
        <Input disabled={dapp !== undefined} maxLength={50} />
      </Form.Item>
      <Form.Item name="dappType" label={t('system.dapps.type')}>
        <Select options={dappTypes.map((type) => ({ value: type, label: dappTypeName(t, type) }))} />
      </Form.Item>
      <Form.Item name="website" label={t('system.dapps.website')} rules={[{ pattern: /^https?:\/\//, message: t('system.dapps.websiteHint') }]}>
        <Input maxLength={500} />
      </Form.Item>
      <Form.Item name="note" label={t('system.kit.note')}>
        <Input.TextArea maxLength={1000} autoSize={{ minRows: 2, maxRows: 6 }} />
      </Form.Item>
    </FormDialog>
  );
}
