/** What the decoder found: calls and logs with their signatures and arguments. */
import { useTranslation } from 'react-i18next';
import type { Schemas } from '@/api/call';
import { count } from '@/lib/format';
import { CopyButton, Tag } from '@/ui/parts';
import type { Decoding } from './use-decode';
import css from './decoder.module.css';

type Call = Schemas['CallView'];
type Log = Schemas['LogView'];
type Argument = Schemas['ArgumentView'];

export function Results({ shown, asked, busy }: Pick<Decoding, 'shown' | 'asked' | 'busy'>) {
  const { t } = useTranslation();
  if (!shown) return null;
  const { transactions, call, log } = shown;
  return (
    <div className={css.results} aria-busy={busy}>
      {asked > 0 ? (
        <p className={css.count} role="status">
          {busy ? t('decoder.progress', { done: count(transactions.length), asked: count(asked) }) : t('decoder.found', { count: asked, found: count(shown.count), asked: count(asked) })}
        </p>
      ) : null}
      {call ? <CallCard of={call} /> : null}
      {log ? <LogCard of={log} /> : null}
      {transactions.map(({ hash, decodedResult }) => (
        <details key={hash} className={css.transaction} open={transactions.length <= 3}>
          <summary>
            <code className="ellipsis">{hash}</code>
            {decodedResult ? <Tag>{t('decoder.logs', { count: decodedResult.logs.length })}</Tag> : <Tag tone="warn">{t('decoder.missing')}</Tag>}
          </summary>
          {decodedResult ? (
            <>
              <p className={css.line}>
                {decodedResult.to ? t('decoder.to') : t('decoder.creation')} {decodedResult.to ? <code>{decodedResult.to}</code> : null}
                <CopyButton text={hash} label={t('decoder.copyHash')} />
              </p>
              <CallCard of={decodedResult.call} />
              {decodedResult.logs.map((one, at) => (
                <LogCard key={one.logIndex ?? at} of={one} />
              ))}
            </>
          ) : (
            <p className={css.line}>{t('decoder.missingText')}</p>
          )}
        </details>
      ))}
    </div>
  );
}

function CallCard({ of: { decoded, reason, selector } }: { of: Call }) {
  const { t } = useTranslation();
  const known = reason === 'empty' || reason === 'creation' || reason === 'too_much' ? t(`decoder.reason.${reason}`) : t('decoder.reason.unknown_selector', { selector: selector ?? '' });
  return <Card kind={t('decoder.call')} place={selector ?? ''} decoded={decoded ?? null} unknown={known} />;
}

function LogCard({ of: { decoded, reason, topic0, address, logIndex } }: { of: Log }) {
  const { t } = useTranslation();
  const known = reason === 'anonymous' || reason === 'too_much' ? t(`decoder.reason.${reason}`) : t('decoder.reason.unknown_event', { topic: topic0 ?? '' });
  const title = typeof logIndex === 'number' ? t('decoder.logAt', { index: count(logIndex) }) : t('decoder.log');
  return <Card kind={title} place={address ?? ''} decoded={decoded ?? null} unknown={known} />;
}

function Card({ kind, place, decoded, unknown }: { kind: string; place: string; decoded: Schemas['DecodedView'] | null; unknown: string }) {
  const { t } = useTranslation();
  return (
    <section className={css.card}>
      <div className={css.cardHead}>
        <strong>{decoded?.name ?? kind}</strong>
        {decoded ? <span>{kind}</span> : null}
        {place === '' ? null : <code className="ellipsis">{place}</code>}
      </div>
      {decoded ? (
        <>
          <code className={css.signature}>{decoded.signature}</code>
          {decoded.arguments.length === 0 ? (
            <p className={css.line}>{t('decoder.noArguments')}</p>
          ) : (
            <table className={css.arguments}>
              <thead className="visually-hidden">
                <tr>
                  <th>{t('decoder.argument')}</th>
                  <th>{t('decoder.type')}</th>
                  <th>{t('decoder.value')}</th>
                </tr>
              </thead>
              <tbody>
                {decoded.arguments.map((argument, at) => (
                  <Row key={at} of={argument} at={at} />
                ))}
              </tbody>
            </table>
          )}
        </>
      ) : (
        <p className={css.line}>{unknown}</p>
      )}
    </section>
  );
}

function Row({ of: { name, type, value }, at }: { of: Argument; at: number }) {
  const text = typeof value === 'string' ? value : JSON.stringify(value, null, 1);
  return (
    <tr>
      <th scope="row">{name === '' ? at : name}</th>
      <td>{type}</td>
      <td>
        <div className={css.value}>
          <code>{text}</code>
          <CopyButton text={text} />
        </div>
      </td>
    </tr>
  );
}
