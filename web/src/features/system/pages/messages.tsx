// Text messages that the platform sent, and messages of the administrators to everybody.
import { Form, Input, Radio } from 'antd';
import { Megaphone } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call, type Schemas } from '@/api/call';
import { holds, useSession } from '@/lib/session';
import { Button } from '@/ui/button';
import { Tag } from '@/ui/parts';
import { useCommon } from '../kit/common';
import { FormDialog } from '../kit/form-dialog';
import { ListPage } from '../kit/list-page';
import { listOf, type RowOf } from '../kit/source';
import { useView, ViewPicker } from '../kit/view';
import { SentPage } from '../parts/sent-page';

const texts = listOf('/api/system/message-record/message');
const everybody = listOf('/api/platform/message/list');

export function Component() {
  const { t } = useTranslation();
  const [view, setView] = useView(['texts', 'everybody']);
  const picker = (
    <ViewPicker
      label={t('system.pages.message')}
      view={view}
      onView={setView}
      options={[
        { value: 'texts', label: t('system.messages.texts') },
        { value: 'everybody', label: t('system.messages.everybody') },
      ]}
    />
  );
  return view === 'texts' ? <SentPage page="message" source={texts} above={picker} /> : <Everybody picker={picker} />;
}

function Everybody({ picker }: { picker: React.ReactNode }) {
  const { t } = useTranslation();
  const [writing, setWriting] = useState(false);
  const mayWrite = holds(useSession().account, 'system.platformMessage');
  const { person, moment, plain } = useCommon<RowOf<typeof everybody>>();
  return (
    <>
      <ListPage
        page="message"
        source={everybody}
        above={picker}
        filters={[]}
        rowKey={(row) => row.id}
        actions={
          mayWrite && <Button kind="primary" icon={<Megaphone size={17} strokeWidth={1.6} />} onClick={() => setWriting(true)}>
            {t('system.messages.write')}
          </Button>
        }
        columns={[
          plain('msg', t('system.sent.content'), (row) => row.msg, { main: true, cut: true }),
          plain('type', t('system.messages.urgency'), (row) => row.type, {
            cell: (row) => <Tag tone={row.type === 'warning' ? 'warn' : 'plain'}>{t(row.type === 'warning' ? 'system.messages.warning' : 'system.messages.info')}</Tag>,
          }),
          { ...person((row) => row.sender, t('system.messages.sender')), main: false },
          moment('time', t('system.kit.time'), (row) => row.time),
        ]}
      />
      {writing && (
        <FormDialog<Schemas['PlatformForm']>
          title={t('system.messages.write')}
          ok={t('system.messages.send')}
          done={t('system.messages.sent')}
          initial={{ msg: '', type: 'info' }}
          onClose={() => setWriting(false)}
          onSubmit={(body) => call('post', '/api/system/platform-message/send', { body, quiet: true })}
        >
          <Form.Item name="type" label={t('system.messages.urgency')}>
            <Radio.Group options={[{ value: 'info', label: t('system.messages.info') }, { value: 'warning', label: t('system.messages.warning') }]} />
          </Form.Item>
          <Form.Item name="msg" label={t('system.sent.content')} extra={t('system.messages.hint')} rules={[{ required: true, whitespace: true, message: t('system.kit.required') }]}>
            <Input.TextArea maxLength={1000} showCount autoSize={{ minRows: 3, maxRows: 10 }} />
          </Form.Item>
        </FormDialog>
      )}
    </>
  );
}
