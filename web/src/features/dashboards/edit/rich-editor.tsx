// Rich text written as it will look.
import { EditorContent, useEditor, useEditorState, type Editor } from '@tiptap/react';
import StarterKit from '@tiptap/starter-kit';
import { Bold, Code, Heading, Italic, Link2, List, ListOrdered, Minus, Strikethrough, TextQuote, Underline, type LucideIcon } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { isAllowedLink } from '@/lib/links';
import { Button } from '@/ui/button';
import { proseClass } from '@/ui/prose';
import type { RichBlock } from '../api';
import { toBlocks, toEditor } from '../model/rich';
import css from './text-edit.module.css';

interface RichEditorProps {
  blocks: readonly RichBlock[];
  start: boolean;
  label: string;
  onChange: (blocks: RichBlock[]) => void;
}

export function RichEditor({ blocks, start, label, onChange }: RichEditorProps) {
  const editor = useEditor({
    extensions: [
      StarterKit.configure({
        heading: { levels: [1, 2, 3, 4] },
        link: { openOnClick: false, autolink: false, isAllowedUri: (link) => isAllowedLink(link) },
      }),
    ],
    content: toEditor(blocks),
    autofocus: start,
    editorProps: { attributes: { class: proseClass, 'aria-label': label, role: 'textbox', 'aria-multiline': 'true' } },
    onUpdate: ({ editor: now }) => onChange(toBlocks(now.getJSON())),
  });
  return (
    <div className={css.edit}>
      <Tools editor={editor} />
      <EditorContent editor={editor} className={css.rich} />
    </div>
  );
}

type Tool = 'bold' | 'italic' | 'underline' | 'strike' | 'code' | 'heading' | 'bulletList' | 'orderedList' | 'blockquote' | 'divider' | 'link';

const tools: readonly { tool: Tool; icon: LucideIcon; run: (editor: Editor) => void }[] = [
  { tool: 'heading', icon: Heading, run: (editor) => editor.chain().focus().toggleHeading({ level: 2 }).run() },
  { tool: 'bold', icon: Bold, run: (editor) => editor.chain().focus().toggleBold().run() },
  { tool: 'italic', icon: Italic, run: (editor) => editor.chain().focus().toggleItalic().run() },
  { tool: 'underline', icon: Underline, run: (editor) => editor.chain().focus().toggleUnderline().run() },
  { tool: 'strike', icon: Strikethrough, run: (editor) => editor.chain().focus().toggleStrike().run() },
  { tool: 'code', icon: Code, run: (editor) => editor.chain().focus().toggleCode().run() },
  { tool: 'bulletList', icon: List, run: (editor) => editor.chain().focus().toggleBulletList().run() },
  { tool: 'orderedList', icon: ListOrdered, run: (editor) => editor.chain().focus().toggleOrderedList().run() },
  { tool: 'blockquote', icon: TextQuote, run: (editor) => editor.chain().focus().toggleBlockquote().run() },
  { tool: 'divider', icon: Minus, run: (editor) => editor.chain().focus().setHorizontalRule().run() },
];

function Tools({ editor }: { editor: Editor }) {
  const { t } = useTranslation();
  const [address, setAddress] = useState<string | null>(null);
  const active = useEditorState({ editor, selector: ({ editor: now }) => Object.fromEntries([...tools.map(({ tool }) => [tool, now.isActive(tool)]), ['link', now.isActive('link')]]) as Record<Tool, boolean> });
  const wrong = address !== null && address !== '' && !isAllowedLink(address);
  const setLink = () => {
    if (address === null || wrong) return;
    if (address === '') editor.chain().focus().unsetLink().run();
    else editor.chain().focus().extendMarkRange('link').setLink({ href: address }).run();
    setAddress(null);
  };
  return (
    <div className={css.tools} role="toolbar" aria-label={t('dashboards.edit.format')}>
      {tools.map(({ tool, icon: Icon, run }) => (
        <button key={tool} type="button" aria-label={t(`dashboards.edit.tools.${tool}`)} title={t(`dashboards.edit.tools.${tool}`)} aria-pressed={active[tool]} onClick={() => run(editor)}>
          <Icon size={15} strokeWidth={1.7} aria-hidden />
        </button>
      ))}
      <button type="button" aria-label={t('dashboards.edit.tools.link')} title={t('dashboards.edit.tools.link')} aria-pressed={active.link} aria-expanded={address !== null} onClick={() => setAddress(address === null ? String(editor.getAttributes('link')['href'] ?? '') : null)}>
        <Link2 size={15} strokeWidth={1.7} aria-hidden />
      </button>
      {address === null ? null : (
        <form
          className={css.link}
          onSubmit={(event) => {
            event.preventDefault();
            setLink();
          }}
        >
          <input aria-label={t('dashboards.edit.linkAddress')} value={address} aria-invalid={wrong} onChange={(event) => setAddress(event.target.value.trim())} />
          <Button type="submit" size="small" disabled={wrong}>
            {t('common.ok')}
          </Button>
          {wrong ? <p role="alert">{t('dashboards.edit.linkWrong')}</p> : null}
        </form>
      )}
    </div>
  );
}
