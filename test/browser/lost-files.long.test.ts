/** Files of the console that do not come: lost on their way, or taken away by an upgrade. The page is loaded anew once, or stays and says what to do. */
import type { Page, Route } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { hasBrowser, openBrowser, type TestBrowser } from '../support/browser.ts';
import { itemsLeft, openQueuePage } from '../support/queue-page.ts';
import { type QueueStory, tellQueueStory } from '../support/queue-story.ts';
import { type TestServer, useTestServer } from '../support/server.ts';

let server: TestServer;
let browser: TestBrowser;
let story: QueueStory;
/** What becomes of a request for a file of the console, and of one for the page. */
let onFile: (route: Route) => Promise<void>;
let onPage: (route: Route) => Promise<void>;

const pass = (route: Route): Promise<void> => route.continue();
const lose = (route: Route): Promise<void> => route.fulfill({ status: 404, contentType: 'application/json', body: '{}' });

async function open(path: string): Promise<Page> {
  const page = await browser.signedInPage(server, server.admin.id);
  await watch(page);
  await page.goto(path);
  return page;
}

async function watch(page: Page): Promise<void> {
  await page.route('**/assets/**', (route) => onFile(route));
  await page.route(`${server.url}/*`, (route) => onPage(route));
}

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name });
const toPeople = (page: Page) => page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'People', exact: true });

