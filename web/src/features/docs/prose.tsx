// Prose of a page: the tokens of its Markdown as elements. No HTML of a text reaches the page, so there is nothing to clean.
import type { Token, Tokens } from 'marked';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { useLanguage, type Language } from '@/i18n';
import css from './docs.module.css';

const pictures = import.meta.glob<string>('../../../../data/docs/images/**/*.{png,webp}', { query: '?url', import: 'default', eager: true });
const outside = /^(?:https?|mailto|tel):/;

export function Prose({ tokens }: { tokens: readonly Token[] }) {
  const language = useLanguage();
  return <div className={css.prose}>{all(tokens, language)}</div>;
}

const all = (tokens: readonly Token[] | undefined, language: Language): ReactNode[] => (tokens ?? []).map((token, index) => element(token, index, language));

function element(token: Token, key: number, language: Language): ReactNode {
  const inside = () => all('tokens' in token ? token.tokens : undefined, language);
  switch (token.type) {
    case 'paragraph':
      return <p key={key}>{inside()}</p>;
    case 'strong':
      return <strong key={key}>{inside()}</strong>;
    case 'em':
      return <em key={key}>{inside()}</em>;
    case 'blockquote':
      return <blockquote key={key}>{inside()}</blockquote>;
    case 'codespan':
      return <code key={key}>{(token as Tokens.Codespan).text}</code>;
    case 'br':
      return <br key={key} />;
    case 'list':
      return list(token as Tokens.List, key, language);
    case 'table':
      return table(token as Tokens.Table, key, language);
    case 'link':
      return link(token as Tokens.Link, key, inside());
    case 'image':
      return picture(token as Tokens.Image, key, language);
    case 'text':
      return 'tokens' in token ? inside() : (token as Tokens.Text).text;
    case 'escape':
      return (token as Tokens.Escape).text;
    case 'space':
      return null;
    default:
      return token.raw;
  }
}

function list({ ordered, items }: Tokens.List, key: number, language: Language): ReactNode {
  const Tag = ordered ? 'ol' : 'ul';
  return (
    <Tag key={key}>
      {items.map((item, index) => (
        <li key={index}>{all(item.tokens, language)}</li>
      ))}
    </Tag>
  );
}

function table({ header, rows }: Tokens.Table, key: number, language: Language): ReactNode {
  return (
    // It scrolls, so the keyboard has to be able to reach it.
    // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <div key={key} className={css.scrolls} tabIndex={0} role="region" aria-label={header.map((cell) => cell.text).join(', ')}>
      <table>
        <thead>
          <tr>
            {header.map((cell, index) => (
              <th key={index} scope="col">
                {all(cell.tokens, language)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            <tr key={index}>
              {row.map((cell, place) => (
                <td key={place}>{all(cell.tokens, language)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function link({ href }: Tokens.Link, key: number, inside: ReactNode): ReactNode {
  if (outside.test(href)) {
    return (
      <a key={key} href={href} rel="noreferrer">
        {inside}
      </a>
    );
  }
  return (
    <Link key={key} to={href} reloadDocument={href.startsWith('/api/')}>
      {inside}
    </Link>
  );
}

function picture({ href, text }: Tokens.Image, key: number, language: Language): ReactNode {
  const folder = '../../../../data/docs/images';
  return <img key={key} src={pictures[`${folder}/${language}/${href}`] ?? pictures[`${folder}/${href}`]} alt={text} loading="lazy" />;
}
