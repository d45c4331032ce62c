// The newest transactions of an address.
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { Schemas } from '@/api/call';
import { count, ether, shortHex } from '@/lib/format';
import { addressOf } from '@/lib/paths';
import { CopyButton, Tag } from '@/ui/parts';
import css from './address.module.css';

export function Transactions({ address, list }: { address: string; list: Schemas['AddressTransaction'][] }) {
  const { t } = useTranslation();
  return (
    <div className={css.scroll}>
      <table className={css.table}>
        <thead>
          <tr>
            <th scope="col">{t('community.address.time')}</th>
            <th scope="col">{t('community.address.hash')}</th>
            <th scope="col">{t('community.address.direction')}</th>
            <th scope="col">{t('community.address.other')}</th>
            <th scope="col" className={css.number}>
              {t('community.address.value')}
            </th>
          </tr>
        </thead>
        <tbody>
          {list.map((one) => {
            const out = one.from === address;
            const other = out ? one.to : one.from;
            return (
              <tr key={one.hash}>
                <td>{one.time}</td>
                <td className="mono">
                  <span className={css.hash} title={one.hash}>
                    {shortHex(one.hash)}
                    <CopyButton text={one.hash} label={t('community.address.copyHash')} />
                  </span>
                </td>
                <td>
                  <Tag tone={out ? 'warn' : 'ok'}>{t(out ? 'community.address.out' : 'community.address.in')}</Tag>
                  {!one.succeeded && <Tag tone="bad">{t('community.address.failed')}</Tag>}
                </td>
                <td className="mono">{other ? <Link to={addressOf(other)} title={other}>{shortHex(other)}</Link> : t('community.address.creation')}</td>
                <td className={css.number} title={t('community.address.wei', { value: count(one.value) })}>
                  {ether(one.value)}
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}
