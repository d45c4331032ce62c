// How a result of a million rows scrolls: how long rows in sight stay blank, and what the page holds in memory.
import { openQueryPage, run, typeQuery, waitForRows } from '../browser/steps.mjs';
import { told } from './told.mjs';

const rows = 1_000_000;

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

/** On a page that somebody is signed in on. */
export async function measureGrid(page) {
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
