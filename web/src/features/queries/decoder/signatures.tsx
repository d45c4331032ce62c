/** Signatures that this person added, so that calls and logs of their own contracts can be read. */
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Pagination } from 'antd';
import { Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call, type Schemas } from '@/api/call';
import { messageOf } from '@/api/error';
import { useSession } from '@/lib/session';
import { IconButton } from '@/ui/button';
import { notify } from '@/ui/notices';
import { CopyButton, Empty, Failed, Skeleton, Tag } from '@/ui/parts';
import css from './decoder.module.css';

type Signature = Schemas['SignatureView'];

const key = ['signatures'];
const SIZE = 10;

export const useAddSignature = () => {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (signature: string) => call('post', '/api/decoder/signature/create', { body: { signature }, quiet: true }),
    onSuccess: () => client.invalidateQueries({ queryKey: key }),
  });
};

export function Signatures() {
  const { t } = useTranslation();
  const client = useQueryClient();
  const me = useSession().account?.name;
  const [page, setPage] = useState(1);
  const { data, error, refetch } = useQuery({ queryKey: [...key, page], queryFn: ({ signal }) => call('get', '/api/decoder/signature/list', { query: { page, size: SIZE }, signal, quiet: true }), placeholderData: keepPreviousData });
  const add = useAddSignature();
  const remove = (signature: Signature) => {
    client.setQueryData<typeof data>([...key, page], (now) => now && { items: now.items.filter(({ id }) => id !== signature.id), total: now.total - 1 });
    call('post', '/api/decoder/signature/delete/{id}', { path: { id: signature.id } }).then(
      () => notify.undo(t('decoder.removed', { signature: signature.signature }), () => add.mutate(signature.signature)),
      () => void refetch(),
    );
  };
  if (error && !data) return <Failed message={messageOf(error)} onRetry={() => void refetch()} />;
  if (!data) return <Skeleton height="4em" width="100%" />;
  if (data.total === 0) return <Empty title={t('decoder.noSignatures')}>{t('decoder.noSignaturesText')}</Empty>;
  return (
    <>
      <ul className={css.signatures}>
        {data.items.map((one) => (
          <li key={one.id}>
            <code className={css.signature}>{one.signature}</code>
            <span className={css.facts}>
              <Tag>{t(one.kind === 'event' ? 'decoder.event' : 'decoder.function')}</Tag>
              <code className="ellipsis">{one.hash}</code>
              <CopyButton text={one.hash} label={t('decoder.copyHash')} />
              {one.userName === me ? <IconButton size="small" label={t('decoder.remove', { signature: one.signature })} icon={<Trash2 size={15} strokeWidth={1.6} />} onClick={() => remove(one)} /> : <small>{one.userName}</small>}
            </span>
          </li>
        ))}
      </ul>
      {data.total > SIZE ? <Pagination simple size="small" current={page} pageSize={SIZE} total={data.total} showSizeChanger={false} onChange={setPage} /> : null}
    </>
  );
}
