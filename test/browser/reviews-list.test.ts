/** The list of reviews, of which there are more than one page: groups, counts, filters and orders are the server's, and the address has them. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chooseOption } from '../support/choose-option.ts';
import { type Loose, request } from '../support/api.ts';
import { checkAxe, hasBrowser, openBrowser, sidewaysPixels, type TestBrowser } from '../support/browser.ts';
import { useTestServer, type TestServer } from '../support/server.ts';
import { sendFile } from '../support/world.ts';

/** More than two pages of fifty. */
const drafts = 120;

let server: TestServer;
let browser: TestBrowser;
let page: Page;

const call = async (method: string, path: string, body?: object): Promise<Loose> => {
  const answer = await request(server, server.admin, method, `/api/v1/${path}`, body);
  expect(answer.status, `${method} ${path}: ${JSON.stringify(answer.body)}`).toBe(200);
  return answer.body;
};
const table = () => page.getByRole('table', { name: 'Reviews', exact: true });
const names = (): Promise<string[]> => table().locator('tbody th[scope="row"] a').allTextContents();
const tab = (name: string) => page.getByRole('navigation', { name: 'Reviews by state' }).getByRole('link', { name });
const searchOf = () => new URL(page.url()).search;

beforeAll(async () => {
  server = await useTestServer();
  await sendFile(server, server.admin, '/api/v1/imports/people', 'email,display_name\nolga@list.test,Olga\n');
  const olga = (await call('POST', 'search/users', { query: 'olga' })).list[0].user.id;
  for (let count = 1; count <= drafts; count++) {
    const displayName = `Draft ${String(count).padStart(3, '0')}`;
    const more = count === 7 ? { description: 'Payroll' } : count === 50 ? { ownerIds: [olga] } : {};
    await call('POST', 'access_review', { displayName, ...more });
  }
  // Two that run and one that closed stand before and behind the drafts, whenever they were made.
  await server.test.admin(
    `UPDATE reviews SET state = 'OPEN', started_at = now() WHERE tenant_id = $1 AND document->>'displayName' IN ('Draft 001', 'Draft 002')`,
    [server.id],
  );
  await server.test.admin(
    `UPDATE reviews SET state = 'CLOSED', started_at = now(), closed_at = now() WHERE tenant_id = $1 AND document->>'displayName' = 'Draft 003'`,
    [server.id],
  );
  if (hasBrowser) {
    browser = await openBrowser();
    page = await browser.signedInPage(server, server.admin.id);
  }
}, 240_000);
afterAll(async () => {
  await browser?.close();
  await server.stop();
});

describe.skipIf(!hasBrowser)('the list of reviews', () => {
  it('has what runs first, counts all of them, and reads the next page where it is asked for', async () => {
    await page.goto('/reviews');
    await expect.poll(names).toHaveLength(2 + 50 + 1);
    expect((await names()).slice(0, 3)).toEqual(['Draft 002', 'Draft 001', 'Draft 120']);
    expect((await names()).at(-1)).toBe('Draft 003');
    await expect.poll(() => tab('All').textContent()).toBe('All120');
    expect(await tab('Drafts').textContent()).toBe('Drafts117');
    await page.getByRole('button', { name: 'Load more' }).click();
    await expect.poll(names).toHaveLength(2 + 100 + 1);
    await page.getByRole('button', { name: 'Load more' }).click();
    await expect.poll(names).toHaveLength(drafts);
    expect(await page.getByRole('button', { name: 'Load more' }).count()).toBe(0);
    expect(new Set(await names()).size).toBe(drafts);
    expect(await checkAxe(page)).toEqual([]);
  });

  it('finds one of a later page by its words, and keeps filter, state and order in the address', async () => {
    await page.goto('/reviews');
    await page.getByRole('searchbox', { name: 'Filter' }).fill('payroll');
    await expect.poll(names).toEqual(['Draft 007']);
    await expect.poll(() => tab('Drafts').textContent()).toBe('Drafts1');
    await page.getByRole('searchbox', { name: 'Filter' }).fill('draft 00');
    await expect.poll(names).toHaveLength(10);
    await chooseOption(page.getByRole('combobox', { name: 'Order' }), 'By name');
    await tab('Drafts').click();
    await expect.poll(names).toEqual(['Draft 004', 'Draft 005', 'Draft 006', 'Draft 007', 'Draft 008', 'Draft 009', 'Draft 100']);
    expect(searchOf()).toContain('q=draft');
    await page.reload();
    await expect.poll(names).toEqual(['Draft 004', 'Draft 005', 'Draft 006', 'Draft 007', 'Draft 008', 'Draft 009', 'Draft 100']);
    await page.getByRole('searchbox', { name: 'Filter' }).fill('nothing has this name');
    await page.getByRole('heading', { name: 'No review matches' }).waitFor();
  });

  it('has those that somebody owns alone', async () => {
    await page.goto('/reviews?owner=me');
    await expect.poll(() => tab('All').textContent()).toBe('All119');
    await page.getByRole('checkbox', { name: 'Owned by me' }).uncheck();
    await expect.poll(() => tab('All').textContent()).toBe('All120');
  });

  it('does not scroll sideways on a narrow screen, and is readable in the dark', async () => {
    const dark = await browser.signedInPage(server, server.admin.id, { size: 'narrow', theme: 'dark' });
    await dark.goto('/reviews');
    await dark.getByRole('link', { name: 'Draft 120' }).waitFor();
    expect(await sidewaysPixels(dark)).toBe(0);
    expect(await checkAxe(dark)).toEqual([]);
    await dark.close();
  });

  it('evidence has what closed, however many drafts were made before', async () => {
    await page.goto('/evidence');
    await page.getByRole('link', { name: 'Draft 003' }).waitFor();
    expect(await page.getByRole('table', { name: 'Evidence' }).locator('tbody tr').count()).toBe(1);
  });

  it('says where their own questions stand to somebody who answers for no review', async () => {
    const person = await server.makePerson('basic@list.test');
    const theirs = await browser.signedInPage(server, person.id);
    await theirs.goto('/reviews');
    await theirs.getByRole('heading', { name: 'You answer for no review' }).waitFor();
    expect(await theirs.getByRole('main').getByRole('link', { name: 'My reviews' }).getAttribute('href')).toBe('/');
    await theirs.context().close();
  });
});
