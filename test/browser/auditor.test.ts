/**
 * An auditor at work in a real browser, who reads and does nothing else: the evidence of a closed review, a sample by a seed of their own, one item from
 * its file to its removal, and the days that nobody certified; on the phone, too.
 */
import { readFile } from 'node:fs/promises';
import { createHash } from 'node:crypto';
import type { Download, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Loose } from '../support/api.ts';
import { checkAxe, hasBrowser, openBrowser, sidewaysPixels, sizes, type TestBrowser } from '../support/browser.ts';
import { makeClosedReview } from '../support/closed-review.ts';
import type { TestServer } from '../support/server.ts';
import { type World, worldGrants } from '../support/world.ts';
import { startWorld } from '../support/world-server.ts';

let server: TestServer;
let world: World;
let browser: TestBrowser;
let page: Page;
let id: string;

const fileHash = createHash('sha256').update(worldGrants).digest('hex');
const button = (name: string) => page.getByRole('button', { name, exact: true });
const download = async (name: string): Promise<string> => {
  const [file] = await Promise.all([page.waitForEvent('download'), button(name).click()]);
  return readFile(await (file as Download).path(), 'utf8');
};
/** Nothing axe finds, and nothing that scrolls sideways on a phone. */
const expectSound = async (): Promise<void> => {
  expect(await checkAxe(page)).toEqual([]);
  await page.setViewportSize(sizes.narrow);
  expect(await sidewaysPixels(page)).toBe(0);
  await page.setViewportSize(sizes.desk);
};

describe.skipIf(!hasBrowser)('an auditor', () => {
  beforeAll(async () => {
    const made = await startWorld();
    server = made.server;
    world = made.world;
    ({ id } = await makeClosedReview(server, world));
    browser = await openBrowser();
    // Things that were never made of a review answer 404 to whoever asks for them.
    browser.expectComplaint(/status of 40[34]/);
    page = await browser.signedInPage(server, world.reader.id, { context: { reducedMotion: 'reduce' } });
  });
  afterAll(async () => {
    await browser?.close();
    await server?.stop();
  });

  it('reads the evidence: scope, sums, files by hash, who was asked, and the checkpoint', async () => {
    await page.goto(`/evidence/${id}`);
    await page.getByText('Access in World.').waitFor();
    await page.getByText(/All \d+ sums hold/).waitFor();
    await page.getByText(fileHash).first().waitFor();
    await page.getByRole('heading', { name: 'People who were asked' }).waitFor();
    expect(await download('Download the checkpoint')).toMatch(/^\S+\/log\/\S+\/1\n\d+\n\S+\n\n— /);
    await expectSound();
  });

  it('draws a sample by a seed, and has it as a file', async () => {
    await page.getByRole('link', { name: 'Draw a sample' }).click();
    await page.getByRole('heading', { name: 'Choose a seed' }).waitFor();
    await page.getByLabel('Seed').fill('FY26');
    await button('Draw').click();
    await page.getByText(/^Drawn from \d+ items/).waitFor();
    const csv = await download('Export CSV');
    const rows = csv
      .trimEnd()
      .split('\r\n')
      .slice(1)
      .map((line) => line.split(','));
    expect(rows.length).toBeGreaterThan(3);
    for (const [, task, , rank] of rows) {
      expect(rank).toBe(createHash('sha256').update(`FY26/${task}`).digest('hex'));
    }
    await expectSound();
  });

  it('follows a denied item from its row to what became of it, with proofs', async () => {
    await page.goto(`/evidence/${id}/sample?seed=FY26&of=DENIED`);
    await page.getByRole('link', { name: /^1\. Item/ }).click();
    await page.getByText('a03,role,R00,e00').waitFor();
    await page.getByText(fileHash).first().waitFor();
    await page.getByText('Left the team.').waitFor();
    await page.getByText('closed the review').waitFor();
    const proofs: Loose = JSON.parse(await download('Proofs of all events'));
    expect(proofs.list.length).toBeGreaterThan(4);
    await expectSound();
  });

  it('sees which days nobody certified, app by app, and what requirements ask for', async () => {
    await page.goto('/coverage');
    await page.getByText(/of the grant-days were covered/).waitFor();
    await page.getByText('PCI DSS 4.0.1, 7.2.4').waitFor();
    expect(await download('Export CSV')).toContain(',World,');
    await expectSound();
    await page.getByRole('link', { name: 'World', exact: true }).click();
    await page.getByRole('heading', { name: 'Grants with gaps' }).waitFor();
    await page.getByRole('table', { name: 'Grants with gaps' }).getByRole('row').nth(2).waitFor();
    await expectSound();
  });

  it('reads who acted as they were called then, with today’s name beside it', async () => {
    const [{ name }] = (await server.test.admin('SELECT display_name AS name FROM users WHERE tenant_id = $1 AND id = $2', [
      server.id,
      server.admin.id,
    ])) as [Loose];
    await server.test.admin(`UPDATE users SET display_name = 'Married Since', updated_at = now() WHERE tenant_id = $1 AND id = $2`, [
      server.id,
      server.admin.id,
    ]);
    for (const tab of ['comments', 'submissions', 'items']) {
      await page.goto(`/reviews/${id}/${tab}`);
      await page.getByText(`${name} (now Married Since)`).first().waitFor();
    }
    // The log is for others.
    const own = await browser.signedInPage(server, server.admin.id, { context: { reducedMotion: 'reduce' } });
    await own.goto(`/reviews/${id}/history`);
    await own.getByText(`${name} (now Married Since)`).first().waitFor();
    // A file is to say the same later: names of then, with ids.
    const [events] = await Promise.all([own.waitForEvent('download'), own.getByRole('button', { name: 'Export CSV' }).click()]);
    const log = await readFile(await (events as Download).path(), 'utf8');
    expect(log).toContain(server.admin.id);
    expect(log).toContain(server.admin.email);
    expect(log).not.toContain('Married Since');
    await page.goto('/revocations');
    await page.getByRole('table').getByRole('row').nth(1).waitFor();
    const removals = await download('Export CSV');
    const [head = '', row = ''] = removals.split('\r\n');
    expect(head).toMatch(/,Person \(id\),Reviewer \(id\),Said by \(id\)$/);
    // Nobody with this id is here any more: the id is what is left.
    expect(row).toMatch(/,somebody else$/);
  });
});
