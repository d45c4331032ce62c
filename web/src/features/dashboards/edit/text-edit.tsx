// Writing the texts of widgets in their place: plain text, Markdown with a preview, rich text.
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Segmented } from 'antd';
import { lazyPart, Part } from '@/ui/part';
import { Skeleton } from '@/ui/parts';
import { Markdown } from '@/ui/prose';
import type { WidgetContent } from '../api';
import { isEmptyText } from '../model/document';
import css from './text-edit.module.css';

const RichEditor = lazyPart(() => import('./rich-editor').then(({ RichEditor: component }) => ({ default: component })));
const LONGEST = 20_000;

interface TextEditProps {
  content: WidgetContent;
  /** An empty text is written at once: whoever chose it wants that. */
  start: boolean;
  title: string;
  onChange: (content: WidgetContent) => void;
}

export const isText = (content: WidgetContent): boolean => content.type === 'text' || content.type === 'markdown' || content.type === 'richText';

/** Stands in the editor where a text is still to be written; readers see nothing of it. */
export function EmptyText() {
  const { t } = useTranslation();
  return <p className={css.empty}>{t('dashboards.edit.emptyText')}</p>;
}

export function TextEdit({ content, start, title, onChange }: TextEditProps) {
  const { t } = useTranslation();
  const [preview, setPreview] = useState(false);
  const [focused] = useState(start && isEmptyText(content));
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    if (focused) field.current?.focus({ preventScroll: true });
  }, [focused]);
  if (content.type === 'richText') {
    return (
      <Part waiting={<Skeleton height="100%" width="100%" />}>
        <RichEditor start={focused} blocks={content.blocks} label={title} onChange={(blocks) => onChange({ ...content, blocks })} />
      </Part>
    );
  }
  if (content.type !== 'text' && content.type !== 'markdown') return null;
  const markdown = content.type === 'markdown';
  return (
    <div className={css.edit}>
      {markdown ? (
        <Segmented
          size="small"
          className={css.switch}
          value={preview ? 'preview' : 'write'}
          onChange={(value) => setPreview(value === 'preview')}
          options={[
            { value: 'write', label: t('dashboards.edit.write') },
            { value: 'preview', label: t('dashboards.edit.preview') },
          ]}
        />
      ) : null}
      {markdown && preview ? (
        <div className={css.drawn}>
          <Markdown text={content.text} />
        </div>
      ) : (
        <textarea ref={field} className={css.text} data-mono={markdown} aria-label={title} placeholder={t(markdown ? 'dashboards.edit.markdownHint' : 'dashboards.edit.textHint')} maxLength={LONGEST} value={content.text} onChange={(event) => onChange({ ...content, text: event.target.value })} />
      )}
    </div>
  );
}
