// Two people write to each other, each in an own browser.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { axeFindings, becomes, keep, newPage, startBrowser, startServer, until } from './harness.mjs';
import { call, register } from './steps.mjs';

let server;
let browser;
let ada;
let bob;
/** Whether letters of ada get lost on their way to the server. */
let lost = false;

before(async () => {
  [server, browser] = await Promise.all([startServer(), startBrowser()]);
  [ada, bob] = [await newPage(browser, server), await newPage(browser, server)];
  await ada.routeWebSocket('**/api/ws**', (socket) => {
    const up = socket.connectToServer();
    socket.onMessage((message) => {
      if (!(lost && String(message).includes('chat.message'))) up.send(message);
    });
  });
  await register(ada, 'ada');
  await register(bob, 'bob');
});

after(async () => {
  await browser?.close();
  await server?.stop();
});

const dock = (page) => page.getByRole('complementary', { name: 'Messages and feedback' });
const chat = (page, name) => page.getByRole('dialog', { name: `Chat with ${name}` });

test('a letter arrives, is acknowledged, and is unread until its chat is opened', async () => {
  await dock(ada).getByRole('button', { name: 'Messages' }).click();
  await ada.getByLabel('Find a person').fill('bob');
  await ada.keyboard.press('Enter');
  const field = ada.getByLabel('Write to bob');
  await field.fill('   ');
  assert.ok(await chat(ada, 'bob').getByRole('button', { name: 'Send' }).isDisabled(), 'an empty text is not sent');
  await field.fill('Is the query right?');
  await field.press('Enter');
  await chat(ada, 'bob').getByRole('img', { name: 'Delivered' }).waitFor();
  await dock(bob).getByRole('button', { name: 'Messages, some unread' }).click();
  const list = bob.getByRole('dialog', { name: 'Messages' });
  await list.getByRole('button', { name: /ada.*Is the query right\?/ }).getByLabel('1 unread').waitFor();
  await list.getByRole('button', { name: /ada/ }).click();
  await chat(bob, 'ada').getByText('Is the query right?').waitFor();
  await dock(bob).getByRole('button', { name: 'Messages', exact: true }).waitFor();
  await chat(ada, 'bob').getByRole('img', { name: 'Read', exact: true }).waitFor();
  await keep(ada, 'chat');
  assert.deepEqual(await axeFindings(ada), []);
});

test('a folded chat counts what comes and stands 106 pixels above the bottom', async () => {
  await bob.getByLabel('Write to ada').fill('Half a thought');
  await bob.getByRole('button', { name: 'Fold the chat with ada' }).click();
  const chip = bob.getByRole('button', { name: 'Unfold the chat with ada' });
  const above = async () => {
    const box = await chip.locator('..').boundingBox();
    return Math.round(bob.viewportSize().height - box.y - box.height);
  };
  await becomes(above, 106);
  await ada.getByLabel('Write to bob').fill('And this one?');
  await ada.keyboard.press('Enter');
  await chip.locator('..').getByLabel('1 unread').waitFor();
  await chip.click();
  await chat(bob, 'ada').getByText('And this one?').waitFor();
  assert.equal(await bob.getByLabel('Write to ada').inputValue(), 'Half a thought', 'folding loses nothing');
  await bob.getByLabel('Write to ada').fill('Both are.');
  await bob.keyboard.press('Enter');
  // The chat is open, so it is read as it comes.
  await chat(ada, 'bob').getByText('Both are.').waitFor();
  await chat(bob, 'ada').getByRole('img', { name: 'Read', exact: true }).waitFor();
});

