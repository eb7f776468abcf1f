/** Several items of a queue at once, passing one on, and how the queue is for those who see it otherwise. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkAxe, hasBrowser, openBrowser, sidewaysPixels, type TestBrowser } from '../support/browser.ts';
import { itemsLeft as left, openQueuePage } from '../support/queue-page.ts';
import { type QueueStory, tellQueueStory } from '../support/queue-story.ts';
import { useTestServer, type TestServer } from '../support/server.ts';

let server: TestServer;
let browser: TestBrowser;
let story: QueueStory;

const openQueue = (userId: string, options?: Parameters<typeof openQueuePage>[2]) =>
  openQueuePage({ browser, server, story }, userId, options);

/** Rows of the list that are wholly in sight. */
const rowsInSight = `[...document.querySelectorAll('[role=grid] [role=row][data-id]')].filter((row) => {
  const { top, bottom } = row.getBoundingClientRect();
  const list = row.closest('[role=grid]').getBoundingClientRect();
  return top >= list.top && bottom <= Math.min(list.bottom, innerHeight);
}).length`;

/** Controls in sight of which something else covers the middle. */
const coveredControls = `[...document.querySelectorAll('main button, main select, main input, nav button, nav a')].filter((one) => {
  const { left, top, width, height } = one.getBoundingClientRect();
  const [x, y] = [left + width / 2, top + height / 2];
  if (width < 2 || height < 2 || x < 0 || y < 0 || x > innerWidth || y > innerHeight || getComputedStyle(one).visibility === 'hidden' || one.closest('[role=grid]')) {
    return false;
  }
  const there = document.elementFromPoint(x, y);
  return !(one.contains(there) || there?.contains(one) || one.closest('label')?.contains(there));
}).map((one) => one.textContent || one.getAttribute('aria-label') || one.outerHTML)`;

describe.skipIf(!hasBrowser)('several items of a queue', () => {
  beforeAll(async () => {
    server = await useTestServer();
    story = await tellQueueStory(server, { items: 12 });
    browser = await openBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    await server.stop();
  });

  it('decides several at once, and reassigns what the policy lets go', async () => {
    const page = await openQueue(story.elif);
    await page.keyboard.press('x');
    await page.keyboard.press('Shift+J');
    await page.keyboard.press('Shift+J');
    await page.getByRole('toolbar', { name: 'Selected items' }).getByText('3 selected').waitFor();
    await page.keyboard.press('c');
    await left(page, 9).waitFor();
    await page.keyboard.press('z');
    await left(page, 12).waitFor();
    // What is written for all of them goes with the decision, also where a key or the bar makes it.
    await page.keyboard.press('x');
    await page.keyboard.press('Shift+J');
    await page.getByLabel('One comment for all 2').fill('Seen with their manager.');
    await page.getByRole('toolbar', { name: 'Selected items' }).getByRole('button', { name: 'Certify 2' }).click();
    await left(page, 10).waitFor();
    await expect.poll(() => page.getByRole('grid').getByText('“Seen with their manager.”').count()).toBe(2);
    await page.locator('[role=row][data-current]').focus();
    await page.keyboard.press('z');
    await left(page, 12).waitFor();
    await page.keyboard.press('r');
    await page.getByRole('textbox', { name: 'Reassign to' }).fill('farid');
    await page.getByRole('radio', { name: /Farid Sample/ }).click();
    // It is confirmed where one is, and opens no summary.
    await page.keyboard.press('Control+Enter');
    await page.getByText('Reassigned to Farid Sample').first().waitFor();
    await left(page, 11).waitFor();
    await page.close();
  });

  it.each(['light', 'dark'] as const)('has no serious fault of accessibility, %s', async (theme) => {
    const page = await openQueue(story.elif, { theme });
    await page.getByRole('region', { name: 'Question' }).getByText('Last used').waitFor();
    expect(await checkAxe(page)).toEqual([]);
    await page.close();
  });

  it('has its way to submit in sight, and beside the list, on every screen', async () => {
    const page = await openQueue(story.elif);
    const submit = page.getByRole('navigation', { name: 'Review' }).getByRole('button', { name: /^Submit/ });
    // At 200 % of common screens, and phones held sideways: the widest have the side bar of a desk.
    for (const [width, height] of [
      [960, 430],
      [932, 350],
      [926, 300],
      [844, 340],
      [683, 320],
      [640, 512],
      [480, 270],
    ] as const) {
      await page.setViewportSize({ width, height });
      const find = async () => {
        const box = await submit.boundingBox();
        const list = await page.getByRole('grid').boundingBox();
        if (box === null || list === null) {
          return 'nowhere';
        }
        const isIn = box.y >= 0 && box.y + box.height <= height && box.x >= 0 && box.x + box.width <= width;
        const isBeside =
          box.y + box.height <= list.y || box.y >= list.y + list.height || box.x + box.width <= list.x || box.x >= list.x + list.width;
        return `${isIn ? 'in sight' : 'out of sight'}, ${isBeside ? 'beside' : 'over'} the list`;
      };
      await expect.poll(find, { message: `${width}x${height}` }).toBe('in sight, beside the list');
    }
    await page.close();
  });

  it('fits the narrowest screen', async () => {
    const page = await openQueue(story.elif, { size: 'narrow' });
    expect(await sidewaysPixels(page)).toBe(0);
    await page.locator('[role=row][data-current]').click();
    await page.getByRole('button', { name: 'Certify', exact: true }).click();
    expect(await sidewaysPixels(page)).toBe(0);
    // A tap too many is taken back where it was made.
    const question = page.getByRole('region', { name: 'Question' });
    await question.getByRole('button', { name: 'Undo', exact: true }).click();
    await question.getByRole('button', { name: 'Certify', exact: true }).waitFor();
    expect(await question.getByRole('button', { name: 'Undo', exact: true }).count()).toBe(0);
    await question.getByRole('button', { name: 'List', exact: true }).click();
    expect(await page.locator('[role=row][data-current]').textContent()).toContain('Ledger');

    // At 200 %, on a phone held sideways and on a tablet, rows are in sight, and no control lies on another.
    for (const [width, height, rows] of [
      [683, 384, 2],
      [740, 360, 3],
      [768, 1024, 10],
      [360, 740, 4],
    ] as const) {
      await page.setViewportSize({ width, height });
      await expect.poll(() => page.evaluate<number>(rowsInSight), { message: `${width}x${height}` }).toBeGreaterThanOrEqual(rows);
      expect([width, await page.evaluate<string[]>(coveredControls), await sidewaysPixels(page)]).toEqual([width, [], 0]);
    }
    await page.getByRole('button', { name: 'To decide' }).first().click();
    await page.getByRole('searchbox').waitFor();
    await page.getByRole('button', { name: /^Everything/ }).click();
    await expect.poll(() => new URL(page.url()).searchParams.get('show')).toBe('all');
    expect(await page.evaluate<string[]>(coveredControls)).toEqual([]);
    await page.close();
  });
});
