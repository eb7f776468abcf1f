/**
 * Every address of the console, in a company full of rows whose names try everything: nothing of axe's serious findings in either theme, nothing that
 * scrolls sideways at 360 pixels or at a zoom of 200 %, no name that becomes markup or turns its neighbours around. A new route fails the first
 * test until it is walked. What a page complains of (errors, the policy of its content, requests elsewhere) fails the closing of the browser.
 */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkAxe, hasBrowser, openBrowser, sidewaysPixels, sizes, type TestBrowser } from '../support/browser.ts';
import { type HostileCompany, startHostileCompany } from '../support/hostile-company.ts';
import { findTurned } from '../support/turned-text.ts';

const source = join(import.meta.dirname, '..', '..', 'console', 'src');

/** The addresses that routes are walked at, each by its pattern; none where a route only leads on. */
const walks: Readonly<Record<string, (company: HostileCompany) => readonly string[]>> = {
  '/': () => [],
  '/signed-in': () => [],
  '/submit': () => [],
  // Leads to wherever the task is asked about; duties.test.ts follows it.
  '/task/$task': () => [],
  '/apps/$app': () => [],
  '/people/$person': () => [],
  '/quality': () => [],
  '/reviews/$reviewId': () => [],
  // Asks only people who cannot read the first decisions; duties.test.ts goes there as one.
  '/second-opinions/$review': () => [],
  // Needs somebody who signs; signing.long.test.ts goes there as one.
  '/signatures/$id': () => [],
  '/apps': () => ['/apps'],
  '/apps/$app/$tab': ({ appId }) =>
    ['entitlements', 'accounts', 'grants', 'changes', 'syncs', 'reviews'].map((tab) => `/apps/${appId}/${tab}`),
  '/conflicts': () => ['/conflicts'],
  '/conflicts/$id': ({ monitorId }) => [`/conflicts/${monitorId}`],
  '/coverage': () => ['/coverage'],
  '/coverage/$appId': ({ appId }) => [`/coverage/${appId}`],
  '/device': () => ['/device'],
  '/evidence': () => ['/evidence'],
  '/evidence/$reviewId': ({ closedId }) => [`/evidence/${closedId}`],
  '/evidence/$reviewId/sample': ({ closedId }) => [`/evidence/${closedId}/sample?seed=FY26`],
  '/evidence/$reviewId/items/$taskId': ({ closedId, closedTaskId }) => [`/evidence/${closedId}/items/${closedTaskId}`],
  '/home': () => ['/home'],
  '/import': ({ appId }) => [`/import?app=${appId}`],
  '/log': () => ['/log'],
  '/my/access': () => ['/my/access'],
  '/my/removals': () => ['/my/removals'],
  '/my/submissions': () => ['/my/submissions'],
  '/people': () => ['/people'],
  '/people/$person/$tab': ({ reviewerId }) => ['time', 'now', 'accounts', 'reviews', 'facts'].map((tab) => `/people/${reviewerId}/${tab}`),
  '/policies': () => ['/policies'],
  '/policies/$id': ({ policyId }) => [`/policies/${policyId}`],
  '/quality/$tab': () =>
    ['leavers', 'nobody', 'ambiguous', 'disputed', 'no-manager', 'no-description', 'stale'].map((tab) => `/quality/${tab}`),
  '/r/$review': ({ openId }) => [`/r/${openId}`],
  '/reviews': () => ['/reviews'],
  '/reviews/new': () => ['/reviews/new'],
  '/reviews/deleted': () => ['/reviews/deleted'],
  '/reviews/$reviewId/check': ({ stagedId }) => [`/reviews/${stagedId}/check`],
  '/reviews/$reviewId/edit/$part': ({ draftId }) =>
    ['purpose', 'scope', 'policy', 'view', 'duties', 'dates', 'signature', 'end'].map((part) => `/reviews/${draftId}/edit/${part}`),
  '/reviews/$reviewId/$tab': ({ openId, closedId }) =>
    ['progress', 'items', 'submissions', 'removals', 'checks', 'settings', 'history'].flatMap((tab) => [
      `/reviews/${openId}/${tab}`,
      ...(tab === 'progress' || tab === 'removals' ? [`/reviews/${closedId}/${tab}`] : []),
    ]),
  '/revocations': () => ['/revocations'],
  '/settings': () => ['/settings'],
  '/settings/credentials': () => ['/settings/credentials'],
  '/settings/display': () => ['/settings/display'],
  '/settings/mails': () => ['/settings/mails'],
  '/settings/profile': () => ['/settings/profile'],
  '/settings/sessions': () => ['/settings/sessions'],
  '/settings/step-up': () => ['/settings/step-up'],
  '/settings/tenant/signed-in': () => ['/settings/tenant/signed-in'],
  '/settings/tenant/credentials': () => ['/settings/tenant/credentials'],
  '/settings/tenant/notifications': () => ['/settings/tenant/notifications'],
  '/settings/tenant/principals': () => ['/settings/tenant/principals'],
  '/settings/tenant/providers': () => ['/settings/tenant/providers'],
  '/settings/tenant/retention': () => ['/settings/tenant/retention'],
  '/settings/tenant/company': () => ['/settings/tenant/company'],
  '/settings/tenant/roles': () => ['/settings/tenant/roles'],
  '/settings/tenant/sessions': () => ['/settings/tenant/sessions'],
  '/sign-in': () => ['/sign-in'],
  '/sources': () => ['/sources'],
  '/sources/new': () => ['', '?kind=LDAP&of=OpenLDAP', '?kind=SQL', '?kind=BATON', '?kind=FOLDER'].map((kind) => `/sources/new${kind}`),
  '/sources/$source': ({ sourceId }) => [`/sources/${sourceId}`],
  '/start': () => ['/start'],
  '/templates': () => ['/templates'],
  '/templates/$id': ({ templateId }) => [`/templates/${templateId}`],
};

