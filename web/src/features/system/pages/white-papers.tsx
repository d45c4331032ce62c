// White papers: upload a PDF file, publish it, look at it.
import { Form, Input, Radio, Switch, Upload } from 'antd';
import { FileUp, Plus } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call, type Schemas } from '@/api/call';
import { bytes } from '@/lib/format';
import { paperOf } from '@/lib/paths';
import { Button, ButtonLink } from '@/ui/button';
import { Tag } from '@/ui/parts';
import { downloadFile, upload } from '../api';
import { useAct } from '../kit/act';
import { Actions } from '../kit/cells';
import { useCommon } from '../kit/common';
import { FormDialog } from '../kit/form-dialog';
import { ListPage } from '../kit/list-page';
import { listOf, type RowOf } from '../kit/source';

type Paper = Schemas['WhitePaper'];
interface Values {
  title: string;
  language: 'en' | 'zh';
  file?: { originFileObj?: File }[];
}

const source = listOf('/api/system/white-paper/list');
const largest = 20 * 1024 * 1024;

export function Component() {
  const { t } = useTranslation();
  const act = useAct();
  const [adding, setAdding] = useState(false);
  const { person, moment, number, plain, actions } = useCommon<RowOf<typeof source>>();
  const publish = (paper: Paper, published: boolean) =>
    act({ run: () => call('put', '/api/system/white-paper/{id}/publish', { path: { id: paper.id }, query: { published } }), done: t(published ? 'system.papers.published' : 'system.papers.withdrawn') });
  const remove = (paper: Paper) =>
    act({
      run: () => call('delete', '/api/system/white-paper/{id}', { path: { id: paper.id } }),
      done: t('system.kit.removed'),
      confirm: { title: t('system.papers.removeTitle', { title: paper.title }), text: t('system.papers.removeText'), ok: t('system.kit.remove') },
    });
  return (
    <>
      <ListPage
        page="whitePaper"
        source={source}
        filters={[]}
        empty={t('system.papers.empty')}
        rowKey={(row) => row.id}
        actions={
          <Button kind="primary" icon={<Plus size={17} strokeWidth={1.6} />} onClick={() => setAdding(true)}>
            {t('system.papers.add')}
          </Button>
        }
        columns={[
          plain('title', t('system.papers.title'), (row) => row.title, { main: true, cut: true }),
          plain('language', t('system.papers.language'), (row) => row.language, { cell: (row) => <Tag>{t(`system.papers.languages.${row.language === 'zh' ? 'zh' : 'en'}`)}</Tag> }),
          number('size', t('system.files.size'), (row) => row.size, (row) => bytes(row.size)),
          { ...person((row) => row.createdBy, t('system.papers.by')), main: false },
          moment('created', t('system.files.uploaded'), (row) => row.createdAt),
          moment('published', t('system.papers.publishedAt'), (row) => row.publishedAt),
          plain('state', t('system.papers.isPublished'), (row) => String(row.published), {
            cell: (row) => <Switch size="small" checked={row.published} aria-label={t('system.papers.publishedOf', { title: row.title })} onChange={(published) => publish(row, published)} />,
          }),
          actions((row) => (
            <Actions>
              <ButtonLink size="small" kind="text" to={paperOf(row.id)}>
                {t('system.papers.preview')}
              </ButtonLink>
              <Button size="small" kind="text" onClick={() => void downloadFile(row.path, `${row.title}.pdf`).catch(() => undefined)}>
                {t('system.kit.download')}
              </Button>
              <Button size="small" kind="text" onClick={() => remove(row)}>
                {t('system.kit.remove')}
              </Button>
            </Actions>
          )),
        ]}
      />
      {adding && (
        <FormDialog<Values>
          title={t('system.papers.add')}
          ok={t('system.papers.upload')}
          done={t('system.papers.uploaded')}
          initial={{ title: '', language: 'en' }}
          onClose={() => setAdding(false)}
          onSubmit={({ title, language, file }) => {
            const [chosen] = file ?? [];
            if (!chosen?.originFileObj) throw new Error('The form lets nobody go on without a file.');
            return upload('/api/system/white-paper/upload', chosen.originFileObj, { title, language });
          }}
        >
          <Form.Item name="title" label={t('system.papers.title')} rules={[{ required: true, whitespace: true, message: t('system.kit.required') }]}>
            <Input maxLength={100} />
          </Form.Item>
          <Form.Item name="language" label={t('system.papers.language')}>
            <Radio.Group options={[{ value: 'en', label: t('system.papers.languages.en') }, { value: 'zh', label: t('system.papers.languages.zh') }]} />
          </Form.Item>
          <Form.Item
            name="file"
            label={t('system.papers.file')}
            extra={t('system.papers.fileHint')}
            valuePropName="fileList"
            getValueFromEvent={(event: { fileList: unknown[] }) => event.fileList.slice(-1)}
            rules={[
              { required: true, message: t('system.kit.required') },
              {
                validator: (_, files: Values['file']) => ((files?.[0]?.originFileObj?.size ?? 0) > largest ? Promise.reject(new Error(t('system.papers.tooLarge'))) : Promise.resolve()),
              },
            ]}
          >
            <Upload accept="application/pdf,.pdf" beforeUpload={() => false} maxCount={1}>
              <Button icon={<FileUp size={17} strokeWidth={1.6} />}>{t('system.papers.choose')}</Button>
            </Upload>
          </Form.Item>
        </FormDialog>
      )}
    </>
  );
}
