/** What is pressed twice at once, or held, is done once: comments, decisions, drafts, reminders, and the steps of a review. */
import type { Page, Route } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasBrowser, openBrowser, type TestBrowser } from '../support/browser.ts';
import { currentRow, itemsLeft, openQueuePage } from '../support/queue-page.ts';
import { type QueueStory, tellQueueStory } from '../support/queue-story.ts';
import { useTestServer, type TestServer } from '../support/server.ts';
import { type Company, startCompany } from '../support/small-company.ts';

let browser: TestBrowser;
beforeAll(async () => {
  if (hasBrowser) {
    browser = await openBrowser();
    browser.expectComplaint(/status of 40[049]/);
  }
});
afterAll(() => browser?.close());

/** Requests of a kind that the page sends from now on. */
const requestsOf = (page: Page, method: string, path: RegExp): string[] => {
  const found: string[] = [];
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (request.method() === method && path.test(pathname)) {
      found.push(pathname);
    }
  });
  return found;
};
/** Holds requests of a kind back until they are let go. */
const holdBack = async (page: Page, method: string, path: RegExp): Promise<{ held: Route[]; letGo: () => Promise<void> }> => {
  const held: Route[] = [];
  let isOver = false;
  await page.route(path, async (route) => {
    if (isOver || route.request().method() !== method) {
      await route.fallback();
    } else {
      held.push(route);
    }
  });
  return {
    held,
    letGo: async () => {
      isOver = true;
      await Promise.all(held.map((route) => route.continue()));
    },
  };
};

describe.skipIf(!hasBrowser)('in a queue', () => {
  let server: TestServer;
  let story: QueueStory;
  beforeAll(async () => {
    server = await useTestServer();
    story = await tellQueueStory(server, { items: 24 });
  });
  afterAll(() => server.stop());

  it.each([
    [
      'twice',
      async (page: Page) => {
        await page.keyboard.press('Control+Enter');
        await page.keyboard.press('Control+Enter');
      },
    ],
    [
      'held',
      async (page: Page) => {
        await page.keyboard.down('Control');
        for (let time = 0; time < 6; time += 1) {
          await page.keyboard.down('Enter');
        }
        await page.keyboard.up('Enter');
        await page.keyboard.up('Control');
      },
    ],
  ])('Ctrl and Enter %s send one comment', async (_, press) => {
    const page = await openQueuePage({ browser, server, story }, story.elif);
    const sent = requestsOf(page, 'POST', /\/action\/comment$/);
    const { held, letGo } = await holdBack(page, 'POST', /\/action\/comment$/);
    await currentRow(page).focus();
    await page.keyboard.press('m');
    await page.getByRole('textbox', { name: 'Comment' }).fill('Who asked for it?');
    await press(page);
    await expect.poll(() => held.length).toBe(1);
    await letGo();
    await expect.poll(() => page.getByRole('textbox', { name: 'Comment' }).count()).toBe(0);
    expect(sent).toHaveLength(1);
    await page.close();
  });

  it('a key that opens a field and is held writes nothing into it', async () => {
    const page = await openQueuePage({ browser, server, story }, story.elif);
    await currentRow(page).focus();
    await page.keyboard.down('m');
    const comment = page.getByRole('textbox', { name: 'Comment' });
    await comment.waitFor();
    for (let time = 0; time < 5; time += 1) {
      await page.keyboard.down('m');
    }
    await page.keyboard.up('m');
    expect(await comment.inputValue()).toBe('');
    // What is pressed in it is written, held or not.
    await page.keyboard.down('a');
    await page.keyboard.down('a');
    await page.keyboard.up('a');
    await expect.poll(() => comment.inputValue()).toBe('aa');
    await page.close();
  });

  it('a key of a decision that is held decides one item, and an arrow that is held goes on', async () => {
    const page = await openQueuePage({ browser, server, story }, story.elif);
    await itemsLeft(page, 24).waitFor();
    await currentRow(page).focus();
    for (let time = 0; time < 9; time += 1) {
      await page.keyboard.down('c');
    }
    await page.keyboard.up('c');
    await itemsLeft(page, 23).waitFor();
    const before = await currentRow(page).getAttribute('aria-rowindex');
    for (let time = 0; time < 4; time += 1) {
      await page.keyboard.down('ArrowDown');
    }
    await page.keyboard.up('ArrowDown');
    await expect.poll(async () => Number(await currentRow(page).getAttribute('aria-rowindex')) - Number(before)).toBeGreaterThanOrEqual(4);
    await itemsLeft(page, 23).waitFor();
    // A double click on the button is one decision, too: nobody has read the next question by then.
    await page.getByRole('button', { name: 'Certify', exact: true }).dblclick();
    await itemsLeft(page, 22).waitFor();
    await page.getByText('All saved').first().waitFor();
    await itemsLeft(page, 22).waitFor();
    await page.close();
  });
});

