// What the browser tests share: a server with the sample chain, Chromium, screenshots, waiting, and the accessibility check.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtemp, mkdir, rm } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import AxeBuilder from '@axe-core/playwright';
import { chromium } from 'playwright-core';

const screenshots = fileURLToPath(new URL('../screenshots/', import.meta.url));

/** Chromium as an ordinary page sees it, without its own calls home. */
const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** How long something may take to come. Generous: on a busy machine Chromium alone takes long to open a page. */
const patience = 60_000;

function binary() {
  const cache = process.env.QUARRY_CACHE ?? join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'quarry');
  return join(process.env.CARGO_TARGET_DIR ?? join(cache, 'target'), 'release', 'quarry');
}

/** The password of the account `admin` of the servers started here. */
export const adminPassword = 'adm1n-of-tests';

/** Starts `quarry serve` on an empty home, which then holds the sample chain; `settings` are variables of its environment. */
export async function startServer(settings = {}) {
  const home = await mkdtemp(join(tmpdir(), 'quarry-browser-'));
  const child = spawn(binary(), ['--home', home, 'serve', '--listen', '127.0.0.1:0'], {
    stdio: ['ignore', 'pipe', 'ignore'],
    // One thread for queries: on two cores the endless query of a test leaves one to Chromium, which starves otherwise.
    env: { ...process.env, QUARRY_ADMIN_PASSWORD: adminPassword, QUARRY_THREADS: '1', ...settings },
  });
  const ended = new Promise((resolve) => {
    child.once('close', resolve);
  });
  const url = await new Promise((resolve, reject) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      const found = /listening on (http:\/\/\S+)/.exec(line);
      if (found) {
        resolve(found[1]);
      }
    });
    child.once('error', reject);
    child.once('close', (code) => {
      reject(new Error(`quarry serve ended with ${code} before it listened`));
    });
  });
  return {
    url,
    async stop() {
      child.kill('SIGTERM');
      await ended;
      await rm(home, { recursive: true, force: true });
    },
  };
}

/** With `space` Chromium draws WebGL too, in software; at `port` other programs can speak to it. */
export async function startBrowser({ space = false, port } = {}) {
  const args = [...flags, ...(space ? ['--use-angle=swiftshader', '--enable-unsafe-swiftshader'] : []), ...(port ? [`--remote-debugging-port=${port}`] : [])];
  return chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args });
}

/**
 * A page in English and the light theme with an own storage, which holds `stored` from the start. Whatever the page logs
 * as an error or throws is kept in `page.faults`.
 */
export async function newPage(browser, server, stored = {}) {
  const localStorage = Object.entries(stored).map(([name, value]) => ({ name, value }));
  const context = await browser.newContext({
    baseURL: server.url,
    viewport: { width: 1920, height: 1080 },
    locale: 'en-US',
    reducedMotion: 'reduce',
    storageState: { cookies: [], origins: [{ origin: server.url, localStorage }] },
  });
  const page = await context.newPage();
  page.setDefaultTimeout(patience);
  page.faults = [];
  page.on('pageerror', (error) => page.faults.push(String(error)));
  page.on('console', (message) => {
    // A wrong password is answered with 401, and Chromium writes that down; everything else is a fault.
    if (message.type() === 'error' && !message.text().includes('401 (Unauthorized)')) {
      page.faults.push(`${message.text()} ${message.location().url}`);
    }
  });
  return page;
}

/** Reads until `good` says yes of what there is, and answers it; after `patience` the last one, good or not. */
export async function readUntil(read, good) {
  const end = Date.now() + patience;
  for (;;) {
    const now = await read();
    if (good(now) || Date.now() > end) return now;
    // Between two looks at something that has no event of its own.
    await pause(50);
  }
}

/** Waits until what `read` answers equals `wanted`: a page says what it was told only once it is drawn anew. */
export async function becomes(read, wanted, what) {
  assert.deepEqual(await readUntil(read, (now) => isDeepStrictEqual(now, wanted)), wanted, what);
}

/** Waits until `read` answers something that is true; `what` says what that would be. */
export async function until(read, what) {
  assert.ok(await readUntil(read, Boolean), what);
}

/** Waits until an element has the focus: it often gets it a moment after it is shown. */
export async function hasFocus(locator, what) {
  await until(() => locator.evaluate((element) => element === document.activeElement), what);
}

/** Keeps a picture of the page under tests/screenshots. */
export async function keep(page, name) {
  await mkdir(screenshots, { recursive: true });
  await page.screenshot({ path: join(screenshots, `${name}.png`) });
}

/** The serious and critical findings of axe on the page as it is, one line each; of all its rules or of those given. */
export async function axeFindings(page, ...rules) {
  // In the page itself, which shows nothing of other sites: else each look opens and closes a page of its own.
  const builder = new AxeBuilder({ page }).setLegacyMode().options({ resultTypes: ['violations'] });
  const { violations } = await (rules.length > 0 ? builder.withRules(rules) : builder).analyze();
  return violations
    .filter((violation) => violation.impact === 'serious' || violation.impact === 'critical')
    .flatMap((violation) => violation.nodes.map((node) => `${violation.id}: ${node.target.join(' ')}`));
}
