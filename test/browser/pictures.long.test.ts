/**
 * The pictures of docs/console.md, taken of the sample company as they are: each page comes to rest without a skeleton or a failed part. They
 * are written into docs/images/console where COUNTERSIGN_PICTURES is set, and looked at by people.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasBrowser, openBrowser, type TestBrowser } from '../support/browser.ts';
import { longTenSeconds } from '../support/queue-story.ts';
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

describe.skipIf(!hasBrowser)('pictures', () => {
  it.each(pictures.map((picture) => [picture.name, picture] as const))('%s', async (name, picture) => {
    const page = await openPage(picture);
    await page.addInitScript(longTenSeconds);
    await page.goto(picture.path(story));
    await page.getByRole('heading', { level: 1 }).first().waitFor();
    await page.waitForLoadState('networkidle');
    await picture.act?.(page, story);
    await expect.poll(() => page.locator('[aria-busy="true"]').count()).toBe(0);
    const shot = await page.screenshot({ animations: 'disabled', caret: 'hide' });
    expect(shot.length).toBeGreaterThan(5_000);
    if (isWritten) {
      await writeFile(join(folder, `${name}.png`), shrinkPng(shot));
    }
    await page.close();
  });
});
