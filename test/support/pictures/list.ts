/** Pictures in docs/console.md: who looks at what, in which state. */
import type { Page } from 'playwright-core';
import type { PageOptions } from '../browser.ts';
import { requestWith } from '../sign-in.ts';
import type { PictureStory } from './story.ts';

/** Viewer: a reviewer, an administrator, the administrator of a tenant without anything, or nobody yet. */
export type Who = 'reviewer' | 'administrator' | 'newcomer' | 'nobody';

/** A picture of the docs. */
export interface Picture {
  readonly name: string;
  readonly who: Who;
  readonly path: (story: PictureStory) => string;
  readonly options?: PageOptions;
  /** Action before the picture is taken. */
  readonly act?: (page: Page, story: PictureStory) => Promise<unknown>;
}

const phone: PageOptions = { size: 'phone' };
const phoneDark: PageOptions = { size: 'phone', theme: 'dark' };
const dark: PageOptions = { theme: 'dark' };
const queue = ({ runningId }: PictureStory): string => `/r/${runningId}`;
const current = (page: Page) => page.locator('[role=row][data-current]');

/** The first items decided as somebody would, by keys. */
async function decide(page: Page): Promise<void> {
  await current(page).focus();
  for (const key of ['c', 'c', 'c']) {
    await page.keyboard.press(key);
  }
  await page.getByText('All saved').first().waitFor();
}

/** Some decided, and the summary of all. */
async function summarize(page: Page): Promise<void> {
  await decide(page);
  await page.keyboard.press('Control+Enter');
  await page.getByRole('dialog').getByText('Worth one more look').waitFor();
}

/** Several rights of a person selected. */
async function selectSome(page: Page): Promise<void> {
  await page.getByRole('region', { name: 'Question' }).getByText('Last used').waitFor();
  await current(page).focus();
  await page.keyboard.press('n');
  await page.keyboard.press('x');
  for (let count = 0; count < 3; count++) {
    await page.keyboard.press('Shift+J');
  }
  await page.getByRole('toolbar', { name: 'Selected items' }).waitFor();
}

async function openQuestion(page: Page): Promise<void> {
  await current(page).click();
  await page.getByRole('button', { name: 'Certify', exact: true }).waitFor();
}

async function certifyUntil(page: Page): Promise<void> {
  await openQuestion(page);
  await page
    .getByRole('button', { name: /More|Certify until/ })
    .first()
    .click();
  const item = page.getByRole('menuitem', { name: 'Certify until' });
  if ((await item.count()) > 0) {
    await item.click();
  }
}

/** The server is away while two items are decided. */
async function goOffline(page: Page): Promise<void> {
  await page.route('**/pending_decisions', (route) =>
    route.request().method() === 'PUT' ? route.fulfill({ status: 503, body: '' }) : route.continue(),
  );
  await current(page).focus();
  await page.keyboard.press('n');
  await page.keyboard.press('c');
  await page.keyboard.press('c');
  await page
    .getByText(/on this device since/)
    .first()
    .waitFor();
  await page.getByText('The server does not answer.').first().waitFor();
}

/** The session ends elsewhere, and the next decision finds out. */
async function endSession(page: Page, story: PictureStory): Promise<void> {
  const session = (await page.context().cookies()).find(({ name }) => name === 'session');
  await requestWith(story, `session=${session?.value}`, 'POST', '/auth/sign-out', {});
  await current(page).focus();
  await page.keyboard.press('n');
  await page.keyboard.press('c');
  await page.getByRole('dialog', { name: 'You were signed out' }).waitFor();
}

async function search(page: Page): Promise<void> {
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Search, go, do' }).fill('sam');
  await page
    .getByRole('option', { name: /Sample/ })
    .first()
    .waitFor();
}

/** A file with headers of its own, which would take too much away. */
async function chooseFile(page: Page): Promise<void> {
  const rows = ['Login,Mail,Area,Right,Last seen,Cost centre', 'elif.sample,elif.sample@example.com,Invoices,Read,2026-11-20,4100'];
  await page
    .locator('input[type=file]')
    .first()
    .setInputFiles({
      name: 'ledger-november.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from(rows.join('\n')),
    });
  await page.getByRole('region', { name: 'What this file would change' }).locator('dd').first().waitFor();
}

async function fillCredential(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'New credential' }).first().click();
  const form = page.getByRole('dialog', { name: 'New API credential' });
  await form.getByLabel('Name').fill('Evidence exporter');
  await form.getByLabel('90 days').check();
  await form.getByLabel('Only some of your roles').check();
}

async function showSecret(page: Page): Promise<void> {
  await fillCredential(page);
  const form = page.getByRole('dialog', { name: 'New API credential' });
  await form.getByLabel('All that you may').check();
  await form.getByRole('button', { name: 'Create' }).click();
  await page.getByRole('dialog', { name: 'Keep this secret now' }).locator('code').first().waitFor();
}

