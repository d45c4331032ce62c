// What is known of the selected node: its row, and for an address what the platform knows.
import { useQuery } from '@tanstack/react-query';
import { X } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { call } from '@/api/call';
import { count, ether, shortHex } from '@/lib/format';
import { formatCell } from '@/lib/columns';
import { parseExact, groupExact } from '@/lib/exact';
import { addressOf } from '@/lib/paths';
import { queryWithText } from '@/lib/query-link';
import { formatTime } from '@/lib/time';
import { ButtonLink, IconButton } from '@/ui/button';
import { useKeepPlace } from '@/ui/keep-place';
import { CopyButton, Tag } from '@/ui/parts';
import type { Model, Unit } from '../model';
import { base } from '../registry';
import type { GraphNode } from '../rows';
import { addressPattern } from '../values';
import css from './panel.module.css';

interface Props {
  node: GraphNode;
  group: string;
  links: number;
  model: Model;
  onClose: () => void;
}

/** A size as people read it; amounts of tokens whose decimals are not known stay in their smallest unit. */
export function sizeText(size: string, unit: Unit): string {
  if (unit === 'wei' && /^-?\d+$/.test(size)) return ether(size);
  const exact = parseExact(size);
  return exact ? groupExact(exact) : size;
}

export function Panel({ node, group, links, model, onClose }: Props) {
  const { t } = useTranslation();
  const isAddress = addressPattern.test(node.id);
  const place = useKeepPlace<HTMLElement>();
  return (
    <section ref={place} className={css.panel} aria-label={t('models.selected')}>
      <header>
        <h2>{node.name || t('models.selected')}</h2>
        <IconButton size="small" label={t('common.close')} icon={<X size={16} strokeWidth={1.6} />} onClick={onClose} />
      </header>
      <p className={css.id}>
        {isAddress ? <Link to={addressOf(node.id)}>{shortHex(node.id)}</Link> : <span>{node.id}</span>}
        <CopyButton text={node.id} />
      </p>
      <dl>
        <Fact name={t('models.fact.kind')} value={group} />
        <Fact name={t(`models.model.${model.id}.size`)} value={sizeText(node.size, model.unit)} />
        <Fact name={t('models.fact.links')} value={count(links)} />
        {node.at !== null && <Fact name={t('models.fact.at')} value={formatTime(node.at)} />}
        {node.facts.map(({ column, value }) => (
          <Fact key={column.name} name={column.name} value={value === null ? '–' : formatCell(value, column.type, 'grouped')} />
        ))}
        {isAddress && <Known address={node.id} />}
      </dl>
      {isAddress && (
        <div className={css.actions}>
          <ButtonLink size="small" to={`${base}/test/3hop?${new URLSearchParams({ address: node.id }).toString()}`}>
            {t('models.neighbours')}
          </ButtonLink>
          <ButtonLink size="small" to={queryWithText('SQL', addressQuery(node.id))}>
            {t('models.queryAddress')}
          </ButtonLink>
        </div>
      )}
    </section>
  );
}

const addressQuery = (address: string): string => `SELECT block_timestamp, hash, from_address, to_address, value, receipt_status
FROM transactions
WHERE from_address = ${address} OR to_address = ${address}
ORDER BY block_number DESC, transaction_index DESC
LIMIT 100
`;

function Fact({ name, value }: { name: string; value: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  );
}

function Known({ address }: { address: string }) {
  const { t } = useTranslation();
  const { data } = useQuery({ queryKey: ['model', 'address', address], queryFn: ({ signal }) => call('get', '/api/address/detail', { query: { address }, signal, quiet: true }), staleTime: 60_000 });
  if (!data) return null;
  const { figures, tags } = data;
  return (
    <>
      <Fact name={t('models.fact.balance')} value={ether(figures.balance)} />
      {tags.length > 0 && (
        <div>
          <dt>{t('models.fact.labels')}</dt>
          <dd>
            {tags.map((tag) => (
              <Tag key={tag}>{tag}</Tag>
            ))}
          </dd>
        </div>
      )}
    </>
  );
}
