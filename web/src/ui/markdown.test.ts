// @vitest-environment jsdom
import { describe, expect, it } from 'vitest';
import { markdownHtml } from './markdown';

describe('Markdown', () => {
  it('becomes headings, lists, tables and code', () => {
    const html = markdownHtml('# Gas\n\n- one\n- **two**\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n`x`');
    for (const part of ['<h3>Gas</h3>', '<li>one</li>', '<strong>two</strong>', '<td>1</td>', '<code>x</code>']) expect(html).toContain(part);
  });

  it('has its headlines below those of the page', () => {
    expect(markdownHtml('# **a**\n\n## b\n\n###### c').match(/<h\d>/g)).toEqual(['<h3>', '<h4>', '<h6>']);
  });

  it('keeps links of four kinds, in a window of their own', () => {
    expect(markdownHtml('[a](https://a.b/c)')).toMatch(/<a href="https:\/\/a\.b\/c" target="_blank" rel="noopener noreferrer nofollow">a<\/a>/);
    for (const link of ['mailto:a@b.c', 'tel:+1', 'http://a.b']) expect(markdownHtml(`[a](${link})`)).toContain(`href="${link}"`);
    for (const link of ['javascript:alert(1)', 'data:text/html,x', 'JaVaScRiPt:alert(1)', '/local', 'vbscript:x']) expect(markdownHtml(`[a](${link})`)).not.toContain('href');
  });

  it('leaves out whatever could run or reach out', () => {
    const html = markdownHtml('<img src=x onerror=alert(1)><script>alert(1)</script><iframe src="https://a.b"></iframe>\n\n![p](https://a.b/x.png)\n\n<p onclick="x()" style="position:fixed">t</p><form action="x"><input type="text"></form><svg><a href="javascript:1">s</a></svg>');
    const page = new DOMParser().parseFromString(html, 'text/html');
    expect(page.querySelectorAll('img, script, iframe, form, svg, input, [href], [style]').length).toBe(0);
    expect([...page.querySelectorAll('*')].flatMap((element) => element.getAttributeNames()).filter((name) => name.startsWith('on'))).toEqual([]);
    expect(page.body.textContent).toContain('<script>alert(1)</script>');
  });
});
