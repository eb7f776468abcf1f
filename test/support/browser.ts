/**
 * A real browser for the console: one Chromium for a process of tests, and in it, for each file, pages of people who are signed in. Whatever a page complains of (an
 * error of a script or on its console, a violation of the content security policy, a request to another host) fails `close`. Pages wait as
 * long as a busy machine takes. Tests are left out where no Chromium is (CHROMIUM_PATH names one elsewhere).
 */
import axe from 'axe-core';
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { executablePath } from './browser-path.ts';
import { isLong } from './runs.ts';
import type { ServedTenant } from './server.ts';
import { signIn } from './sign-in.ts';

/** True if there is a browser to test with: `describe.skipIf(!hasBrowser)`. */
export const hasBrowser = executablePath !== undefined;

/** Limits against hanging alone. */
const longestWaitMs = 120_000;

/** Screens that matter: a desk, a phone, and the narrowest. */
export const sizes = {
  desk: { width: 1440, height: 900 },
  phone: { width: 390, height: 844 },
  narrow: { width: 360, height: 740 },
} as const;

/** Look of a page. */
export interface PageOptions {
  readonly theme?: 'light' | 'dark';
  readonly size?: keyof typeof sizes | { readonly width: number; readonly height: number };
  /** Further options of the browser. */
  readonly context?: BrowserContextOptions;
}

/** A browser and what its pages complained of. */
export interface TestBrowser {
  readonly browser: Browser;
  /** A page that nobody is signed in on; addresses are relative to the server. */
  signedOutPage(server: ServedTenant, options?: PageOptions): Promise<Page>;
  /** A page on which a person is signed in. Further pages of the same person: `page.context().newPage()`. */
  signedInPage(server: ServedTenant, userId: string, options?: PageOptions): Promise<Page>;
  /** From now on, complaints that match are expected: a request that a test makes fail is written to the page's console by the browser. */
  expectComplaint(pattern: RegExp): void;
  /** Unexpected complaints. */
  complaints(): readonly string[];
  /** Ends the pages; throws where one complained. */
  close(): Promise<void>;
}

/** The Chromium of this process, once a file has asked for it. Playwright ends it with the process. */
let shared: Promise<Browser> | undefined;

/** The Chromium that the files of this process share, for a file that opens its pages itself and ends them; none closes it. */
export async function useBrowser(): Promise<Browser> {
  const running = await shared?.catch(() => undefined);
  if (running?.isConnected() !== true) {
    shared = chromium.launch({ executablePath: executablePath ?? '', args: ['--no-sandbox', '--disable-dev-shm-usage'] });
  }
  return shared as Promise<Browser>;
}

/** Opens pages in a browser that other files use too, with cookies and storage of their own. `close` them in afterAll. */
export async function openBrowser(): Promise<TestBrowser> {
  const browser = await useBrowser();
  const contexts: BrowserContext[] = [];
  const heard: string[] = [];
  const expected: RegExp[] = [];
  const complaints = (): readonly string[] => heard.filter((one) => !expected.some((pattern) => pattern.test(one)));

  const open = async (server: ServedTenant, { theme = 'light', size = 'desk', context }: PageOptions, cookie?: string): Promise<Page> => {
    const opened = await browser.newContext({
      baseURL: server.url,
      colorScheme: theme,
      viewport: typeof size === 'string' ? sizes[size] : size,
      locale: 'en-GB',
      timezoneId: 'Europe/Berlin',
      // Nothing to wait for but what is read; the long suite waits as people do.
      reducedMotion: isLong ? 'no-preference' : 'reduce',
      ...context,
    });
    contexts.push(opened);
    opened.setDefaultTimeout(longestWaitMs);
    opened.setDefaultNavigationTimeout(longestWaitMs);
    if (cookie !== undefined) {
      const [name = '', ...value] = cookie.split('=');
      await opened.addCookies([{ name, value: value.join('='), url: server.url, httpOnly: true, sameSite: 'Lax' }]);
    }
    opened.on('page', (page) => listen(page, new URL(server.url).host, heard));
    return opened.newPage();
  };

  return {
    browser,
    signedOutPage: (server, options = {}) => open(server, options),
    signedInPage: async (server, userId, options = {}) => open(server, options, await signIn(server, userId)),
    expectComplaint: (pattern) => void expected.push(pattern),
    complaints,
    async close() {
      await Promise.all(contexts.map((one) => one.close()));
      if (complaints().length > 0) {
        throw new Error(`pages complained:\n${complaints().join('\n')}`);
      }
    },
  };
}

function listen(page: Page, host: string, heard: string[]): void {
  const hear = (what: string): void => void heard.push(`${new URL(page.url(), 'about:blank').pathname}: ${what}`);
  page.on('pageerror', (error) => hear(error.stack ?? error.message));
  page.on('console', (message) => {
    // A page of somebody who is signed out asks who they are, and the browser writes down that the answer is no.
    if (message.type() === 'error' && !/status of 401/.test(message.text())) {
      hear(`${message.text()} ${message.location().url}`);
    }
  });
  page.on('request', (request) => {
    const url = new URL(request.url());
    if (/^https?:$/.test(url.protocol) && url.host !== host) {
      hear(`a request to ${url.host}`);
    }
  });
}

