/** The decoder beside the query: a pasted hash, call, log or signature becomes names and values. */
import { Input, Segmented } from 'antd';
import { useId, useState, type SyntheticEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { messageOf } from '@/api/error';
import { Button } from '@/ui/button';
import { Drawer } from '@/ui/drawer';
import { isSignature, kindOf, KINDS, signatureOf, wantedOf, type DecodeKind } from './read';
import { Results } from './results';
import { Signatures, useAddSignature } from './signatures';
import { useDecode } from './use-decode';
import css from './decoder.module.css';

export function DecoderPanel({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const id = useId();
  const [text, setText] = useState('');
  const [chosen, setChosen] = useState<DecodeKind>('hashes');
  const [tried, setTried] = useState(false);
  const decoding = useDecode();
  const adding = useAddSignature();
  const wanted = wantedOf(chosen, text);
  const problem = chosen === 'signature' ? (text.trim() === '' || isSignature(text) ? null : 'signature') : wanted?.ok === false ? wanted.problem : null;
  const error = chosen === 'signature' ? adding.error : decoding.error;
  const busy = decoding.busy || adding.isPending;

  const write = (next: string) => {
    setText(next);
    setTried(false);
    const kind = kindOf(next);
    if (kind !== null) setChosen(kind);
  };
  const submit = (event?: SyntheticEvent) => {
    event?.preventDefault();
    setTried(true);
    if (busy || problem !== null) return;
    if (chosen === 'signature' && text.trim() !== '') adding.mutate(signatureOf(text), { onSuccess: () => setText((now) => (now === text ? '' : now)) });
    else if (wanted?.ok) decoding.start(wanted);
  };

  return (
    <Drawer open placement="right" size={560} title={t('decoder.title')} onClose={onClose}>
      <form className={css.form} onSubmit={submit}>
        <Segmented<DecodeKind> block aria-label={t('decoder.what')} value={chosen} onChange={setChosen} options={KINDS.map((value) => ({ value, label: t(`decoder.kind.${value}`) }))} />
        <label htmlFor={id}>{t(`decoder.paste.${chosen}`)}</label>
        <Input.TextArea
          id={id}
          className={css.text}
          value={text}
          rows={4}
          spellCheck={false}
          autoComplete="off"
          status={tried && problem !== null ? 'error' : ''}
          aria-invalid={tried && problem !== null}
          aria-describedby={`${id}-below`}
          placeholder={t(`decoder.example.${chosen}`)}
          onChange={(event) => write(event.target.value)}
          onKeyDown={(event) => {
            // The query's own Ctrl+Enter lies under the panel.
            event.stopPropagation();
            if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) submit();
          }}
        />
        <div className={css.foot}>
          <p id={`${id}-below`} className={css.below} role={tried && problem !== null ? 'alert' : undefined} data-bad={tried && problem !== null}>
            {tried && problem !== null ? t(`decoder.problem.${problem}`) : t(`decoder.hint.${chosen}`)}
          </p>
          <Button kind="primary" type="submit" busy={busy} disabled={text.trim() === ''}>
            {t(chosen === 'signature' ? 'decoder.add' : 'decoder.decode')}
          </Button>
        </div>
        {error && !busy ? (
          <p className={css.error} role="alert">
            {messageOf(error)}
          </p>
        ) : null}
      </form>
      {chosen === 'signature' ? <Signatures /> : <Results {...decoding} />}
    </Drawer>
  );
}
