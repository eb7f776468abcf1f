/**
 * The pictures of docs/console.md, taken of the sample company as they are: each page comes to rest without a skeleton or a failed part. They
 * are written into docs/images/console where COUNTERSIGN_PICTURES is set, and looked at by people.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AccessReviewService } from '../../src/gen/c1/api/accessreview/v1/access_review_service_pb.js';
import { hasBrowser, openBrowser, type PageOptions, type TestBrowser } from '../support/browser.ts';
import { type SampleCompany, startSampleCompany } from '../support/sample-company.ts';

const folder = join(import.meta.dirname, '..', '..', 'docs', 'images', 'console');
const isWritten = (process.env['COUNTERSIGN_PICTURES'] ?? '') !== '';

let company: SampleCompany;
let browser: TestBrowser;
let appId = '';
let draftId = '';

beforeAll(async () => {
  if (!hasBrowser) {
    return;
  }
  company = await startSampleCompany();
  browser = await openBrowser();
  const [app] = await company
    .system()
    .db.rows<{ id: string }>('SELECT id FROM apps WHERE tenant_id = $1 AND display_name = $2', [company.id, 'Sample Ledger']);
  appId = app?.id ?? '';
  const { client } = company.admin;
  const accessReview = { displayName: 'Who may use the ledger?', singleApp: { appId } };
  draftId =
    (await client.call(AccessReviewService.method.create, { displayName: accessReview.displayName })).accessReview?.accessReview?.id ?? '';
  await client.call(AccessReviewService.method.update, { id: draftId, accessReview });
  await mkdir(folder, { recursive: true });
});
afterAll(async () => {
  await browser?.close();
  await company?.stop();
});

type Who = 'reviewer' | 'administrator' | 'nobody';

interface Picture {
  readonly name: string;
  readonly who: Who;
  readonly path: () => string;
  readonly options?: PageOptions;
  /** What is done before the picture is taken. */
  readonly act?: (page: Page) => Promise<void>;
}

/** The first items decided as somebody would. */
async function decide(page: Page): Promise<void> {
  await page.getByRole('grid').waitFor();
  await page.getByRole('row').nth(2).focus();
  for (const key of ['c', 'c', 'c']) {
    await page.keyboard.press(key);
  }
}

/** Some of them decided, and the summary before they are submitted. */
async function summarize(page: Page): Promise<void> {
  await decide(page);
  await page.keyboard.press('Control+Enter');
  await page.getByRole('dialog').waitFor();
}

const pictures: readonly Picture[] = [
  { name: 'sign-in', who: 'nobody', path: () => '/sign-in' },
  { name: 'home', who: 'reviewer', path: () => '/home' },
  { name: 'queue', who: 'reviewer', path: () => `/r/${company.review.id}`, act: decide },
  { name: 'queue-dark', who: 'reviewer', path: () => `/r/${company.review.id}`, options: { theme: 'dark' } },
  { name: 'queue-phone', who: 'reviewer', path: () => `/r/${company.review.id}`, options: { size: 'phone' } },
  { name: 'submit', who: 'reviewer', path: () => `/r/${company.review.id}`, act: summarize },
  { name: 'reviews', who: 'administrator', path: () => '/reviews' },
  { name: 'review-scope', who: 'administrator', path: () => `/reviews/${draftId}/edit/scope` },
  { name: 'review-progress', who: 'administrator', path: () => `/reviews/${company.review.id}/progress` },
  { name: 'revocations', who: 'administrator', path: () => '/revocations' },
  { name: 'app', who: 'administrator', path: () => `/apps/${appId}/entitlements` },
  { name: 'person', who: 'administrator', path: () => `/people/${company.reviewerId}/time` },
  { name: 'import', who: 'administrator', path: () => '/import' },
  { name: 'credentials', who: 'administrator', path: () => '/settings/credentials' },
];

describe.skipIf(!hasBrowser)('pictures', () => {
  it.each(pictures.map((picture) => [picture.name, picture] as const))('%s', async (name, { who, path, options, act }) => {
    const page =
      who === 'nobody'
        ? await browser.signedOutPage(company, options)
        : await browser.signedInPage(company, who === 'reviewer' ? company.reviewerId : company.userId, options);
    await page.goto(path());
    await page.getByRole('heading', { level: 1 }).first().waitFor();
    await page.waitForLoadState('networkidle');
    await act?.(page);
    await expect.poll(() => page.locator('[aria-busy="true"]').count()).toBe(0);
    const picture = await page.screenshot({ animations: 'disabled', caret: 'hide' });
    expect(picture.length).toBeGreaterThan(5_000);
    if (isWritten) {
      await writeFile(join(folder, `${name}.png`), picture);
    }
    await page.close();
  });
});
