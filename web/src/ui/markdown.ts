/** Markdown made into HTML that holds nothing but text: no scripts, no pictures of other sites, and links of four kinds. */
import DOMPurify from 'dompurify';
import { Marked } from 'marked';

const tags = ['a', 'blockquote', 'br', 'code', 'del', 'em', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'hr', 'input', 'li', 'ol', 'p', 'pre', 'strong', 'table', 'tbody', 'td', 'th', 'thead', 'tr', 'ul'];
const attributes = ['href', 'title', 'align', 'start', 'type', 'checked', 'disabled', 'class'];
const links = /^(?:https?:\/\/|mailto:|tel:)/i;

const purifier = DOMPurify();
purifier.addHook('afterSanitizeAttributes', (node) => {
  if (node.tagName === 'A') {
    node.setAttribute('target', '_blank');
    node.setAttribute('rel', 'noopener noreferrer nofollow');
  }
  // Of inputs Markdown only makes the boxes of task lists.
  if (node.tagName === 'INPUT' && node.getAttribute('type') !== 'checkbox') node.remove();
});

const signs: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escaped = (text: string): string => text.replace(/[&<>"]/g, (sign) => signs[sign] ?? sign);

/** HTML in a text is text, and a picture is its words: the sanitizer below never meets either, and would take both out. */
const marked = new Marked({
  gfm: true,
  breaks: true,
  renderer: {
    html: ({ text }) => escaped(text),
    image: ({ text }) => escaped(text),
    // The first two levels are the page's.
    heading({ tokens, depth }) {
      const level = Math.min(depth + 2, 6);
      return `<h${level}>${this.parser.parseInline(tokens)}</h${level}>\n`;
    },
  },
});

/** The HTML of a Markdown text, safe to put into the page. */
export function markdownHtml(text: string): string {
  const html = marked.parse(text, { async: false });
  return purifier.sanitize(html, { ALLOWED_TAGS: tags, ALLOWED_ATTR: attributes, ALLOWED_URI_REGEXP: links, ALLOW_DATA_ATTR: false });
}
