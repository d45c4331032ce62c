// How fast the heavy parts of the query page are, as figures: `npm run measure` beside the browser tests. It fails on nothing,
// for its figures depend on the machine.
import { newPage, startBrowser, startServer } from './harness.mjs';
import { openQueryPage, register, run, typeQuery, waitForRows } from './steps.mjs';

const rows = 1_000_000;
const lines = 2_000;
const keys = 200;

const sorted = (values) => [...values].sort((a, b) => a - b);
const share = (values, part) => sorted(values)[Math.min(values.length - 1, Math.floor(values.length * part))] ?? 0;
const told = (values) => `median ${share(values, 0.5).toFixed(0)} ms, p95 ${share(values, 0.95).toFixed(0)} ms, longest ${Math.max(0, ...values).toFixed(0)} ms`;

/** Follows each row in sight from the frame it comes into sight until its cells are there or it is out of sight again. */
function watchRows() {
  const grid = document.querySelector('.ag-grid-viewport');
  const since = new Map();
  const blanks = [];
  const look = () => {
    const { bottom } = grid.getBoundingClientRect();
    const { bottom: top } = document.querySelector('.ag-grid-pinned-top-rows').getBoundingClientRect();
    const height = document.querySelector('.ag-grid-scrolling-container .ag-row')?.getBoundingClientRect().height ?? 30;
    const now = performance.now();
    const filled = new Set();
    const inSight = new Set();
    for (const row of document.querySelectorAll('.ag-grid-scrolling-container .ag-row')) {
      const box = row.getBoundingClientRect();
      if (box.bottom <= top + 1 || box.top >= bottom - 1) continue;
      inSight.add(row.getAttribute('row-index'));
      if (row.querySelector('.ag-cell') && !row.querySelector('.is-loading')) filled.add(row.getAttribute('row-index'));
    }
    // Where the grid has no row at all, there is a blank of its own.
    if (inSight.size < Math.floor((bottom - top) / height) - 1) inSight.add('none');
    for (const [index, from] of since) {
      if (inSight.has(index) && !filled.has(index)) continue;
      blanks.push(now - from);
      since.delete(index);
    }
    for (const index of inSight) if (!filled.has(index) && !since.has(index)) since.set(index, now);
    globalThis.stopLooking = requestAnimationFrame(look);
  };
  globalThis.rowsWatched = blanks;
  look();
}

async function scrolled(page, name, scroll) {
  await page.evaluate(watchRows);
  await scroll();
  await page.waitForFunction(() => !document.querySelector('.ag-grid-scrolling-container .is-loading'));
  const blanks = await page.evaluate(() => {
    cancelAnimationFrame(globalThis.stopLooking);
    return globalThis.rowsWatched;
  });
  console.log(`${name}: ${blanks.length} blank rows, ${told(blanks)}`);
}

async function scrolling(page) {
  await openQueryPage(page);
  await typeQuery(page, `select t.hash, t.block_number, t.block_timestamp, t.from_address, t.value, t.receipt_gas_used, s.value as copy from transactions t cross join generate_series(1, 40) s limit ${rows}`);
  await run(page);
  await waitForRows(page);
  await page.getByText(rows.toLocaleString('en'), { exact: false }).first().waitFor();
  const grid = await page.locator('.ag-grid-viewport').boundingBox();
  await page.mouse.move(grid.x + grid.width / 2, grid.y + grid.height / 2);
  for (const [name, notches, step] of [['wheel, slowly', 60, 120], ['wheel, fast', 120, 1_200]]) {
    await scrolled(page, name, async () => {
      for (let at = 0; at < notches; at += 1) {
        await page.mouse.wheel(0, step);
        await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)));
      }
    });
  }
  const jump = (part) =>
    page.evaluate(async (to) => {
      const view = document.querySelector('.ag-grid-viewport');
      view.scrollTop = (view.scrollHeight - view.clientHeight) * to;
      await new Promise((resolve) => requestAnimationFrame(resolve));
    }, part);
  await scrolled(page, 'bar dragged from top to end', async () => {
    for (let at = 0; at <= 120; at += 1) await jump(at / 120);
  });
  await scrolled(page, 'jumps', async () => {
    for (let at = 0; at < 20; at += 1) {
      await jump(((at * 7_919) % 1_000) / 1_000);
      await page.waitForFunction(() => !document.querySelector('.ag-grid-scrolling-container .is-loading'));
    }
  });
  const session = await page.context().newCDPSession(page);
  await session.send('HeapProfiler.collectGarbage');
  const { usedSize } = await session.send('Runtime.getHeapUsage');
  console.log(`memory of the page's heap: ${(usedSize / 1e6).toFixed(0)} MB`);
}

async function typing(page) {
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

const [server, browser] = await Promise.all([startServer(), startBrowser()]);
try {
  const page = await newPage(browser, server);
  await register(page, 'ada');
  await scrolling(page);
  await typing(page);
} finally {
  await browser.close();
  await server.stop();
}
