/** Requests of a page, each with what went over the line for it. */
import type { Page } from 'playwright-core';

/** One request. */
export interface PageLoad {
  readonly path: string;
  /** As transferred, with its header; 0 until it has ended. */
  bytes: number;
}

/** Watches a page that speaks a language; the list grows with each answer. */
export async function watchLoads(page: Page, language = 'en-GB'): Promise<readonly PageLoad[]> {
  const session = await page.context().newCDPSession(page);
  await session.send('Network.enable');
  await session.send('Emulation.setUserAgentOverride', { userAgent: 'Mozilla/5.0', acceptLanguage: language });
  const loads = new Map<string, PageLoad>();
  const list: PageLoad[] = [];
  session.on('Network.responseReceived', ({ requestId, response }) => {
    const load = { path: new URL(response.url).pathname, bytes: 0 };
    loads.set(requestId, load);
    list.push(load);
  });
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    const load = loads.get(requestId);
    if (load !== undefined) {
      load.bytes = encodedDataLength;
    }
  });
  return list;
}

/** The sum of them in KB. */
export const kilobytesOf = (loads: readonly PageLoad[]): number => loads.reduce((sum, { bytes }) => sum + bytes, 0) / 1024;
