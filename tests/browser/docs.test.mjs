// The manuals, as a visitor reads them: every page in both languages and themes, wide and narrow; the search; a query that
// goes from a page into the editor. (The route walk opens each page by its address and looks at it with axe as well.)
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { axeFindings, becomes, hasFocus, keep, newPage, startBrowser, startServer, until } from './harness.mjs';

let server;
let browser;

before(async () => {
  [server, browser] = await Promise.all([startServer(), startBrowser()]);
});

after(async () => {
  await browser?.close();
  await server?.stop();
});

/** A page in a language and theme that are chosen already. */
async function reader({ language = 'en', theme = 'light', width = 1920 } = {}) {
  const page = await newPage(browser, server);
  await page.setViewportSize({ width, height: width < 768 ? 844 : 1080 });
  await page.addInitScript(
    ([chosenLanguage, chosenTheme]) => {
      localStorage.setItem('quarry.language', chosenLanguage);
      localStorage.setItem('quarry.theme', chosenTheme);
    },
    [language, theme],
  );
  return page;
}

/** Waits until the text and the charts near the top are there. */
async function ready(page) {
  await page.locator('article h2').first().waitFor();
  await page.waitForLoadState('networkidle');
}

const looks = [
  { language: 'en', theme: 'dark', width: 1920 },
  { language: 'zh', theme: 'light', width: 390 },
];

for (const look of looks) {
  test(`every page of the documentation, ${look.language}, ${look.theme}, ${look.width} wide`, async () => {
    const page = await reader(look);
    await page.goto('/platform');
    await page.waitForURL('**/platform/summarize');
    const names = [];
    for (;;) {
      await ready(page);
      const name = await page.locator('article').getAttribute('data-page');
      names.push(name);
      assert.notEqual(await page.locator('main h1').innerText(), '');
      const beyond = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      assert.ok(beyond <= 0, `${name} is ${beyond} pixels too wide`);
      assert.deepEqual(await axeFindings(page), [], name);
      await keep(page, `${name.replaceAll('/', '-')}-${look.language}-${look.theme}-${look.width}`);
      const next = page.locator('a[data-side="after"]');
      if ((await next.count()) === 0) {
        break;
      }
      const to = await next.getAttribute('href');
      await next.click();
      await page.locator(`article[data-page="${to.slice(1)}"]`).waitFor();
    }
    assert.equal(names.length, 15);
    assert.deepEqual(page.faults, []);
    await page.context().close();
  });
}

for (const [language, words, place] of [
  ['en', 'moving average', '/platform/course/sql-course#window'],
  ['zh', '移动平均', '/platform/course/sql-course#window'],
]) {
  test(`the search finds a part of a page in ${language}`, async () => {
    const page = await reader({ language });
    await page.goto('/platform/summarize');
    await ready(page);
    await page.keyboard.press('/');
    await hasFocus(page.getByRole('combobox'));
    await page.keyboard.type(words);
    await page.getByRole('option').first().waitFor();
    await keep(page, `docs-search-${language}`);
    await page.keyboard.press('Enter');
    await page.waitForURL(`**${place}`);
    const atTop = () =>
      page.locator('#window').evaluate((heading) => {
        const { top } = heading.getBoundingClientRect();
        return top >= 0 && top < 300;
      });
    await until(atTop, 'the part is not at the top');
    assert.deepEqual(page.faults, []);
    await page.context().close();
  });
}

test('a query of a page opens in the editor as it stands', async () => {
  const page = await reader();
  await page.goto('/platform/course/sql-course');
  await ready(page);
  const shown = await page.locator('article pre').first().innerText();
  await page.getByRole('link', { name: 'Open in editor' }).first().click();
  await page.waitForURL('**/user/query*');
  await page.locator('.cm-content').waitFor();
  const lines = (text) => text.split('\n').map((line) => line.trim()).filter((line) => line !== '');
  await becomes(async () => lines(await page.locator('.cm-content').innerText()), lines(shown));
  await page.context().close();
});

test('an address that is no page of the manuals leads to /404', async () => {
  const page = await reader();
  await page.goto('/platform/no-such-page');
  await page.waitForURL('**/404');
  await page.context().close();
});

test('a table is described by the name that queries call it by, also where no heading has it', async () => {
  const page = await reader();
  for (const [path, name] of [['ETH', 'ethereum.traces_decoded'], ['token', 'erc20_ethereum.evt_transfer']]) {
    await page.goto(`/platform/data-declaration/${path}`);
    await page.locator('article').getByText(name, { exact: true }).first().waitFor();
  }
  await page.close();
});

test('on a small screen Try it leads to its panel, and the list of pages makes room for a part of the page on show', async () => {
  const page = await reader({ width: 390 });
  await page.goto('/developer-apis/fees-api/summary');
  await page.getByRole('button', { name: 'Try “Gas used, mean”' }).click();
  const panel = page.getByRole('complementary', { name: 'Try it' });
  await hasFocus(panel, 'the panel has not the focus');
  await until(() => panel.evaluate((element) => element.getBoundingClientRect().top < innerHeight / 2), 'the panel is out of sight');
  await panel.getByText('Gas used, mean', { exact: true }).waitFor();
  const list = page.getByRole('button', { name: 'Pages of the manual' });
  await list.click();
  const pages = page.locator('#docs-pages');
  await pages.getByRole('link', { name: 'Gas used, median' }).click();
  await pages.waitFor({ state: 'hidden' });
  await hasFocus(page.getByRole('heading', { name: 'Gas used, median' }), 'the part has not the focus');
  assert.deepEqual(page.faults, []);
  await page.context().close();
});