/** The patterns of all routes, as the screens and the router spell them. */
function listRoutes(): string[] {
  const files = [...globSync(join(source, 'screens', '*', 'route.tsx')), join(source, 'app', 'router.tsx')];
  const found = files.flatMap((file) => [...readFileSync(file, 'utf8').matchAll(/\bpath: '([^']+)'/g)].map(([, path]) => path ?? ''));
  return [...new Set(found)].sort();
}

it('no route of the console is left out', () => {
  expect(Object.keys(walks).sort()).toEqual(listRoutes());
});

describe.skipIf(!hasBrowser)('every route', () => {
  let company: HostileCompany;
  let browser: TestBrowser;
  let page: Page;
  /** Requests that are under way. */
  let asked = 0;

  beforeAll(async () => {
    company = await startHostileCompany();
    browser = await openBrowser();
    // A review that has no second review and no roll-forward yet answers 404 to whoever asks for them.
    browser.expectComplaint(/status of 404/);
    // Colours are measured when they have arrived.
    page = await browser.signedInPage(company.server, company.server.admin.id, { context: { reducedMotion: 'reduce' } });
    page.on('request', () => {
      asked += 1;
    });
    const end = (): void => {
      asked -= 1;
    };
    page.on('requestfinished', end);
    page.on('requestfailed', end);
    await page.goto('/home');
  });
  afterAll(async () => {
    await browser?.close();
    await company?.server.stop();
  });

  /** Goes to an address as a link does, and waits until nothing of it is being read. */
  const visit = async (path: string): Promise<void> => {
    await page.evaluate((to) => {
      const { history, dispatchEvent, PopStateEvent } = globalThis as unknown as {
        history: { pushState(state: object, unused: string, url: string): void };
        dispatchEvent(event: object): void;
        PopStateEvent: new (name: string) => object;
      };
      history.pushState({}, '', to);
      dispatchEvent(new PopStateEvent('popstate'));
    }, path);
    await page.waitForURL((url) => url.pathname.startsWith(path.split('?')[0] ?? ''));
    await page.getByRole('heading', { level: 1 }).first().waitFor();
    await expect.poll(async () => (asked === 0 ? page.locator('[aria-busy="true"]').count() : asked), { timeout: 60_000 }).toBe(0);
  };

  it.each(Object.keys(walks))('%s', async (pattern) => {
    const wrong: unknown[] = [];
    for (const path of walks[pattern]?.(company) ?? []) {
      await visit(path);
      wrong.push(...(await checkAxe(page)).map((finding) => ({ path, ...finding })));
      wrong.push(...(await findTurned(page)).map((turned) => ({ path, turned })));
      await page.emulateMedia({ colorScheme: 'dark' });
      // A desk at 200 % has half of its pixels.
      for (const size of [{ width: 720, height: 450 }, sizes.narrow]) {
        await page.setViewportSize(size);
        const pixels = await sidewaysPixels(page);
        wrong.push(...(pixels > 0 ? [{ path, width: size.width, pixels }] : []));
      }
      wrong.push(...(await checkAxe(page)).map((finding) => ({ path, theme: 'dark', ...finding })));
      const isMarkup = (await page.locator('img[src="x"], b b').count()) > 0 || (await page.title()) === 'hacked';
      wrong.push(...(isMarkup ? [{ path, isMarkup }] : []));
      await page.emulateMedia({ colorScheme: 'light' });
      await page.setViewportSize(sizes.desk);
    }
    expect(wrong).toEqual([]);
  });
});
