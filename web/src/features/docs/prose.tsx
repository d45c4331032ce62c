// Prose of a page as elements. No HTML of a text reaches the page, so there is nothing to clean.
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { useLanguage, type Language } from '@/i18n';
import { wordsIn, type Part } from './text';
import css from './docs.module.css';

const pictures = import.meta.glob<string>('../../../../data/docs/images/**/*.{png,webp}', { query: '?url', import: 'default', eager: true });
const outside = /^(?:https?|mailto|tel):/;

export function Prose({ parts }: { parts: readonly Part[] }) {
  const language = useLanguage();
  return <div className={css.prose}>{all(parts, language)}</div>;
}

type Of<Is> = Extract<Part, { is: Is }>;

const all = (parts: readonly Part[], language: Language): ReactNode[] => parts.map((part, index) => element(part, index, language));

function element(part: Part, key: number, language: Language): ReactNode {
  if (typeof part === 'string') return part;
  switch (part.is) {
    case 'paragraph':
      return <p key={key}>{all(part.parts, language)}</p>;
    case 'strong':
      return <strong key={key}>{all(part.parts, language)}</strong>;
    case 'em':
      return <em key={key}>{all(part.parts, language)}</em>;
    case 'blockquote':
      return <blockquote key={key}>{all(part.parts, language)}</blockquote>;
    case 'code':
      return <code key={key}>{part.text}</code>;
    case 'break':
      return <br key={key} />;
    case 'list':
      return list(part, key, language);
    case 'table':
      return table(part, key, language);
    case 'link':
      return link(part, key, language);
    case 'image':
      return picture(part, key, language);
  }
}

function list({ ordered, items }: Of<'list'>, key: number, language: Language): ReactNode {
  const Tag = ordered ? 'ol' : 'ul';
  return (
    <Tag key={key}>
      {items.map((item, index) => (
        <li key={index}>{all(item, language)}</li>
      ))}
    </Tag>
  );
}

function table({ head, rows }: Of<'table'>, key: number, language: Language): ReactNode {
  return (
    // It scrolls, so the keyboard has to be able to reach it.
    // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <div key={key} className={css.scrolls} tabIndex={0} role="region" aria-label={head.map(wordsIn).join(', ')}>
      <table>
        <thead>
          <tr>
            {head.map((cell, index) => (
              <th key={index} scope="col">
                {all(cell, language)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            <tr key={index}>
              {row.map((cell, place) => (
                <td key={place}>{all(cell, language)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function link({ to, parts }: Of<'link'>, key: number, language: Language): ReactNode {
  if (outside.test(to)) {
    return (
      <a key={key} href={to} rel="noreferrer">
        {all(parts, language)}
      </a>
    );
  }
  return (
    <Link key={key} to={to} reloadDocument={to.startsWith('/api/')}>
      {all(parts, language)}
    </Link>
  );
}

function picture({ file, text }: Of<'image'>, key: number, language: Language): ReactNode {
  const folder = '../../../../data/docs/images';
  return <img key={key} src={pictures[`${folder}/${language}/${file}`] ?? pictures[`${folder}/${file}`]} alt={text} loading="lazy" />;
}
