/**
 * The SQL behind a request: a second process of the same service (this one) on the same database, whose statements are written down as they go
 * to PostgreSQL. For peers that run the same SQL without us, and for explaining plans.
 */
import { type IncomingMessage, request as httpRequest } from 'node:http';
import pg from 'pg';
import { type App, startApp } from '../src/app.ts';
import { readConfig } from '../src/config/read-config.ts';
import { silentLogger } from '../src/context.ts';
import type { BenchServer } from './server.ts';

/** A statement as it was sent. */
export interface Statement {
  readonly text: string;
  readonly values: readonly unknown[];
}

/** A service in this process that writes down what it asks the database. */
export interface Capture {
  /** The statements sent while `work` runs, those that only manage the connection left out. */
  record(work: () => Promise<unknown>): Promise<Statement[]>;
  /** Sends a request as the administrator; throws for every answer but 200. */
  send(method: string, path: string, body?: unknown, type?: string): Promise<unknown>;
  stop(): Promise<void>;
}

const managing = /^\s*(BEGIN|COMMIT|ROLLBACK|SET LOCAL|FETCH|CLOSE|LISTEN|SELECT set_config|SELECT pg_notify|SELECT pg_advisory)/;

/** Starts the second process' worth of service; `jobs` says whether it takes jobs too. */
export async function startCapture(server: BenchServer, jobs: boolean): Promise<Capture> {
  let recording: Statement[] | undefined;
  const original = pg.Client.prototype.query as (...args: unknown[]) => unknown;
  const recorder = function (this: pg.Client, ...args: unknown[]): unknown {
    const [first] = args;
    const { text, values } = typeof first === 'string' ? { text: first, values: args[1] } : (first as { text?: unknown; values?: unknown });
    if (typeof text === 'string' && !managing.test(text)) {
      recording?.push({ text, values: Array.isArray(values) ? values : [] });
    }
    return original.apply(this, args);
  };
  pg.Client.prototype.query = recorder as typeof pg.Client.prototype.query;
  const config = { ...readConfig({}, {}), dataDir: server.dataDir, host: '127.0.0.1', port: 0, jobConcurrency: jobs ? 1 : 0 };
  const app: App = await startApp(config, { log: silentLogger });
  return {
    async record(work) {
      recording = [];
      await work();
      const recorded = recording;
      recording = undefined;
      return recorded;
    },
    send: async (method, path, body, type = 'application/json') => {
      const sent = body === undefined || Buffer.isBuffer(body) ? body : JSON.stringify(body);
      const headers = {
        host: server.tenantHost,
        authorization: `Bearer ${await server.admin.token()}`,
        ...(sent === undefined ? {} : { 'content-type': type, 'content-length': Buffer.byteLength(sent as string) }),
      };
      const response = await new Promise<IncomingMessage>((resolve, reject) => {
        httpRequest({ host: '127.0.0.1', port: app.port, method, path, headers }, resolve).on('error', reject).end(sent);
      });
      const pieces: Buffer[] = [];
      for await (const piece of response) {
        pieces.push(piece as Buffer);
      }
      const text = Buffer.concat(pieces).toString();
      if (response.statusCode !== 200) {
        throw new Error(`${method} ${path}: ${response.statusCode} ${text.slice(0, 300)}`);
      }
      return JSON.parse(text);
    },
    async stop() {
      await app.stop();
      pg.Client.prototype.query = original as typeof pg.Client.prototype.query;
    },
  };
}
