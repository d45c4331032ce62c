// An address of the chain: what it holds and did, what it is called, and what people tagged it with.
import { CodeXml } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { Schemas } from '@/api/call';
import { messageOf } from '@/api/error';
import { isAddress } from '@/lib/address';
import { count, ether, shortHex } from '@/lib/format';
import { usePage } from '@/lib/page';
import { queryWithText } from '@/lib/query-link';
import { useWidth } from '@/lib/width';
import { ButtonLink } from '@/ui/button';
import { FavoriteButton } from '@/ui/favorite-button';
import { LinkId } from '@/ui/link-id';
import { Card, CopyButton, Empty, Failed, Skeleton, Tag } from '@/ui/parts';
import { useAddress } from '../api';
import page from '../parts/page.module.css';
import { Activity } from './activity';
import { AddressTags } from './address-tags';
import { Transactions } from './transactions';
import css from './address.module.css';

type Figures = Schemas['AddressFigures'];

export function Component() {
  return <LinkId valid={isAddress}>{(id) => <Address key={id} address={id.toLowerCase()} />}</LinkId>;
}

/** A query to go on with: the newest transactions from and to the address. */
const startingQuery = (address: string) => `select block_timestamp, hash, from_address, to_address, value
from transactions
where from_address = ${address} or to_address = ${address}
order by block_timestamp desc
limit 100`;

function Address({ address }: { address: string }) {
  const { t } = useTranslation();
  const narrow = useWidth() === 'narrow';
  usePage(shortHex(address));
  const { data, error, refetch } = useAddress(address);
  if (error && !data) return <Failed message={messageOf(error)} onRetry={() => void refetch()} />;
  const figures = data?.figures;
  return (
    <div className={page.page}>
      <header className={page.top}>
        <div className={css.name}>
          <h1 className={css.address} title={address}>
            {narrow ? shortHex(address) : address}
            <CopyButton text={address} label={t('community.copyAddress')} />
          </h1>
          <p className={css.labels}>
            {figures && <Tag>{t(figures.isContract ? 'community.address.contract' : 'community.address.account')}</Tag>}
            {distinct(figures?.labels ?? []).map(({ label, labelType }) => (
              <Tag key={label} tone="accent" title={labelType}>
                {label}
              </Tag>
            ))}
          </p>
        </div>
        <div className={page.actions}>
          {data && <FavoriteButton framed title={shortHex(address)} marked={{ kind: 'address', id: data.address, favorited: data.favorited, favorites: data.favorites }} />}
          <ButtonLink to={queryWithText('SQL', startingQuery(address))} icon={<CodeXml size={16} strokeWidth={1.6} />}>
            {t('community.address.query')}
          </ButtonLink>
        </div>
      </header>
      <Balance figures={figures} />
      <div className={css.columns}>
        <div className={css.column}>
          <Card title={t('community.address.activity')}>
            <div className={css.inside}>{figures ? <Activity days={figures.activity} /> : <Skeleton height="max(1.4rem, 120px)" width="100%" />}</div>
          </Card>
          <Card title={t('community.address.transactions')}>{figures ? figures.transactions.length === 0 ? <Empty title={t('common.noData')} /> : <Transactions address={address} list={figures.transactions} /> : <Skeleton height="max(4rem, 300px)" width="100%" />}</Card>
        </div>
        <div className={css.column}>
          <AddressTags address={address} tags={data?.tags} />
          <Facts figures={figures} />
        </div>
      </div>
    </div>
  );
}

/** The labels by their names: one that several rules or months gave says so once. */
function distinct(labels: Figures['labels']): Figures['labels'] {
  return [...new Map(labels.map((one) => [one.label, one])).values()];
}

function Balance({ figures }: { figures: Figures | undefined }) {
  const { t } = useTranslation();
  const parts = ['balance', 'received', 'sent', 'earned', 'fees'] as const;
  return (
    <>
      <dl className={css.figures}>
        {parts.map((part) => (
          <div key={part}>
            <dt>{t(`community.address.${part}`)}</dt>
            <dd title={figures && t('community.address.wei', { value: count(figures[part]) })}>{figures ? ether(figures[part]) : <Skeleton height="1em" width="5em" />}</dd>
          </div>
        ))}
      </dl>
      {figures && !figures.complete && <p className={css.note}>{t('community.address.incomplete')}</p>}
    </>
  );
}

function Facts({ figures }: { figures: Figures | undefined }) {
  const { t } = useTranslation();
  const rows: [string, string | undefined][] = [
    [t('community.address.sentCount'), figures && count(figures.sentCount)],
    [t('community.address.receivedCount'), figures && count(figures.receivedCount)],
    [t('community.address.tokenTransfers'), figures && count(figures.tokenTransfers)],
    [t('community.address.firstSeen'), figures && (figures.firstSeen ?? t('community.address.never'))],
    [t('community.address.lastSeen'), figures && (figures.lastSeen ?? t('community.address.never'))],
  ];
  return (
    <Card title={t('community.address.facts')}>
      <dl className={css.facts}>
        {rows.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value ?? <Skeleton height="1em" width="6em" />}</dd>
          </div>
        ))}
      </dl>
    </Card>
  );
}
