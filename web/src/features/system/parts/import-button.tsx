// Takes a CSV file: all its rows, or none, and says why.
import { useQueryClient } from '@tanstack/react-query';
import { App } from 'antd';
import { FileUp } from 'lucide-react';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Schemas } from '@/api/call';
import { messageOf } from '@/api/error';
import { notify } from '@/ui/notices';
import { Button } from '@/ui/button';
import { upload } from '../api';

export function ImportButton({ path, columns }: { path: string; columns: string }) {
  const { t } = useTranslation();
  const { modal } = App.useApp();
  const client = useQueryClient();
  const input = useRef<HTMLInputElement>(null);
  const [busy, setBusy] = useState(false);

  const send = async (file: File) => {
    setBusy(true);
    try {
      const { rows } = await upload<Schemas['Imported']>(path, file);
      notify.success(t('system.dapps.imported', { count: rows }));
      await client.invalidateQueries({ queryKey: ['system'] });
    } catch (error) {
      modal.error({ title: t('system.dapps.notImported'), content: messageOf(error) });
    } finally {
      setBusy(false);
    }
  };

  return (
    <>
      <Button icon={<FileUp size={17} strokeWidth={1.6} />} busy={busy} title={t('system.dapps.importHint', { columns })} onClick={() => input.current?.click()}>
        {t('system.dapps.import')}
      </Button>
      <input
        ref={input}
        type="file"
        accept=".csv,text/csv"
        hidden
        aria-label={t('system.dapps.importHint', { columns })}
        onChange={(event) => {
          const file = event.target.files?.[0];
          event.target.value = '';
          if (file) void send(file);
        }}
      />
    </>
  );
}