describe.skipIf(!hasBrowser)('of a review', () => {
  let company: Company;
  beforeAll(async () => {
    company = await startCompany();
  });
  afterAll(() => company.server.stop());

  const open = async (path: string): Promise<Page> => {
    const page = await browser.signedInPage(company.server, company.server.admin.id);
    await page.goto(path);
    await page.getByRole('heading', { level: 1 }).waitFor();
    return page;
  };
  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
  const draft = (displayName: string): Promise<string> => company.draft({ displayName, singleApp: { appId: company.appId } });

  it('a double click makes one draft', async () => {
    const page = await open('/reviews/new');
    const sent = requestsOf(page, 'POST', /\/api\/v1\/access_review$/);
    await page.getByLabel('Name', { exact: true }).fill('Once');
    await button(page, 'Create draft').dblclick();
    await page.waitForURL(/\/edit\/scope$/);
    expect(sent).toHaveLength(1);
    await page.close();
  });

  it('one that was made is not made again while its page is on its way', async () => {
    const page = await open('/reviews/new');
    const sent = requestsOf(page, 'POST', /\/api\/v1\/access_review$/);
    const { held, letGo } = await holdBack(page, 'GET', /\/api\/v1\/access_review\/[^/]+$/);
    const name = page.getByLabel('Name', { exact: true });
    await name.fill('Once more');
    await name.press('Enter');
    await expect.poll(() => held.length, { interval: 5 }).toBeGreaterThan(0);
    // The form is there for a moment more, and where it is gone these keys do nothing.
    await page.keyboard.press('Enter');
    await page.keyboard.press('Enter');
    await letGo();
    await page.waitForURL(/\/edit\/scope$/);
    expect(sent).toHaveLength(1);
    await page.close();
  });

  it('double clicks prepare it, start it and remind of it once, and say so', async () => {
    const id = await draft('Twice');
    const page = await open(`/reviews/${id}/check`);
    const sent = requestsOf(page, 'POST', /\/(?:prepare|start|remind)$/);
    await button(page, 'Prepare').dblclick();
    await expect.poll(() => button(page, 'Start').getAttribute('aria-disabled')).toBeNull();
    await button(page, 'Start').dblclick();
    const dialog = page.getByRole('dialog');
    await dialog.waitFor();
    await dialog.getByRole('button', { name: /^Start with/ }).dblclick();
    await page.waitForURL(/\/progress$/);
    await button(page, 'Remind').dblclick();
    await page
      .getByText(/(person is|people are) reminded\./)
      .first()
      .waitFor();
    expect(await page.getByText(/went out|another state|failed/).count()).toBe(0);
    expect(sent.map((path) => path.split('/').at(-1))).toEqual(['prepare', 'start', 'remind']);
    await page.close();
  });

  it('a refusal says its times as the reader does', async () => {
    const id = await draft('Late');
    await company.act(id, 'prepare', 'REVIEW');
    await company.act(id, 'start', 'OPEN');
    const page = await open(`/reviews/${id}/progress`);
    await expect.poll(() => button(page, 'Remind').getAttribute('aria-disabled')).toBeNull();
    await company.call('POST', `/api/v1/access_review/${id}/action/remind`, {});
    await button(page, 'Remind').click();
    await page
      .getByText(/again at \d+ \w+ \d{4}, \d\d:\d\d/)
      .first()
      .waitFor();
    expect(await page.getByText(/\dT\d\d:/).count()).toBe(0);
    await page.close();
  });
});