async function checkEvidence(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Check now' }).click();
  await page.getByText('The scope gives the same items again').first().waitFor();
}

const administrator = (name: string, path: string): Picture => ({ name, who: 'administrator', path: () => path });

export const pictures: readonly Picture[] = [
  {
    name: 'sign-in',
    who: 'nobody',
    path: ({ runningId }) => `/sign-in?to=/r/${runningId}`,
    act: (page) => page.getByLabel('Mail address').fill('elif.sample@example.com'),
  },
  { name: 'start', who: 'newcomer', path: () => '/start' },
  { name: 'home', who: 'reviewer', path: () => '/home' },
  { name: 'queue', who: 'reviewer', path: queue, act: decide },
  { name: 'queue-dark', who: 'reviewer', path: queue, options: dark },
  { name: 'queue-person', who: 'reviewer', path: (story) => `${queue(story)}?by=person`, act: selectSome },
  { name: 'queue-phone', who: 'reviewer', path: queue, options: phone },
  { name: 'queue-phone-dark', who: 'reviewer', path: queue, options: phoneDark },
  { name: 'question-phone', who: 'reviewer', path: queue, options: phone, act: openQuestion },
  { name: 'question-phone-dark', who: 'reviewer', path: queue, options: phoneDark, act: openQuestion },
  { name: 'until-phone', who: 'reviewer', path: queue, options: phone, act: certifyUntil },
  { name: 'palette', who: 'reviewer', path: queue, act: search },
  {
    name: 'keyboard',
    who: 'reviewer',
    path: queue,
    act: async (page) => {
      await current(page).focus();
      await page.keyboard.press('?');
      await page.getByRole('switch', { name: 'Single-key shortcuts' }).waitFor();
    },
  },
  { name: 'submit', who: 'reviewer', path: queue, act: summarize },
  {
    name: 'submit-undo',
    who: 'reviewer',
    path: queue,
    act: async (page) => {
      await summarize(page);
      await page
        .getByRole('dialog')
        .getByRole('button', { name: /^Submit/ })
        .click();
      await page.getByRole('button', { name: 'Send now' }).waitFor();
    },
  },
  { name: 'offline', who: 'reviewer', path: queue, act: goOffline },
  { name: 'signed-out', who: 'reviewer', path: queue, act: endSession },
  { name: 'submissions', who: 'administrator', path: () => '/my/submissions' },
  { name: 'access', who: 'reviewer', path: () => '/my/access' },
  administrator('reviews', '/reviews'),
  { name: 'review-scope', who: 'administrator', path: ({ draftId }) => `/reviews/${draftId}/edit/scope` },
  { name: 'review-check', who: 'administrator', path: ({ preparedId }) => `/reviews/${preparedId}/check` },
  { name: 'review-progress', who: 'administrator', path: ({ runningId }) => `/reviews/${runningId}/progress` },
  { name: 'review-progress-dark', who: 'administrator', path: ({ runningId }) => `/reviews/${runningId}/progress`, options: dark },
  { name: 'review-items', who: 'administrator', path: ({ runningId }) => `/reviews/${runningId}/items` },
  administrator('templates', '/templates'),
  { name: 'template', who: 'administrator', path: ({ templateId }) => `/templates/${templateId}` },
  administrator('policies', '/policies'),
  { name: 'policy', who: 'administrator', path: ({ policyId }) => `/policies/${policyId}` },
  administrator('conflicts', '/conflicts'),
  { name: 'conflict', who: 'administrator', path: ({ monitorId }) => `/conflicts/${monitorId}` },
  administrator('revocations', '/revocations'),
  administrator('apps', '/apps'),
  { name: 'app', who: 'administrator', path: ({ appId }) => `/apps/${appId}/entitlements` },
  administrator('people', '/people'),
  { name: 'person', who: 'administrator', path: ({ personId }) => `/people/${personId}/time` },
  { name: 'person-dark', who: 'administrator', path: ({ personId }) => `/people/${personId}/time`, options: dark },
  administrator('sources', '/sources'),
  { name: 'import', who: 'administrator', path: ({ appId }) => `/import?app=${appId}`, act: chooseFile },
  administrator('quality', '/quality'),
  administrator('evidence', '/evidence'),
  { name: 'evidence-review', who: 'administrator', path: ({ closedId }) => `/evidence/${closedId}`, act: checkEvidence },
  administrator('log', '/log'),
  administrator('settings', '/settings/display'),
  administrator('settings-company', '/settings/tenant/providers'),
  { name: 'credentials', who: 'administrator', path: () => '/settings/credentials', act: fillCredential },
  { name: 'credential-secret', who: 'administrator', path: () => '/settings/credentials', act: showSecret },
];
