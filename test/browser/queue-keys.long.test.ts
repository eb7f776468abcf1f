/** Every key of the queue in a real browser, as the help on keys lists them; and keys that somebody changed, kept with the person. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chooseOption } from '../support/choose-option.ts';
import { checkAxe, hasBrowser, openBrowser, type TestBrowser } from '../support/browser.ts';
import { currentRow, itemsLeft, openQueuePage } from '../support/queue-page.ts';
import { type QueueStory, tellQueueStory } from '../support/queue-story.ts';
import { useTestServer, type TestServer } from '../support/server.ts';

let server: TestServer;
let browser: TestBrowser;
let story: QueueStory;
let page: Page;

const currentId = async (on = page): Promise<string> => (await currentRow(on).getAttribute('data-id')) ?? '';
const selected = () => page.locator('[role=row][aria-selected=true]').count();
const focused = () => page.evaluate<string>('document.activeElement.getAttribute("role") ?? document.activeElement.tagName');

/** Presses a key, and waits until another row is current. */
async function moves(key: string): Promise<string> {
  const before = await currentId();
  await page.keyboard.press(key);
  await expect.poll(() => currentId(), { message: `${key} goes elsewhere` }).not.toBe(before);
  return currentId();
}

describe.skipIf(!hasBrowser)('the keys of a queue', () => {
  beforeAll(async () => {
    server = await useTestServer();
    story = await tellQueueStory(server, { items: 24, rules: { requireDenialReason: true } });
    browser = await openBrowser();
    page = await openQueuePage({ browser, server, story }, story.elif);
    await itemsLeft(page, 24).waitFor();
  });
  afterAll(async () => {
    await browser?.close();
    await server.stop();
  });

  it('go to the next one and back, to the ends, to the next group, and to what is left', async () => {
    const first = await currentId();
    const second = await moves('j');
    expect([await moves('k'), await moves('ArrowDown'), await moves('ArrowUp')]).toEqual([first, second, first]);
    const last = await moves('End');
    expect([await moves('Home'), last === first]).toEqual([first, false]);
    const group = await moves(']');
    expect(await moves('[')).toBe(first);
    expect([await moves('.'), await moves(',')]).toEqual([group, first]);
    // As Windows and Linux send them from keyboards that have these signs behind AltGr.
    for (const [key, to] of [
      [']', group],
      ['[', first],
    ] as const) {
      await page.evaluate(
        `document.activeElement.dispatchEvent(new KeyboardEvent('keydown', { key: '${key}', modifierAltGraph: true, bubbles: true, cancelable: true }))`,
      );
      await expect.poll(() => currentId()).toBe(to);
    }
    expect(group).not.toBe(second);
    expect(await moves('n')).toBe(second);
    expect(await moves('Home')).toBe(first);
  });

  it('sort the list, which the address remembers', async () => {
    // The order is chosen with the arrows, and Escape leads back to the list, which begins with what comes first then.
    const order = page.getByRole('combobox', { name: 'Order' });
    const who = () => page.locator('[role=row][data-id]').first().getAttribute('aria-label');
    await currentRow(page).focus();
    await page.keyboard.press('s');
    await expect.poll(focused).toBe('combobox');
    await chooseOption(order, 'Person, A to Z');
    await page.waitForURL(/sort=person/);
    await expect.poll(who).toMatch(/^Dario Sample/);
    await page.keyboard.press('Escape');
    await expect.poll(focused).toBe('row');
    await page.reload();
    await expect.poll(() => order.textContent()).toBe('Person, A to Z');
    await expect.poll(who).toMatch(/^Dario Sample/);
    await chooseOption(order, 'Look closer first');
    await page.waitForURL((url) => !url.search.includes('sort='));
    await expect.poll(who).not.toMatch(/^Dario Sample/);
    await page.keyboard.press('Home');
    await currentRow(page).focus();
  });

  it('go to the question and back to the list', async () => {
    await page.keyboard.press('Enter');
    await expect.poll(focused).toBe('H2');
    await page.keyboard.press('Escape');
    await expect.poll(focused).toBe('row');
  });

  it('decide, take back, and open what needs more', async () => {
    const first = await currentId();
    await page.keyboard.press('c');
    await itemsLeft(page, 23).waitFor();
    await page.keyboard.press('z');
    await itemsLeft(page, 24).waitFor();
    expect(await currentId()).toBe(first);
    await page.keyboard.press('c');
    await itemsLeft(page, 23).waitFor();
    await page.keyboard.press('Home');
    await expect.poll(() => currentId()).toBe(first);
    await page.keyboard.press('Backspace');
    await itemsLeft(page, 24).waitFor();
    for (const [key, field] of [
      ['d', page.getByLabel('Why is it not needed any more?')],
      ['t', page.getByRole('radio', { name: 'Another day' })],
      ['r', page.getByRole('textbox', { name: 'Reassign to' })],
      ['m', page.getByRole('button', { name: 'Add comment' })],
    ] as const) {
      await page.keyboard.press(key);
      await field.waitFor();
      // The field has the focus, and Escape leads back to the list.
      await expect
        .poll(() => page.evaluate('document.activeElement.matches("input, textarea, [role=radio]")'), { message: key })
        .toBe(true);
      await page.keyboard.press('Escape');
      await field.waitFor({ state: 'detached' });
      await expect.poll(focused, { message: key }).toBe('row');
    }
    expect(await currentId()).toBe(first);
  });

  it('select one, a range and a section, and clear', async () => {
    await page.keyboard.press('x');
    await expect.poll(selected).toBe(1);
    await page.keyboard.press('Space');
    await expect.poll(selected).toBe(0);
    await page.keyboard.press('Shift+J');
    await expect.poll(selected).toBe(2);
    await page.keyboard.press('Shift+K');
    await expect.poll(selected).toBe(2);
    await page.keyboard.press('Shift+ArrowDown');
    await page.keyboard.press('Shift+ArrowDown');
    await expect.poll(selected).toBe(3);
    await page.keyboard.press('Escape');
    await expect.poll(selected).toBe(0);
    await page.keyboard.press('Shift+X');
    await expect.poll(selected).toBeGreaterThan(1);
    await page.keyboard.press('c');
    await expect.poll(selected).toBe(0);
    await page.keyboard.press('z');
    await itemsLeft(page, 24).waitFor();
  });

  it('follow each other before the page is drawn anew', async () => {
    await currentRow(page).focus();
    for (const key of ['/', 'Enter']) {
      await page.evaluate(`for (const key of ['${key}', 'Escape']) {
        document.activeElement.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));
      }`);
      await page.evaluate('new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))');
      expect(await focused(), key).toBe('row');
    }
  });

  it('filter, group, show what is left, and say why', async () => {
    await page.keyboard.press('/');
    await expect.poll(() => page.evaluate('document.activeElement.type')).toBe('search');
    await page.keyboard.press('Escape');
    await expect.poll(focused).toBe('row');
    for (const [key, name] of [
      ['2', 'Person'],
      ['3', 'Resource'],
      ['4', 'List'],
      ['1', 'App'],
    ] as const) {
      await page.keyboard.press(key);
      await expect.poll(() => page.getByRole('radio', { name, exact: true }).isChecked(), { message: key }).toBe(true);
      await expect.poll(focused, { message: key }).toBe('row');
    }
    await page.keyboard.press('o');
    await page.waitForURL(/show=all/);
    await page.keyboard.press('o');
    await page.waitForURL((url) => !url.search.includes('show=all'));
    await page.keyboard.press('Home');
    await page.keyboard.press('w');
    await page.getByText('Each fact has points.', { exact: false }).first().waitFor();
    await page.keyboard.press('Escape');
    await page.getByText('Each fact has points.', { exact: false }).waitFor({ state: 'detached' });
  });

  it('open the palette, the help and the summary, and go to another page', async () => {
    await currentRow(page).focus();
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Search, go, do' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('combobox', { name: 'Search, go, do' }).waitFor({ state: 'detached' });
    await currentRow(page).focus();
    await page.keyboard.press('?');
    const help = page.getByRole('dialog', { name: 'Keyboard' });
    await help.waitFor();
    await page.keyboard.press('Escape');
    await help.waitFor({ state: 'detached' });
    await currentRow(page).focus();
    await page.keyboard.press('c');
    await itemsLeft(page, 23).waitFor();
    await page.keyboard.press('Control+Enter');
    await page.getByRole('dialog', { name: 'Submit 1 decision' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await currentRow(page).focus();
    await page.keyboard.press('z');
    await itemsLeft(page, 24).waitFor();
    // What is taken back is sent a moment later: another browser knows of it only then.
    await page.getByText('All saved').first().waitFor();
    await page.keyboard.press('g');
    await page.keyboard.press('h');
    await page.waitForURL(/\/home$/);
  });

  it('can be changed: not to one that is taken, kept with the person, shown in the help, and set back', async () => {
    await page.goto('/settings/display');
    const row = page.getByRole('button', { name: 'Certify, key C. Change' });
    await row.click();
    await page.keyboard.press('d');
    await page.getByText('“Deny” has this key. Press another one, or change that command first.').first().waitFor();
    await page.keyboard.press('F2');
    await page.getByText('Press a letter, a digit or a sign.', { exact: false }).first().waitFor();
    await page.keyboard.press('v');
    await page.getByRole('button', { name: 'Certify, key V. Change' }).waitFor();
    await expect
      .poll(async () => (await page.request.get('/api/v1/my/preferences')).json())
      .toMatchObject({ preferences: { keys: { certify: 'v' } } });
    // In another browser of the same person.
    const other = await openQueuePage({ browser, server, story }, story.elif);
    await other.getByRole('button', { name: 'Certify', exact: true }).and(other.locator('[aria-keyshortcuts="v"]')).waitFor();
    await currentRow(other).focus();
    const first = await currentId(other);
    await other.keyboard.press('c');
    await other.keyboard.press('j');
    await expect.poll(() => currentId(other)).not.toBe(first);
    await itemsLeft(other, 24).waitFor();
    await other.keyboard.press('v');
    await itemsLeft(other, 23).waitFor();
    await other.keyboard.press('z');
    await itemsLeft(other, 24).waitFor();
    await other.getByText('All saved').first().waitFor();
    await other.keyboard.press('?');
    const help = other.getByRole('dialog', { name: 'Keyboard' });
    await help.getByText('V', { exact: true }).first().waitFor();
    await other.close();
    await page.getByRole('button', { name: 'Reset all keys' }).click();
    await page.getByRole('button', { name: 'Certify, key C. Change' }).waitFor();
    await expect.poll(async () => (await (await page.request.get('/api/v1/my/preferences')).json()).preferences.keys ?? {}).toEqual({});
  });

  it.each(['light', 'dark'] as const)('and what they open are usable for everybody, %s', async (theme) => {
    const shown = await openQueuePage({ browser, server, story }, story.elif, { theme });
    await itemsLeft(shown, 24).waitFor();
    const grid = shown.getByRole('grid');
    const count = Number(await grid.getAttribute('aria-rowcount'));
    expect(count).toBeGreaterThan(24);
    expect(await currentRow(shown).getAttribute('aria-rowindex')).toBe('2');
    // Who, what, what stands out, use, how it stands, and the place.
    expect(await currentRow(shown).getAttribute('aria-label')).toMatch(
      /^\w+ Sample, .+, (?:used .+|last use not known), undecided, 1 of 24$/,
    );
    expect(await checkAxe(shown)).toEqual([]);
    for (const key of ['d', 't', 'r', 'm', 'x', '?', 'Control+k', 'Control+Enter']) {
      await currentRow(shown).focus();
      if (key === 'Control+Enter') {
        await shown.keyboard.press('c');
        await itemsLeft(shown, 23).waitFor();
      }
      await shown.keyboard.press(key);
      const opened = /^(?:\?|Control)/.test(key) ? shown.getByRole('dialog').last() : shown.getByRole('region', { name: 'Question' });
      await opened.waitFor();
      await expect.poll(() => shown.locator('[aria-busy="true"]').count()).toBe(0);
      expect([key, await checkAxe(shown)]).toEqual([key, []]);
      await shown.keyboard.press('Escape');
      await shown.getByRole('dialog').waitFor({ state: 'detached' });
    }
    await currentRow(shown).focus();
    await shown.keyboard.press('z');
    await itemsLeft(shown, 24).waitFor();
    await shown.getByText('All saved').first().waitFor();
    await shown.close();
  });
});
