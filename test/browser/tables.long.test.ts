/** Tables of the console: none is wider than its place however long a moment is said, rows are selected and ordered, and long ones draw what is in sight. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkAxe, hasBrowser, openBrowser, sidewaysPixels, type TestBrowser } from '../support/browser.ts';
import { type HostileCompany, startHostileCompany } from '../support/hostile-company.ts';
import { sendFile } from '../support/world.ts';

const people = 320;

let company: HostileCompany;
let browser: TestBrowser;
let page: Page;

beforeAll(async () => {
  company = await startHostileCompany();
  const rows = Array.from({ length: people }, (_, at) => `p${String(at).padStart(3, '0')}@long.test,Person ${String(at).padStart(3, '0')}`);
  await sendFile(company.server, company.server.admin, '/api/v1/imports/people?source=Long', ['email,display_name', ...rows].join('\n'));
  if (hasBrowser) {
    browser = await openBrowser();
    page = await browser.signedInPage(company.server, company.server.admin.id);
  }
});
afterAll(async () => {
  await browser?.close();
  await company?.server.stop();
});

describe.skipIf(!hasBrowser)('tables', () => {
  it('stay within their place, whatever time has passed and wherever the navigation stands', async () => {
    const wide: unknown[] = [];
    for (const minutes of [0, 1, 12]) {
      await page.clock.setFixedTime(Date.now() + minutes * 60_000);
      for (const path of [
        `/reviews/${company.openId}/progress`,
        `/reviews/${company.closedId}/progress`,
        '/reviews',
        '/revocations',
        `/reviews/${company.closedId}/removals`,
      ]) {
        await page.goto(path);
        await page.getByRole('table').last().waitFor();
        for (const width of [720, 905, 940]) {
          await page.setViewportSize({ width, height: 450 });
          const pixels = await sidewaysPixels(page);
          wide.push(...(pixels > 0 ? [{ minutes, path, width, pixels }] : []));
        }
      }
    }
    expect(wide).toEqual([]);
    await page.setViewportSize({ width: 1440, height: 900 });
  });

  it('select all rows, and those between two', async () => {
    await page.goto(`/reviews/${company.openId}/items`);
    const table = page.getByRole('table', { name: 'Items' });
    const boxes = table.locator('tbody').getByRole('checkbox');
    await boxes.nth(2).waitFor();
    const count = await boxes.count();
    const checked = () => table.locator('tbody').getByRole('checkbox', { checked: true }).count();
    await table.getByRole('checkbox', { name: 'Select all rows that are shown' }).click();
    await expect.poll(checked).toBe(count);
    await table.getByRole('checkbox', { name: 'Select all rows that are shown' }).click();
    await expect.poll(checked).toBe(0);
    await boxes.nth(0).click();
    await boxes.nth(2).click({ modifiers: ['Shift'] });
    await expect.poll(checked).toBe(3);
    expect(await checkAxe(page)).toEqual([]);
  });

  it('are ordered by the server, and the address says how', async () => {
    await page.goto('/reviews');
    const head = page.getByRole('columnheader', { name: 'Due' });
    await head.getByRole('button').click();
    await expect.poll(() => new URL(page.url()).searchParams.get('sort')).toBe('due');
    expect(await head.getAttribute('aria-sort')).toBe('ascending');
    await head.getByRole('button').click();
    await expect.poll(() => new URL(page.url()).searchParams.get('sort')).toBe(null);
    expect(await head.getAttribute('aria-sort')).toBe(null);
  });

  it('draw the rows in sight where they are long, keep the focus, and print all', async () => {
    await page.goto('/people?q=long.test');
    const table = page.getByRole('table', { name: 'People' });
    const rows = table.locator('tbody tr[role="row"]');
    await rows.first().waitFor();
    const more = page.getByRole('button', { name: 'Load more' });
    await expect
      .poll(
        async () => {
          await more.click({ timeout: 500 }).catch(() => undefined);
          return more.count();
        },
        { timeout: 60_000 },
      )
      .toBe(0);
    await expect.poll(() => rows.count()).toBeLessThan(100);
    await page.evaluate('scrollTo(0, document.body.scrollHeight)');
    const last = table.getByRole('link', { name: 'Person 319' });
    await last.waitFor();
    expect(await table.locator('tr[aria-rowindex="321"]').textContent()).toContain('Person 319');
    // The head stays in sight.
    expect(await page.getByRole('columnheader', { name: 'Job title' }).isVisible()).toBe(true);
    expect((await page.getByRole('columnheader').first().boundingBox())?.y).toBeLessThan(100);
    // The row with the focus stays, however far away one looks.
    await last.focus();
    await page.evaluate('scrollTo(0, 0)');
    await table.getByRole('link', { name: 'Person 000' }).waitFor();
    expect(await page.evaluate('document.activeElement?.textContent')).toContain('Person 319');
    expect(await checkAxe(page)).toEqual([]);
    await page.evaluate(`dispatchEvent(new Event('beforeprint'))`);
    expect(await rows.count()).toBe(people);
    await page.evaluate(`dispatchEvent(new Event('afterprint'))`);
    await expect.poll(() => rows.count()).toBeLessThan(100);
  });
});
