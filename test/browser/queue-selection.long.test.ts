/**
 * Several chosen items of a queue, one of which somebody else decided meanwhile, or of which only some can be passed on: what cannot be done is named
 * and left out, the rest is done, and the next press is about what is left.
 */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { request } from '../support/api.ts';
import { hasBrowser, openBrowser, type TestBrowser } from '../support/browser.ts';
import { itemsLeft, openQueuePage } from '../support/queue-page.ts';
import { type QueueStory, tellQueueStory } from '../support/queue-story.ts';
import { type TestPerson, type TestServer, useTestServer } from '../support/server.ts';

type Three = readonly [string, string, string];

let server: TestServer;
let browser: TestBrowser;
let story: QueueStory;
let farid: TestPerson;
let page: Page;
let stories = 0;

const rowOf = (id: string, on = page) => on.locator(`[role=row][data-id="${id}"]`);
const bar = () => page.getByRole('toolbar', { name: 'Selected items' });
const pane = () => page.getByRole('region', { name: 'Question' });
const button = (name: string) => pane().getByRole('button', { name, exact: true });
const idsOf = (rows: string): Promise<string[]> =>
  page.locator(`[role=grid] [role=row]${rows}`).evaluateAll((all) => all.map((one) => one.getAttribute('data-id') ?? ''));

/** Name of an item in a sentence: its right, and who has it. */
async function nameOf(id: string): Promise<string> {
  const cells = await rowOf(id).locator('[role=gridcell] > span:first-child').allTextContents();
  const [who = '', what = ''] = cells.filter((one) => one !== '');
  return `${what}, ${who}`;
}

/** Somebody else acts on an item. */
async function act(id: string, action: 'approve' | 'close', person: TestPerson): Promise<void> {
  const answer = await request(server, person, 'POST', `/api/v1/tasks/${id}/action/${action}`, { comment: 'Seen.' });
  expect([answer.status, answer.body]).toEqual([200, expect.anything()]);
}

/** Chooses the first three items by keys. */
async function chooseThree(): Promise<Three> {
  for (const key of ['x', 'Shift+J', 'Shift+J']) {
    await page.keyboard.press(key);
  }
  await bar().getByText('3 selected').waitFor();
  const [one = '', two = '', three = ''] = await idsOf('[data-selected]');
  return [one, two, three];
}

/** Chooses three, the second of which somebody else decides then. */
async function chooseThreeOfWhichOneGoes(): Promise<Three> {
  const ids = await chooseThree();
  await act(ids[1], 'approve', farid);
  await rowOf(ids[1]).getByText('Farid Sample was first').waitFor();
  return ids;
}

/** Only the first and the third are decided by her, and what was left out is named. */
async function expectTheOthers([one, two, three]: Three, done: string): Promise<void> {
  await page
    .getByText(`${done} Left out: ${await nameOf(two)}: Farid Sample was first.`)
    .first()
    .waitFor();
  for (const id of [one, three]) {
    await page.locator(`[role=row][data-id="${id}"][data-decided]`).waitFor();
  }
  await rowOf(two).getByText('Farid Sample was first').waitFor();
  await page.getByRole('button', { name: 'Submit 2 decisions' }).waitFor();
  expect(await bar().count()).toBe(0);
}

/** From now on the page does not hear what others do. */
const hearNothing = () => page.route(/\/changes\b/, (route) => route.abort());

/** Tasks that are passed on or commented, by their requests. */
function listSent(action: 'reassign' | 'comment'): string[] {
  const sent: string[] = [];
  page.on('request', (one) => {
    const [, id] = new RegExp(`/tasks/([^/]+)/action/${action}$`).exec(new URL(one.url()).pathname) ?? [];
    if (id !== undefined) {
      sent.push(id);
    }
  });
  return sent;
}

async function passTo(person: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Reassign to' }).fill(person);
  await page.getByRole('radio', { name: new RegExp(person) }).click();
  await page.keyboard.press('Control+Enter');
}