test('a chat is dragged, closed, and has its history when it is opened again', async () => {
  const head = chat(ada, 'bob').locator('header');
  const before = await chat(ada, 'bob').boundingBox();
  await head.hover({ position: { x: 120, y: 10 } });
  await ada.mouse.down();
  await ada.mouse.move(before.x - 180, before.y - 60, { steps: 4 });
  await ada.mouse.up();
  const moved = async () => {
    const now = await chat(ada, 'bob').boundingBox();
    return now.x < before.x - 100 && now.y < before.y;
  };
  await until(moved, 'it moved with the mouse');
  await ada.getByRole('button', { name: 'Close the chat with bob' }).click();
  await ada.getByRole('dialog', { name: 'Messages' }).getByRole('button', { name: /bob/ }).click();
  for (const text of ['Is the query right?', 'And this one?', 'Both are.']) {
    await chat(ada, 'bob').getByText(text).waitFor();
  }
});

test('a chat begins on the page of a person, and says whether they are there', async () => {
  await ada.goto('/user/dashboards-and-queries?userName=bob');
  await ada.getByRole('button', { name: 'Send a message' }).click();
  await chat(ada, 'bob').locator('header').getByText('Online').waitFor();
  await chat(ada, 'bob').getByText('Both are.').waitFor();
});

test('a letter without acknowledgement warns after five seconds, and goes when it is sent again', async () => {
  lost = true;
  await ada.getByLabel('Write to bob').fill('Are you there?');
  await ada.keyboard.press('Enter');
  await chat(ada, 'bob').getByText('Sending').waitFor();
  await chat(ada, 'bob').getByText('Not delivered.').waitFor();
  await keep(ada, 'chat-not-delivered');
  lost = false;
  await chat(ada, 'bob').getByRole('button', { name: 'Send again' }).click();
  await chat(bob, 'ada').getByText('Are you there?').waitFor();
  await chat(ada, 'bob').getByText('Not delivered.').waitFor({ state: 'detached' });
});

test('the widget is moved by keys and stays there, and is away where it does not belong', async () => {
  const handle = dock(bob).getByRole('button', { name: /^Move/ });
  const before = await dock(bob).boundingBox();
  await handle.focus();
  await bob.keyboard.press('ArrowUp');
  await bob.keyboard.press('ArrowLeft');
  const corner = async () => {
    const { x, y } = await dock(bob).boundingBox();
    return [x, y];
  };
  await becomes(corner, [0, before.y - 16]);
  await bob.reload();
  await dock(bob).waitFor();
  await becomes(corner, [0, before.y - 16]);
  await bob.goto('/start');
  await bob.getByRole('main').waitFor();
  assert.equal(await dock(bob).count(), 0);
});

test('the widget stands beside open comments, not on the field that they are written in', async () => {
  const [board] = (await call(ada, 'GET', '/api/discover/dashboards?size=20')).items;
  await ada.goto(`/user/dashboard?id=${Buffer.from(String(board.id)).toString('base64url')}`);
  await ada.getByRole('button', { name: /comments?$/i }).click();
  const comments = ada.getByRole('region', { name: 'Comments' });
  await comments.waitFor();
  await dock(ada).waitFor();
  const end = async () => {
    const { x, width } = await dock(ada).boundingBox();
    return x + width;
  };
  const panel = await comments.boundingBox();
  await until(async () => (await end()) <= panel.x + 1, `the widget stands on the comments, which begin at ${panel.x}`);
  await comments.getByRole('button', { name: 'Close' }).click();
  await becomes(end, 1920);
});

test('three chats and the list have room beside each other on a laptop', async () => {
  await ada.setViewportSize({ width: 1280, height: 800 });
  await ada.goto('/home');
  await dock(ada).getByRole('button', { name: /^Messages/ }).click();
  for (const name of ['bob', 'admin', 'quarry']) {
    await ada.getByLabel('Find a person').fill(name);
    await ada.keyboard.press('Enter');
    await chat(ada, name).waitFor();
  }
  const places = () => ada.getByRole('dialog').evaluateAll((all) => all.map((one) => one.getBoundingClientRect()).map(({ left, right }) => [left, right]).sort(([a], [b]) => a - b));
  const apart = ([left, right], at, all) => left >= 0 && right <= (all[at + 1]?.[0] ?? 1280);
  await until(async () => (await places()).length === 4 && (await places()).every(apart), 'some lie over others or out of sight');
  await ada.setViewportSize({ width: 1920, height: 1080 });
});
