/** The statements that requests to a server of this process send to the database, each request with its own. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import pg from 'pg';

/** A statement as it was sent, and how long its answer took. */
export interface SentStatement {
  readonly text: string;
  readonly milliseconds: number;
}

type Query = (...given: unknown[]) => unknown;

const sent = new AsyncLocalStorage<SentStatement[]>();
const began = 'http.server.request.start';

/** Notes the statements of each request from here on, one list for each in their order; `end` stops it. What jobs send is in none. */
export function watchStatements(): { readonly requests: readonly (readonly SentStatement[])[]; end(): void } {
  const requests: SentStatement[][] = [];
  const note = (): void => {
    const statements: SentStatement[] = [];
    requests.push(statements);
    sent.enterWith(statements);
  };
  const prototype = pg.Client.prototype as unknown as { query: Query };
  const { query } = prototype;
  prototype.query = function (this: pg.Client, ...given) {
    const statements = sent.getStore();
    const [first] = given;
    const text = typeof first === 'string' ? first : (first as { text?: string } | undefined)?.text;
    const start = performance.now();
    const end = (): void => void (text !== undefined && statements?.push({ text, milliseconds: performance.now() - start }));
    if (first instanceof pg.Query) {
      const named = first as unknown as { callback: (...result: unknown[]) => unknown };
      const { callback } = named;
      named.callback = (...result) => {
        end();
        return callback(...result);
      };
    }
    const answer = query.apply(this, given);
    if (answer instanceof Promise) {
      answer.then(end, end);
    }
    return answer;
  };
  subscribe(began, note);
  return {
    requests,
    end() {
      unsubscribe(began, note);
      prototype.query = query;
    },
  };
}