describe.skipIf(!hasBrowser)('items that are chosen while others act', () => {
  beforeAll(async () => {
    server = await useTestServer();
    browser = await openBrowser();
    browser.expectComplaint(/status of (400|403|404|409|503)|net::ERR_FAILED/);
  });
  beforeEach(async () => {
    stories += 1;
    story = await tellQueueStory(server, { items: 7, besides: ['farid'], name: `Review ${stories}` });
    farid = await server.ownClient(story.farid);
    page = await openQueuePage({ browser, server, story }, story.elif);
    return () => page.context().close();
  });
  afterAll(async () => {
    await browser?.close();
    await server.stop();
  });

  it('are certified but for the one that somebody else submitted on a screen of his own', async () => {
    const ids = await chooseThree();
    const his = await openQueuePage({ browser, server, story }, story.farid);
    await rowOf(ids[1], his).click();
    await his.keyboard.press('d');
    await his.getByRole('button', { name: 'Submit 1 decision' }).click();
    await his.getByRole('dialog').getByRole('button', { name: 'Submit 1 decision' }).click();
    await his.getByRole('button', { name: 'Send now' }).click();
    await his.getByRole('dialog', { name: '1 decision is recorded' }).waitFor();
    await his.context().close();
    await rowOf(ids[1]).getByText('Farid Sample was first').waitFor();
    await page.keyboard.press('c');
    await expectTheOthers(ids, '2 certified.');
  });

  it.each([
    ['the key', '2 denied.', () => page.keyboard.press('d')],
    ['the bar', '2 certified.', () => bar().getByRole('button', { name: 'Certify 2' }).click()],
    ['the pane', '2 denied.', () => button('Deny 2').click()],
    [
      'a day',
      '2 certified.',
      async () => {
        await page.keyboard.press('t');
        await page.getByRole('radio', { name: /In one month/ }).waitFor();
        await page.keyboard.press('Control+Enter');
      },
    ],
  ])('are decided but for the one that somebody else decided: by %s', async (_, done, decide) => {
    const ids = await chooseThreeOfWhichOneGoes();
    await decide();
    await expectTheOthers(ids, done);
  });

  it('say what is left out before, and let it go out of the selection, by pointer and pane, and not in again', async () => {
    const ids = await chooseThreeOfWhichOneGoes();
    const left = pane().getByText(`${await nameOf(ids[1])}: Farid Sample was first.`);
    await left.waitFor();
    await bar().getByText('3 selected').waitFor();
    await rowOf(ids[1]).click();
    await bar().getByText('2 selected').waitFor();
    expect(await left.count()).toBe(0);
    await rowOf(ids[1]).click();
    expect(await idsOf('[data-selected]')).toEqual([ids[0], ids[2]]);
    await act(ids[2], 'close', server.admin);
    await pane()
      .getByText(`${await nameOf(ids[2])}: it is no longer there.`)
      .waitFor();
    await button('Unselect').click();
    await bar().getByText('1 selected').waitFor();
    await bar().getByRole('button', { name: 'Certify 1' }).click();
    await page.getByRole('button', { name: 'Submit 1 decision' }).waitFor();
  });

  it('by a range or all of a part are those that can be decided', async () => {
    const ids = await chooseThreeOfWhichOneGoes();
    await page.keyboard.press('Escape');
    await rowOf(ids[0]).click();
    await page.keyboard.press('x');
    await rowOf(ids[2]).click({ modifiers: ['Shift'] });
    expect(await idsOf('[data-selected]')).toEqual([ids[0], ids[2]]);
    await page.keyboard.press('Escape');
    await page.keyboard.press('Shift+X');
    await bar().waitFor();
    expect(await idsOf('[data-selected]')).not.toContain(ids[1]);
  });

  it('of which none can be decided any more decide nothing, and say so', async () => {
    const ids = await chooseThree();
    for (const id of ids) {
      await act(id, 'approve', farid);
    }
    await pane().getByText('None of the selected items can be decided any more.').waitFor();
    await page.keyboard.press('c');
    expect(await page.getByRole('button', { name: 'Certify 0' }).getAttribute('aria-disabled')).toBe('true');
    await page.keyboard.press('Escape');
    await itemsLeft(page, 4).waitFor();
    expect(await page.getByRole('button', { name: /^Submit \d/ }).count()).toBe(0);
  });

  it('are passed on but for those that are refused, which are named; the next press passes on the rest, and a new field is empty', async () => {
    const ids = await chooseThree();
    const sent = listSent('reassign');
    await hearNothing();
    await act(ids[1], 'approve', farid);
    await page.route(`**/tasks/${ids[2]}/action/reassign`, (route) => route.fulfill({ status: 503, body: '{}' }));
    await page.keyboard.press('r');
    await page.getByRole('textbox', { name: 'Note for the other person' }).fill('They are yours.');
    await passTo('Tara Sample');
    await pane().getByText('1 reassigned to Tara Sample.').waitFor();
    const refused = await pane()
      .locator('p', { hasText: `${await nameOf(ids[1])}: ` })
      .allTextContents();
    expect([
      refused.length,
      await pane()
        .locator('p', { hasText: `${await nameOf(ids[2])}: ` })
        .count(),
    ]).toEqual([1, 1]);
    expect(await idsOf('[data-selected]')).toEqual([ids[1], ids[2]]);
    await rowOf(ids[0]).getByText('Reassigned to Tara Sample').waitFor();
    await page.unroute(`**/tasks/${ids[2]}/action/reassign`);
    sent.length = 0;
    await page.keyboard.press('Control+Enter');
    await rowOf(ids[2]).getByText('Reassigned to Tara Sample').waitFor();
    expect(sent).toEqual([ids[1], ids[2]]);
    await pane()
      .getByText(`${await nameOf(ids[1])}: `)
      .waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press('r');
    expect(await page.getByRole('textbox', { name: 'Reassign to' }).inputValue()).toBe('');
    expect(await page.getByRole('textbox', { name: 'Note for the other person' }).inputValue()).toBe('');
    expect(await pane().getByRole('radio', { checked: true }).count()).toBe(0);
    expect(
      await pane()
        .getByText(`${await nameOf(ids[1])}: `)
        .count(),
    ).toBe(0);
  });

  it('get a comment once, also where it did not reach all of them at first', async () => {
    const ids = await chooseThree();
    const sent = listSent('comment');
    await page.route(`**/tasks/${ids[1]}/action/comment`, (route) => route.fulfill({ status: 503, body: '{}' }));
    await page.keyboard.press('m');
    await page.getByRole('textbox', { name: 'Comment', exact: true }).fill('Needed until March.');
    await page.keyboard.press('Control+Enter');
    await pane().getByText('Comment added to 1 item.').waitFor();
    await page.unroute(`**/tasks/${ids[1]}/action/comment`);
    await page.keyboard.press('Control+Enter');
    await expect.poll(() => sent).toEqual([ids[0], ids[1], ids[1], ids[2]]);
    await button('Certify 3').waitFor();
  });
});
