/** A page with a queue on it, as its reviewer has it open. */
import type { Page } from 'playwright-core';
import type { PageOptions, TestBrowser } from './browser.ts';
import { longTenSeconds, type QueueStory } from './queue-story.ts';
import type { ServedTenant } from './server.ts';

/** Place to open a queue. */
export interface QueuePlace {
  readonly browser: TestBrowser;
  readonly server: ServedTenant;
  readonly story: QueueStory;
}

/** The queue of the story's review as this person sees it, when its first rows are there. */
export async function openQueuePage({ browser, server, story }: QueuePlace, userId: string, options: PageOptions = {}): Promise<Page> {
  const page = await browser.signedInPage(server, userId, options);
  await page.addInitScript(longTenSeconds);
  await page.goto(`/r/${story.reviewId}`);
  await currentRow(page).waitFor();
  return page;
}

/** The row that keys act on. */
export const currentRow = (page: Page) => page.locator('[role=row][data-current]');

/** The remark that so many items are left. */
export const itemsLeft = (page: Page, count: number) => page.getByText(`${count} left`, { exact: true });
