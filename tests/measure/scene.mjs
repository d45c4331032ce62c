// How fast the largest scene of the models turns where a processor draws it.
import { newPage, startBrowser } from '../browser/harness.mjs';
import { register } from '../browser/steps.mjs';

const seconds = 10;
/** Who moved tokens to whom on the sample chain: as many links as a model draws, and about as many nodes. */
const text = 'MATCH (a)-[t:TOKEN_TRANSFERS]->(b) RETURN a, t, b LIMIT 6000';
const largest = `/visualization_model/test/graph?${new URLSearchParams({ cypher: text })}`;

/** Moments of the frames that the browser shows while the picture turns. */
function frames(milliseconds) {
  return new Promise((resolve) => {
    const times = [];
    const step = (now) => {
      times.push(now);
      if (now - times[0] < milliseconds) requestAnimationFrame(step);
      else resolve(times);
    };
    requestAnimationFrame(step);
  });
}

async function turn(page) {
  await page.goto(largest);
  await page.locator('[data-ready="true"][data-drawn]').waitFor();
  const { nodes, links } = await page.locator('[data-nodes]').evaluate((bench) => ({ ...bench.dataset }));
  await page.getByRole('button', { name: 'Turn slowly (r)' }).click();
  const times = await page.evaluate(frames, seconds * 1000);
  const gaps = times.slice(1).map((time, at) => time - times[at]).sort((a, b) => a - b);
  const rate = (1000 * gaps.length) / gaps.reduce((sum, gap) => sum + gap, 0);
  const slowest = gaps[Math.floor(gaps.length * 0.95)];
  const { width, height } = await page.locator('[data-drawn] canvas').evaluate((canvas) => ({ width: canvas.width, height: canvas.height }));
  console.log(`${nodes} nodes, ${links} links at 1280 × 720 (${width} × ${height} pixels drawn): ${rate.toFixed(1)} frames a second, 95 of 100 frames within ${slowest.toFixed(0)} ms, drawn by software`);
}

/** In a browser of its own, which draws WebGL. */
export async function measureScene(_, server) {
  const browser = await startBrowser({ space: true });
  try {
    const page = await newPage(browser, server);
    await page.setViewportSize({ width: 1280, height: 720 });
    await register(page, `a${Date.now().toString(36)}`);
    await turn(page);
  } finally {
    await browser.close();
  }
}