describe.skipIf(!hasBrowser)('a file of the console that does not come', () => {
  beforeAll(async () => {
    server = await useTestServer();
    story = await tellQueueStory(server, { items: 6 });
    browser = await openBrowser();
    // What a page says while it is loaded anew may come without its words.
    browser.expectComplaint(/^\/people: *$|status of 404|net::ERR_|Failed to fetch dynamically|Unable to preload/);
  });
  beforeEach(() => {
    onFile = pass;
    onPage = pass;
  });
  afterAll(async () => {
    await browser?.close();
    await server.stop();
  });

  it.each(['js', 'css'])('is asked for again where it was lost once: .%s', async (kind) => {
    const page = await open('/home');
    await toPeople(page).waitFor();
    let lost = '';
    onFile = (route) => {
      const { pathname } = new URL(route.request().url());
      if (lost === '' && pathname.endsWith(`.${kind}`)) {
        lost = pathname;
        return lose(route);
      }
      return pass(route);
    };
    await toPeople(page).click();
    await page.getByRole('link', { name: /Jonas Sample/ }).waitFor();
    expect(lost).not.toBe('');
    if (kind === 'css') {
      await expect
        .poll(() =>
          page.evaluate<boolean>(`[...document.styleSheets].some((one) => one.href?.endsWith('${lost}') && one.cssRules.length > 0)`),
        )
        .toBe(true);
    }
    expect(await heading(page, 'This page did not come').count()).toBe(0);
    await page.context().close();
  });

  it('after an upgrade: the page that is opened comes, loaded anew', async () => {
    const page = await open('/home');
    await toPeople(page).waitFor();
    let isUpgraded = false;
    onFile = (route) => (isUpgraded ? pass(route) : lose(route));
    onPage = async (route) => {
      if (route.request().isNavigationRequest()) {
        isUpgraded = true;
        return route.continue();
      }
      return route.fulfill({ contentType: 'text/html', body: '<script type="module" src="/assets/first-newer.js"></script>' });
    };
    await toPeople(page).click();
    await page.getByRole('link', { name: /Jonas Sample/ }).waitFor();
    expect(isUpgraded).toBe(true);
    await page.context().close();
  });

  it('never loads the page anew for ever, and Load again helps once the file is there', async () => {
    const page = await open('/home');
    await toPeople(page).waitFor();
    let navigations = 0;
    page.on('request', (request) => {
      navigations += request.isNavigationRequest() ? 1 : 0;
    });
    onFile = (route) => (/list-page|person|people/.test(route.request().url()) ? lose(route) : pass(route));
    await toPeople(page).click();
    await heading(page, 'This page did not come').waitFor();
    expect(navigations).toBe(1);
    onFile = pass;
    await page.getByRole('button', { name: 'Load again' }).click();
    await page.getByRole('link', { name: /Jonas Sample/ }).waitFor();
    await page.context().close();
  });

  it('where the server is away the page is not lost, too', async () => {
    const page = await open('/home');
    await toPeople(page).waitFor();
    const fail = (route: Route): Promise<void> => route.abort('connectionrefused');
    await page.route('**/api/**', (route) => (onFile === pass ? route.continue() : fail(route)));
    onFile = fail;
    onPage = fail;
    await toPeople(page).click();
    await heading(page, 'The server does not answer').waitFor();
    onFile = pass;
    onPage = pass;
    await page.getByRole('button', { name: 'Load again' }).click();
    await page.getByRole('link', { name: /Jonas Sample/ }).waitFor();
    await page.context().close();
  });

  it('leaves the page as it is where it is the help, and the decisions where the page is loaded anew', async () => {
    const page = await openQueuePage({ browser, server, story }, story.elif);
    await watch(page);
    await itemsLeft(page, 6).waitFor();
    await page.keyboard.press('c');
    await page.keyboard.press('d');
    await itemsLeft(page, 4).waitFor();
    onFile = lose;
    onPage = (route) =>
      route.request().isNavigationRequest()
        ? route.continue()
        : route.fulfill({ contentType: 'text/html', body: '<script type="module" src="/assets/first-newer.js"></script>' });
    await page.keyboard.press('?');
    await page.getByText('There is a new version of Countersign.').waitFor();
    await itemsLeft(page, 4).waitFor();
    // The page goes on, and the help is asked for again.
    await page.getByRole('button', { name: 'Later' }).click();
    await page.locator('[role=row][data-current]').focus();
    await page.keyboard.press('c');
    await itemsLeft(page, 3).waitFor();
    await page.keyboard.press('?');
    await page.getByRole('button', { name: 'Load the page again' }).waitFor();
    onFile = pass;
    onPage = pass;
    await page.getByRole('button', { name: 'Load the page again' }).click();
    await itemsLeft(page, 3).waitFor();
    await page.locator('[role=row][data-current]').focus();
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keyboard' }).waitFor();
    await page.context().close();
  });

  it('is what sends decisions: the page says so, and they are there once it is loaded again', async () => {
    const page = await browser.signedInPage(server, story.elif);
    await watch(page);
    onFile = (route) => (route.request().url().includes('run-beside') ? lose(route) : pass(route));
    onPage = (route) =>
      new URL(route.request().url()).pathname !== '/'
        ? route.continue()
        : route.fulfill({ contentType: 'text/html', body: '<script type="module" src="/assets/first-newer.js"></script>' });
    await page.goto(`/r/${story.reviewId}`);
    await page.getByText('There is a new version of Countersign.').waitFor();
    const left = Number(/\d+/.exec((await page.getByText(/^\d+ left$/).textContent()) ?? '')?.[0]);
    await page.locator('[role=row][data-current]').focus();
    await page.keyboard.press('c');
    await itemsLeft(page, left - 1).waitFor();
    onFile = pass;
    onPage = pass;
    await page.getByRole('button', { name: 'Load the page again' }).click();
    await itemsLeft(page, left - 1).waitFor();
    await page.keyboard.press('Control+Enter');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Control+Enter');
    await page.getByRole('button', { name: 'Send now' }).click();
    await page.getByRole('dialog', { name: /recorded/ }).waitFor();
    await page.context().close();
  });

  it.each(['js', 'css'])('is one of the first: the page is loaded anew, .%s', async (kind) => {
    let isLost = false;
    onFile = (route) => {
      if (!isLost && new URL(route.request().url()).pathname.endsWith(`.${kind}`)) {
        isLost = true;
        return lose(route);
      }
      return pass(route);
    };
    const page = await open('/home');
    await toPeople(page).waitFor();
    await expect
      .poll(() =>
        page.evaluate<number>(`[...document.querySelectorAll('link[rel=stylesheet]')].filter((one) => one.sheet === null).length`),
      )
      .toBe(0);
    expect(isLost).toBe(true);
    await page.context().close();
  });
});