/** One rule that a page breaks, and where. */
export interface AxeFinding {
  readonly rule: string;
  readonly impact: string;
  readonly where: readonly string[];
}

/** The rules of axe that read colours. */
const rulesOfColours = ['color-contrast', 'link-in-text-block'];

/** Longer than anything of ours fades. */
const longestFadeMs = 1_000;

/** Resolves once nothing fades any more: colours in between pass by. Asked from here: the page's own security policy lets no script wait in it. */
async function untilStill(page: Page): Promise<void> {
  const moving = `document.getAnimations().some((one) => one.playState === 'running' && one.effect?.getComputedTiming().endTime !== Infinity)`;
  const giveUpAt = performance.now() + longestFadeMs;
  while (performance.now() < giveUpAt && (await page.evaluate<boolean>(moving))) {
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** The last look at a page, and the one before in other colours: the same elements need not be read twice. */
const looks = new WeakMap<Page, { readonly elements: string; readonly colours: string }>();

/** True if the last look was at these very elements in other colours, so that only what reads colours can find more. */
async function differsInColoursAlone(page: Page, within?: string): Promise<boolean> {
  const [path, markup, colours] = await page.evaluate<[string, string, string]>(`[
    location.href,
    document.body.outerHTML.replaceAll(/ (?:style|data-theme)="[^"]*"/g, ''),
    String(matchMedia('(prefers-color-scheme: dark)').matches) + (document.documentElement.dataset.theme ?? ''),
  ]`);
  const { width = 0, height = 0 } = page.viewportSize() ?? {};
  const elements = [path, width, height, within ?? '', markup].join(' ');
  const last = looks.get(page);
  looks.set(page, { elements, colours });
  return last?.elements === elements && last.colours !== colours;
}

/** Pages that this process looked at: their route, size, colours, and the kinds of elements they show. */
const knownPages = new Set<string>();

/** True if a page of this route with the same kinds of elements was looked at before, whatever data and words it shows. */
async function isKnownPage(page: Page, within = ''): Promise<boolean> {
  const shown = await page.evaluate<string>(`JSON.stringify([
    location.pathname.replaceAll(/[0-9A-Za-z]{27}|[0-9]+/g, ':id'),
    matchMedia('(prefers-color-scheme: dark)').matches, document.documentElement.dataset.theme, matchMedia('(forced-colors: active)').matches,
    innerWidth,
    [...new Set([...document.body.querySelectorAll('*')].map((one) =>
      [one.localName, one.getAttribute('role'), one.getAttribute('type'), one.getAttribute('aria-invalid'), one.className?.baseVal ?? one.className].join()))].sort(),
  ])`);
  const key = `${within} ${shown}`;
  const isKnown = knownPages.has(key);
  knownPages.add(key);
  return isKnown;
}

/**
 * Returns what axe finds wrong on the page as it stands: serious and critical violations of WCAG 2.2 A and AA, and of its best practices. The usual
 * suite looks at each page once, and asks the same elements in other colours about their contrast alone; the long suite looks each time.
 */
export async function checkAxe(page: Page, within?: string): Promise<readonly AxeFinding[]> {
  await untilStill(page);
  if (!isLong && (await isKnownPage(page, within))) {
    return [];
  }
  // Half a megabyte of script: once for each document, not once for each look.
  if (!(await page.evaluate<boolean>(`'axe' in globalThis`))) {
    await page.evaluate(axe.source);
  }
  const rules = !isLong && (await differsInColoursAlone(page, within)) ? rulesOfColours : undefined;
  return page.evaluate(
    async ([selector, only]) => {
      interface Found {
        violations: { id: string; impact: string | null; nodes: { target: unknown[]; failureSummary?: string }[] }[];
      }
      const { axe, document } = globalThis as unknown as {
        axe: { run(context: unknown, options: object): Promise<Found> };
        document: object;
      };
      const { violations } = await axe.run(selector ?? document, {
        resultTypes: ['violations'],
        // Of our rules none reads style sheets or media, which axe fetches again by itself otherwise; our pages hold no frames.
        preload: false,
        iframes: false,
        ...(only === undefined ? {} : { runOnly: { type: 'rule', values: only } }),
      });
      return violations
        .filter(({ impact }) => impact === 'serious' || impact === 'critical')
        .map(({ id, impact, nodes }) => ({
          rule: id,
          impact: impact ?? '',
          where: nodes.slice(0, 5).map(({ target, failureSummary }) => `${target.join(' ')}: ${failureSummary ?? ''}`),
        }));
    },
    [within, rules] as const,
  );
}

/** Longer than a floating part takes to follow a screen that changed its size. */
const longestMoveMs = 1_000;

/** By how many pixels the page stays wider than the screen: 0 where nothing scrolls sideways. */
export async function sidewaysPixels(page: Page): Promise<number> {
  const measure = () => page.evaluate<number>('document.documentElement.scrollWidth - document.documentElement.clientWidth');
  const giveUpAt = performance.now() + longestMoveMs;
  let pixels = await measure();
  while (pixels !== 0 && performance.now() < giveUpAt) {
    await new Promise((resolve) => setTimeout(resolve, 50));
    pixels = await measure();
  }
  return pixels;
}
