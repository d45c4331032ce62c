// Which address belongs to which dapp.
import { Form, Input } from 'antd';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call, type Schemas } from '@/api/call';
import { shortHex } from '@/lib/format';
import { Button } from '@/ui/button';
import { CopyButton } from '@/ui/parts';
import { useAct } from '../kit/act';
import { Actions, Given } from '../kit/cells';
import { useCommon } from '../kit/common';
import { FormDialog } from '../kit/form-dialog';
import { ListPage } from '../kit/list-page';
import { listOf, type RowOf } from '../kit/source';
import { dappTypeName, dappTypes } from '../parts/dapp-types';
import { ImportButton } from '../parts/import-button';

type Row = Schemas['DappAddress'];
const source = listOf('/api/system/dapp/reflect/list');

export function Component() {
  const { t } = useTranslation();
  const act = useAct();
  const [edited, setEdited] = useState<Row | 'new'>();
  const { text, choice, moment, plain, actions } = useCommon<RowOf<typeof source>>();
  const row = edited === 'new' ? undefined : edited;
  const remove = (one: Row) =>
    act({
      run: () => call('delete', '/api/system/dapp/reflect/{address}', { path: { address: one.address } }),
      done: t('system.kit.removed'),
      confirm: { title: t('system.dapps.removeAddress', { address: shortHex(one.address), name: one.dappName }), ok: t('system.kit.remove') },
    });
  return (
    <>
      <ListPage
        page="reflect"
        source={source}
        rowKey={(one) => one.address}
        filters={[text('address', t('system.dapps.address')), text('name', t('system.dapps.dapp')), choice('dappType', t('system.dapps.type'), dappTypes.map((type) => [type, dappTypeName(t, type)]))]}
        actions={
          <>
            <ImportButton path="/api/system/dapp/reflect/import" columns="address,dappName,note" />
            <Button kind="primary" icon={<Plus size={17} strokeWidth={1.6} />} onClick={() => setEdited('new')}>
              {t('system.dapps.addAddress')}
            </Button>
          </>
        }
        columns={[
          plain('address', t('system.dapps.address'), (one) => one.address, {
            main: true,
            cell: (one) => (
              <>
                <code>{one.address}</code> <CopyButton text={one.address} />
              </>
            ),
          }),
          plain('dapp', t('system.dapps.dapp'), (one) => one.dappName),
          plain('note', t('system.kit.note'), (one) => one.note, { cut: true, cell: (one) => <Given text={one.note} /> }),
          moment('updated', t('system.kit.updated'), (one) => one.updatedAt),
          actions((one) => (
            <Actions>
              <Button size="small" kind="text" onClick={() => setEdited(one)}>
                {t('system.kit.edit')}
              </Button>
              <Button size="small" kind="text" onClick={() => remove(one)}>
                {t('system.kit.remove')}
              </Button>
            </Actions>
          )),
        ]}
      />
      {edited && (
        <FormDialog<Schemas['AddressForm']>
          title={row ? t('system.dapps.addressOf', { name: row.dappName }) : t('system.dapps.addAddress')}
          ok={t('system.kit.save')}
          done={t('system.kit.saved')}
          initial={{ address: row?.address ?? '', dappName: row?.dappName ?? '', note: row?.note ?? '' }}
          onClose={() => setEdited(undefined)}
          onSubmit={(body) => call('put', '/api/system/dapp/reflect', { body, quiet: true })}
        >
          <Form.Item name="address" label={t('system.dapps.address')} rules={[{ required: true, pattern: /^0x[0-9a-fA-F]{40}$/, message: t('system.dapps.addressHint') }]}>
            <Input disabled={row !== undefined} maxLength={42} />
          </Form.Item>
          <Form.Item name="dappName" label={t('system.dapps.dapp')} rules={[{ required: true, whitespace: true, message: t('system.kit.required') }]}>
            <Input maxLength={50} />
          </Form.Item>
          <Form.Item name="note" label={t('system.kit.note')}>
            <Input maxLength={200} />
          </Form.Item>
        </FormDialog>
      )}
    </>
  );
}
