// How long the editor takes for a key in a long text.
import { openQueryPage, typeQuery } from '../browser/steps.mjs';
import { told } from './told.mjs';

const lines = 2_000;
const keys = 200;

/** On a page that somebody is signed in on. */
export async function measureTyping(page) {
  await openQueryPage(page);
  await typeQuery(page, Array.from({ length: lines }, (_, at) => `select block_number, hash, value / 1e18 as eth from transactions where block_number = ${at} and from_address is not null;`).join('\n'));
  await page.locator('.cm-content').click();
  await page.keyboard.press('ControlOrMeta+End');
  await page.keyboard.insertText('\n');
  await page.evaluate(() => {
    globalThis.keyTimes = [];
    const content = document.querySelector('.cm-content');
    content.addEventListener('keydown', () => (globalThis.pressedAt = performance.now()), true);
    // After the editor has taken the key and its change is in the page.
    new MutationObserver(() => {
      if (globalThis.pressedAt === undefined) return;
      globalThis.keyTimes.push(performance.now() - globalThis.pressedAt);
      globalThis.pressedAt = undefined;
    }).observe(content, { childList: true, characterData: true, subtree: true });
  });
  const text = 'select hash from transactions where value > 1 ';
  for (let at = 0; at < keys; at += 1) await page.keyboard.press(text[at % text.length] === ' ' ? 'Space' : text[at % text.length]);
  console.log(`a key in ${lines} lines: ${told(await page.evaluate(() => globalThis.keyTimes))}`);
}
