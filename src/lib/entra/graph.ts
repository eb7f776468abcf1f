/** Microsoft Graph, as far as reading needs it: lists page by page, up to 20 lists at once, and counts. One request is under way at a time. */
import type { JsonObject } from '@bufbuild/protobuf';
import { asList, asObject, isJsonObject } from '../json.ts';
import { FetchFault } from '../tables/fetch-fault.ts';
import type { EntraSecrets } from './credential.ts';
import { type EntraSettings, hostsOf } from './settings.ts';
import { createTokens } from './tokens.ts';
import { countTries, type Failed, isPassing, pauseFor, readRetryAfter, type RequestParts, sendOnce } from './tries.ts';
import { describeAnswer, parseJson, readGraphError } from './words.ts';

/** Most requests of one batch. */
export const maxBatch = 20;
/** Pages of one list that may come without anything on them. */
const maxEmptyPages = 100;

/** A list that is asked for. */
export interface Query {
  /** In sentences, such as `Reading users`. */
  readonly task: string;
  /** Below the version: `/users?$top=999`. */
  readonly path: string;
  /** Permission that the app needs for it. */
  readonly permission: string;
}

/** A page of a list. */
export interface Page {
  readonly items: readonly JsonObject[];
  /** Address of the next one; '' behind the last. */
  readonly next: string;
}

/** Refusal with a code of Graph, for whoever can do without the answer. */
export class Refused extends Error {
  override readonly name = 'Refused';
  readonly status: number;
  readonly code: string;
  readonly fault: FetchFault;
  constructor(fault: FetchFault, status: number, code: string) {
    super(fault.message, { cause: fault });
    this.fault = fault;
    this.status = status;
    this.code = code;
  }
}

/** A signed-in way to Microsoft Graph. */
export interface Graph {
  /** True if the beginning of each list is enough: nothing of it is used. */
  readonly isTrial: boolean;
  /** Yields the items of a list page by page. Throws Refused where the first request is refused. */
  list(query: Query, first?: Page): AsyncGenerator<readonly JsonObject[]>;
  /** Returns the first pages of at most 20 lists, in their order; undefined for one whose object is gone. */
  batch(queries: readonly Query[]): Promise<(Page | undefined)[]>;
  /** Returns how many items a collection of the directory has; undefined where the directory cannot count. */
  count(task: string, collection: string): Promise<number | undefined>;
}

