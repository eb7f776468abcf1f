/**
 * A real browser for the console: one Chromium for a test file, and in it pages of people who are signed in. Whatever a page complains of (an
 * error of a script or on its console, a violation of the content security policy, a request to another host) fails `close`. Pages wait as
 * long as a busy machine takes. Tests are left out where no Chromium is (CHROMIUM_PATH names one elsewhere).
 */
import { existsSync } from 'node:fs';
import { source as axeSource } from 'axe-core';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import type { ServedTenant } from './server.ts';
import { signIn } from './sign-in.ts';

const executablePath = [process.env['CHROMIUM_PATH'], '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(
  (path) => path !== undefined && existsSync(path),
);

/** Whether there is a browser to test with: `describe.skipIf(!hasBrowser)`. */
export const hasBrowser = executablePath !== undefined;

/** Limits against hanging alone. */
const longestWaitMs = 120_000;

/** Screens that matter: a desk, a phone, and the narrowest. */
export const sizes = {
  desk: { width: 1440, height: 900 },
  phone: { width: 390, height: 844 },
  narrow: { width: 360, height: 740 },
} as const;

/** How a page is shown. */
export interface PageOptions {
  readonly theme?: 'light' | 'dark';
  readonly size?: keyof typeof sizes | { readonly width: number; readonly height: number };
  /** What else the browser is asked for. */
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
  /** What no test expected. */
  complaints(): readonly string[];
  /** Ends the browser; throws where a page complained. */
  close(): Promise<void>;
}

/** Starts a browser. `close` it in afterAll. */
export async function openBrowser(): Promise<TestBrowser> {
  const browser = await chromium.launch({ executablePath: executablePath ?? '', args: ['--no-sandbox', '--disable-dev-shm-usage'] });
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
      ...context,
    });
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
      await browser.close();
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

/** What axe finds wrong on the page as it stands: serious and critical violations of WCAG 2.2 A and AA, and of its best practices. */
export async function checkAxe(page: Page, within?: string): Promise<readonly AxeFinding[]> {
  await untilStill(page);
  await page.evaluate(axeSource);
  return page.evaluate(async (selector) => {
    interface Found {
      violations: { id: string; impact: string | null; nodes: { target: unknown[]; failureSummary?: string }[] }[];
    }
    const { axe, document } = globalThis as unknown as {
      axe: { run(context: unknown, options: object): Promise<Found> };
      document: object;
    };
    const { violations } = await axe.run(selector ?? document, { resultTypes: ['violations'] });
    return violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .map(({ id, impact, nodes }) => ({
        rule: id,
        impact: impact ?? '',
        where: nodes.slice(0, 5).map(({ target, failureSummary }) => `${target.join(' ')}: ${failureSummary ?? ''}`),
      }));
  }, within);
}

/** By how many pixels the page is wider than the screen: 0 where nothing scrolls sideways. */
export function sidewaysPixels(page: Page): Promise<number> {
  return page.evaluate<number>('document.documentElement.scrollWidth - document.documentElement.clientWidth');
}
