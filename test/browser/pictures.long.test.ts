/**
 * The pictures of docs/console.md, taken of the sample company as they are: each page comes to rest without a skeleton or a failed part. They
 * are written into docs/images/console where COUNTERSIGN_PICTURES is set, and looked at by people.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { request } from '../support/api.ts';
import { hasBrowser, openBrowser, type TestBrowser } from '../support/browser.ts';
import { openQueuePage } from '../support/queue-page.ts';
import { longTenSeconds, tellQueueStory } from '../support/queue-story.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import { type Picture, pictures } from '../support/pictures/list.ts';
import { shrinkPng } from '../support/pictures/small-png.ts';
import { type PictureStory, tellPictureStory } from '../support/pictures/story.ts';

const folder = join(import.meta.dirname, '..', '..', 'docs', 'images', 'console');
const isWritten = (process.env['COUNTERSIGN_PICTURES'] ?? '') !== '';

let story: PictureStory;
let empty: TestServer;
let browser: TestBrowser;

beforeAll(async () => {
  if (!hasBrowser) {
    return;
  }
  story = await tellPictureStory();
  empty = await startTestServer();
  browser = await openBrowser();
  browser.expectComplaint(/status of 503/);
  await mkdir(folder, { recursive: true });
});
afterAll(async () => {
  await browser?.close();
  await empty?.stop();
  await story?.stop();
});

function openPage({ who, options }: Picture): Promise<Page> {
  switch (who) {
    case 'nobody':
      return browser.signedOutPage(story, options);
    case 'newcomer':
      return browser.signedInPage(empty, empty.admin.id, options);
    case 'reviewer':
      return browser.signedInPage(story, story.headId, options);
    case 'administrator':
      return browser.signedInPage(story, story.userId, options);
  }
}

/** Takes it once nothing loads any more. A button may be busy: that it is, is the picture. */
async function take(page: Page, name: string): Promise<void> {
  await expect.poll(() => page.locator('[aria-busy="true"]:not(button)').count()).toBe(0);
  const shot = await page.screenshot({ animations: 'disabled', caret: 'hide' });
  expect(shot.length).toBeGreaterThan(5_000);
  if (isWritten) {
    await writeFile(join(folder, `${name}.png`), shrinkPng(shot));
  }
  await page.close();
}

describe.skipIf(!hasBrowser)('pictures', () => {
  it.each(pictures.map((picture) => [picture.name, picture] as const))('%s', async (name, picture) => {
    const page = await openPage(picture);
    await page.addInitScript(longTenSeconds);
    await page.goto(picture.path(story));
    await page.getByRole('heading', { level: 1 }).first().waitFor();
    await page.waitForLoadState('networkidle');
    await picture.act?.(page, story);
    await take(page, name);
  });

  it('decided-first', async () => {
    const told = await tellQueueStory(empty, { items: 24, besides: ['farid'] });
    const page = await openQueuePage({ browser, server: empty, story: told }, told.elif);
    const taskId = (await page.locator('[role=row][data-current]').getAttribute('data-id')) ?? '';
    await page.keyboard.press('c');
    await page.keyboard.press('c');
    await page.getByText('All saved').first().waitFor();
    const decisions = [{ taskId, decision: 'REVIEW_DECISION_DENY', comment: 'Prepares payments; must not release them.' }];
    const path = `/api/v1/access_review/${told.reviewId}/submissions`;
    expect((await request(empty, await empty.ownClient(told.farid), 'POST', path, { decisions })).status).toBe(200);
    await page.getByRole('button', { name: /^Everything/ }).click();
    const row = page.locator(`[role=row][data-id="${taskId}"]`);
    await row.getByText('Farid Sample was first').first().waitFor();
    await row.click();
    await page.getByText('Yours was not recorded.').first().waitFor();
    await take(page, 'decided-first');
  });
});