/** Opens the way. Nothing is asked yet. */
export function openGraph(settings: EntraSettings, readSecrets: () => Promise<EntraSecrets>, parts: RequestParts, isTrial: boolean): Graph {
  const origin = `https://${hostsOf(settings.cloud).graph}`;
  const base = `${origin}/v1.0`;
  const tokens = createTokens(settings, readSecrets, parts);

  /** Asks until there is an answer that no other try changes. */
  const ask = async (
    { task, permission }: Omit<Query, 'path'>,
    url: string,
    how: { readonly method?: string; readonly body?: string; readonly headers?: Readonly<Record<string, string>> } = {},
  ): Promise<unknown> => {
    const countFailure = countTries(task);
    const tryAgain = (failed: Failed) => pauseFor(countFailure(failed), parts);
    let isRenewed = false;
    for (;;) {
      const token = await tokens.get();
      const headers = { accept: 'application/json', ...how.headers, authorization: `Bearer ${token}` };
      const answer = await sendOnce(parts, url, { ...how, headers });
      const body = 'reason' in answer ? undefined : parseJson(answer.text.replace(/^\uFEFF/, ''));
      if ('reason' in answer) {
        await tryAgain(answer);
      } else if (isPassing(answer.status) && answer.status !== 501) {
        await tryAgain({ reason: `Microsoft Graph answered ${answer.status}`, retryAfter: answer.retryAfter });
      } else if (answer.status === 401 && !isRenewed) {
        isRenewed = true;
        tokens.drop(token);
      } else if (answer.status !== 200) {
        throw new Refused(describeAnswer(task, permission, answer.status, body), answer.status, readGraphError(body).code);
      } else if (body === undefined) {
        await tryAgain({ reason: 'Microsoft Graph answered no JSON', retryAfter: undefined });
      } else {
        return body;
      }
    }
  };

  const readPage = ({ task }: Query, body: unknown): Page => {
    const { value, '@odata.nextLink': next = '' } = asObject(body);
    if (!Array.isArray(value) || !value.every(isJsonObject) || typeof next !== 'string') {
      throw new FetchFault('UNREACHED', `${task} failed: Microsoft Graph answered what is no page of a list.`);
    }
    if (next !== '' && !next.startsWith(`${base}/`)) {
      throw new FetchFault('UNREACHED', `${task} failed: the next page would lie outside ${base}, which is not asked.`);
    }
    return { items: value, next };
  };

  return {
    isTrial,
    async *list(query, first) {
      const seen = new Set<string>();
      let empty = 0;
      let page = first ?? readPage(query, await ask(query, base + query.path));
      for (;;) {
        yield page.items;
        empty = page.items.length === 0 ? empty + 1 : 0;
        if (page.next === '' || isTrial) {
          return;
        }
        if (seen.has(page.next) || empty > maxEmptyPages) {
          throw new FetchFault('UNREACHED', `${query.task} failed: the pages of Microsoft Graph lead in a circle.`);
        }
        seen.add(page.next);
        page = readPage(query, await ask(query, page.next));
      }
    },
    async batch(queries) {
      const pages: (Page | undefined)[] = queries.map(() => undefined);
      const { task = '', permission = '' } = queries[0] ?? {};
      const countFailures = queries.map((query) => countTries(query.task));
      let waiting = queries.map((_, index) => index);
      while (waiting.length > 0) {
        const requests = waiting.map((index) => ({ id: String(index), method: 'GET', url: queries[index]?.path }));
        const headers = { 'content-type': 'application/json' };
        const body = await ask({ task, permission }, `${base}/$batch`, { method: 'POST', headers, body: JSON.stringify({ requests }) });
        const answers = readAnswers(body, waiting, parts.now());
        const failed: number[] = [];
        let waitsMs = 0;
        for (const index of waiting) {
          const query = queries[index] as Query;
          const { status, body: own, retryAfter } = answers.get(index) ?? { status: 0, body: undefined, retryAfter: undefined };
          if (status === 200) {
            pages[index] = readPage(query, own);
          } else if (status === 0 || status === 401 || (isPassing(status) && status !== 501)) {
            const reason = status === 0 ? 'Microsoft Graph left an answer out' : `Microsoft Graph answered ${status}`;
            failed.push(index);
            waitsMs = Math.max(waitsMs, countFailures[index]?.({ reason, retryAfter }) ?? 0);
          } else if (status !== 404) {
            throw new Refused(describeAnswer(query.task, query.permission, status, own), status, readGraphError(own).code);
          }
        }
        waiting = failed;
        await (waiting.length === 0 ? undefined : pauseFor(waitsMs, parts));
      }
      return pages;
    },
    async count(task, collection) {
      try {
        const count = await ask({ task, permission: '' }, `${base}/${collection}/$count`, {
          headers: { consistencylevel: 'eventual', accept: 'text/plain' },
        });
        return typeof count === 'number' ? count : undefined;
      } catch (error) {
        if (error instanceof Refused && (error.status === 400 || error.status === 501)) {
          return undefined;
        }
        throw error;
      }
    },
  };
}

/** An answer within a batch. */
interface BatchAnswer {
  readonly status: number;
  readonly body: unknown;
  readonly retryAfter: number | undefined;
}

/** Answers by the number of their request; what was not asked for is left out, as is a second answer. */
function readAnswers(body: unknown, asked: readonly number[], now: Date): Map<number, BatchAnswer> {
  const answers = new Map<number, BatchAnswer>();
  for (const one of asList(asObject(body).responses)) {
    const { id, status, headers, body: own } = asObject(one);
    const index = Number(id);
    if (typeof id === 'string' && asked.includes(index) && !answers.has(index) && typeof status === 'number') {
      const header = Object.entries(asObject(headers)).find(([name]) => name.toLowerCase() === 'retry-after')?.[1];
      answers.set(index, { status, body: own, retryAfter: readRetryAfter(header === undefined ? undefined : String(header), now) });
    }
  }
  return answers;
}
