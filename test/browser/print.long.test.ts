/**
 * Pages on paper: a summary before it is submitted, what became of it, and the parts of a review. Only what they say is printed, whole and
 * dark on white, from either theme.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ReviewActionsService } from '../../src/gen/countersign/v1/review_pb.js';
import { hasBrowser, openBrowser, type TestBrowser } from '../support/browser.ts';
import { currentRow, itemsLeft } from '../support/queue-page.ts';
import { type SampleCompany, startSampleCompany } from '../support/sample-company.ts';

/** Space of an A4 sheet between margins of a centimetre, in pixels. */
const paper = { width: 718, height: 1047 };
/** With this, each page is written there as a PDF, for people. */
const folder = process.env['COUNTERSIGN_PRINTS'] ?? '';

let company: SampleCompany;
let browser: TestBrowser;

/** Losses to a reader of the paper. */
interface Wrong {
  readonly pressable: readonly string[];
  /** Parts beyond the edge, or that scroll. */
  readonly cut: readonly string[];
  /** Words that are hard to read on white. */
  readonly pale: readonly string[];
}

/** Backgrounds are left out, as printers do. */
const look = `(() => {
  const visible = (one) => one.getClientRects().length > 0 && getComputedStyle(one).visibility === 'visible';
  const named = (one) => one.tagName.toLowerCase() + ': ' + (one.getAttribute('aria-label') ?? one.textContent ?? '').trim().slice(0, 60);
  const all = [...document.body.querySelectorAll('*')].filter(visible);
  const context = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
  const contrast = (color) => {
    context.fillStyle = '#fff';
    context.fillRect(0, 0, 1, 1);
    context.fillStyle = color;
    context.fillRect(0, 0, 1, 1);
    const [r, g, b] = [...context.getImageData(0, 0, 1, 1).data].map((part) => {
      const share = part / 255;
      return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
    });
    return 1.05 / (0.2126 * r + 0.7152 * g + 0.0722 * b + 0.05);
  };
  const says = (one) => [...one.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim() !== '');
  const isHidden = (one) => getComputedStyle(one).clipPath !== 'none' || one.closest('[class*="announcement"], [class*="hidden"]') !== null;
  return {
    pressable: all.filter((one) => one.matches('nav, button:not([role=radio], [role=checkbox], [role=switch]), [role=tablist], table :is(input, select, [role=checkbox], [role=switch])')).map(named),
    cut: all
      .filter((one) => !isHidden(one))
      .filter((one) => one.getBoundingClientRect().right > innerWidth + 1 ||
        (/auto|scroll|hidden/.test(getComputedStyle(one).overflow) && (one.scrollHeight > one.clientHeight + 1 || one.scrollWidth > one.clientWidth + 1)))
      .map(named),
    pale: all.filter((one) => says(one) && !isHidden(one) && contrast(getComputedStyle(one).color) < 4.5).map(named),
  };
})()`;

/** Looks at a page as paper, from both themes. */
async function expectPrint(page: Page, name: string, words: readonly string[]): Promise<void> {
  const before = page.viewportSize() ?? paper;
  for (const theme of ['light', 'dark']) {
    await page.evaluate(`document.documentElement.dataset.theme = '${theme}'`);
    await page.setViewportSize(paper);
    await page.emulateMedia({ media: 'print', reducedMotion: 'reduce' });
    expect([name, theme, await page.evaluate<Wrong>(look)]).toEqual([name, theme, { pressable: [], cut: [], pale: [] }]);
    const text = await page.evaluate<string>('document.body.innerText');
    for (const word of words) {
      expect([name, theme, text]).toEqual([name, theme, expect.stringContaining(word)]);
    }
    if (folder !== '') {
      mkdirSync(folder, { recursive: true });
      writeFileSync(join(folder, `${name}-${theme}.pdf`), await page.pdf({ format: 'A4' }));
    }
    await page.emulateMedia({ media: 'screen' });
    await page.setViewportSize(before);
  }
}

describe.skipIf(!hasBrowser)('on paper', () => {
  beforeAll(async () => {
    company = await startSampleCompany();
    browser = await openBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    await company.stop();
  });

  it('a summary and what became of it are whole, without the queue behind them', async () => {
    const page = await browser.signedInPage(company, company.reviewerId);
    await page.goto(`/r/${company.review.id}`);
    await currentRow(page).waitFor();
    const remark = page.getByText(/^\d+ left$/).first();
    await remark.waitFor();
    const total = Number.parseInt((await remark.textContent()) ?? '', 10);
    await page.keyboard.press('c');
    await itemsLeft(page, total - 1).waitFor();
    await page.keyboard.press('Control+Enter');
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('heading', { level: 2 }).waitFor();
    await expectPrint(page, 'summary', [(await dialog.getByRole('heading', { level: 2 }).textContent()) ?? '']);
    expect(await page.locator('#root').isVisible()).toBe(true);
    await page.keyboard.press('Control+Enter');
    await page.getByRole('button', { name: 'Send now' }).click();
    const recorded = page.getByRole('dialog').getByRole('heading', { level: 2 });
    await recorded.waitFor();
    await expectPrint(page, 'receipt', [(await recorded.textContent()) ?? '']);
    await page.goto('/my/submissions');
    await page.getByRole('cell').first().waitFor();
    await expectPrint(page, 'submissions', ['Sample quarterly access review']);
    await page.close();
  });

  it('the parts of a review are whole', async () => {
    const page = await browser.signedInPage(company, company.userId);
    for (const tab of ['progress', 'items', 'submissions', 'comments', 'removals', 'settings', 'history']) {
      await page.goto(`/reviews/${company.review.id}/${tab}`);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await expect.poll(() => page.locator('[aria-busy="true"]').count()).toBe(0);
      await expectPrint(page, `review-${tab}`, ['Sample quarterly access review']);
    }
    await page.close();
  });

  it('what proves a review is whole', async () => {
    await company.admin.client.call(ReviewActionsService.method.close, { accessReviewId: company.review.id });
    const page = await browser.signedInPage(company, company.userId);
    for (const path of ['/evidence', `/evidence/${company.review.id}`]) {
      await page.goto(path);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await expect.poll(() => page.locator('[aria-busy="true"]').count()).toBe(0);
      await expectPrint(page, path === '/evidence' ? 'evidence' : 'evidence-review', []);
    }
    await page.close();
  });
});
