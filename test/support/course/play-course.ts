/**
 * Does in a browser what the sentences of a course say, by the roles and names that assistive technology reads. Whatever is not there, or cannot be told from
 * something else of its name, fails with the sentence and with what the page shows instead.
 */
import { join } from 'node:path';
import type { Browser, BrowserContext, Download, Locator, Page } from 'playwright-core';
import { vi } from 'vitest';
import type { Act, Pressed } from './read-course.ts';

/** What a course needs from around the browser. */
export interface CourseSetting {
  readonly browser: Browser;
  /** Where the files of the course are made. */
  readonly folder: string;
  /** Where a browser keeps what it saves. */
  readonly downloads: string;
  /** The link that the server printed. */
  readonly printedLink: () => string;
  /** How long something may take to be there. */
  readonly patienceMs?: number;
}

/** Somebody who follows a course. */
export interface CoursePlayer {
  act(act: Act): Promise<void>;
  /** What the page shows, for whoever asks why a sentence failed. */
  shown(): Promise<string>;
  close(): Promise<void>;
}

/** Limit against hanging alone: pages answer at once, jobs and downloads take some seconds. */
const usualPatienceMs = 60_000;

const roles = ['button', 'link', 'menuitem', 'radio', 'checkbox', 'switch', 'tab', 'option'] as const;
const fields = ['combobox', 'searchbox', 'textbox'] as const;

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** The words that a page shows, with those in its fields, as one line. */
const readWords = `[
  document.body.innerText,
  ...[...document.querySelectorAll('input:not([type=file]), textarea')].filter((one) => one.checkVisibility()).map((one) => one.value),
].join(' ').replaceAll(/\\s+/g, ' ')`;

/** Ways in which a label stands on a control: its name, its words beside a drawing or a key, or its name before a count or what it is of. */
function waysOf(scope: Page | Locator, label: string): readonly Locator[][] {
  const exactly = new RegExp(`^\\s*${escaped(label)}\\s*$`);
  const behind = new RegExp(`^(?:\\d+ )?${escaped(label)}(?: [\\d,]+|: .+|, .+|\\s(?=\\S).*)$`);
  return [
    roles.map((role) => scope.getByRole(role, { name: label, exact: true })),
    roles.map((role) => scope.getByRole(role).filter({ hasText: exactly })),
    roles.map((role) => scope.getByRole(role, { name: behind })),
  ];
}

/** Finds the one control of this label; several links to the same page are one. Throws where there is none, or more. */
async function findControl(page: Page, { label, row, isOnTheLeft }: Pressed): Promise<Locator> {
  const side = isOnTheLeft ? page.getByRole('navigation', { name: 'Main' }) : page;
  const scope = row === undefined ? side : side.getByRole('row').filter({ hasText: row });
  for (const way of waysOf(scope, label)) {
    const visible = (await Promise.all(way.map((one) => one.filter({ visible: true }).all()))).flat();
    const leadsTo = new Set(await Promise.all(visible.map(async (one, index) => (await one.getAttribute('href')) ?? `${index}`)));
    const [first] = visible;
    if (first !== undefined && leadsTo.size === 1) {
      return first;
    }
    if (first !== undefined) {
      throw new Error(`${visible.length} things are named ${label}`);
    }
  }
  throw new Error(`nothing is named ${label}`);
}

async function findField(page: Page, label: string): Promise<Locator> {
  const named = fields.map((role) => page.getByRole(role, { name: label, exact: true }).filter({ visible: true }).all());
  const [field, ...others] = (await Promise.all(named)).flat();
  if (field === undefined || others.length > 0) {
    throw new Error(`${field === undefined ? 'no field is' : 'several fields are'} named ${label}`);
  }
  return field;
}

/** Opens the browser of a reader; `close` ends it. */
export async function openCourse(setting: CourseSetting): Promise<CoursePlayer> {
  const { browser, folder, downloads, printedLink, patienceMs = usualPatienceMs } = setting;
  const windows: BrowserContext[] = [];
  const pages: Page[] = [];
  const saved: Promise<void>[] = [];
  let arrived: string[] = [];
  const until = <T>(work: () => T | Promise<T>): Promise<T> => vi.waitFor(work, { timeout: patienceMs, interval: 50 });
  const current = (): Page => pages.at(-1) as Page;

  const keep = async (download: Download): Promise<void> => {
    await download.saveAs(join(downloads, download.suggestedFilename()));
    arrived.push(download.suggestedFilename());
  };
  const openWindow = async (): Promise<void> => {
    const window = await browser.newContext({ viewport: { width: 1440, height: 900 }, locale: 'en-GB', reducedMotion: 'reduce' });
    await window.grantPermissions(['clipboard-read', 'clipboard-write']);
    window.setDefaultTimeout(patienceMs);
    windows.push(window);
    const page = await window.newPage();
    page.on('download', (download) => void saved.push(keep(download)));
    pages.push(page);
  };
  await openWindow();

  const press = async (pressed: Pressed): Promise<void> => {
    await (await until(() => findControl(current(), pressed))).click();
  };
  const see = (words: string): Promise<void> =>
    until(async () => {
      if (!(await current().evaluate<string>(readWords)).includes(words)) {
        throw new Error(`nobody sees ${words}`);
      }
    });
  const acts: { readonly [K in Act['kind']]: (act: Extract<Act, { kind: K }>) => Promise<unknown> } = {
    press: async ({ all }) => {
      for (const one of all) {
        await press(one);
      }
    },
    type: async ({ words, label, choice }) => {
      await (await until(() => findField(current(), label))).fill(words);
      if (choice !== undefined) {
        const name = new RegExp(`(?:^|\\s)${escaped(choice)}$`);
        await current().getByRole('listbox').getByRole('option', { name }).click();
      }
    },
    put: async ({ file, label }) => {
      const name = new RegExp(`^${escaped(label)}`);
      await current().getByRole('button', { name }).and(current().locator('input[type=file]')).setInputFiles(join(folder, file));
    },
    tick: async ({ label }) => current().getByRole('checkbox', { name: label, exact: true }).check(),
    see: async ({ words }) => {
      for (const one of words) {
        await see(one);
      }
    },
    save: async ({ begin, end }) => {
      await until(() => {
        if (!arrived.some((name) => name.startsWith(begin) && name.endsWith(end))) {
          throw new Error(`the browser saved ${arrived.join(', ') || 'nothing'}`);
        }
      });
      arrived = [];
    },
    open: () => current().goto(printedLink()),
    enter: async () => {
      const copied = await current().evaluate<string>('navigator.clipboard.readText()');
      await openWindow();
      await current().goto(copied);
    },
    leave: async () => {
      pages.pop();
      await windows.pop()?.close();
    },
  };

  return {
    act: async (act) => void (await acts[act.kind](act as never)),
    shown: () => current().evaluate<string>(readWords),
    async close() {
      await Promise.allSettled(saved);
      await Promise.all(windows.map((window) => window.close()));
    },
  };
}
