/**
 * A database with a company in it, processes that do what is due there, and a server that takes their mail, for the tests of a file that kill: which
 * process dies when comes from a seed that is printed. COUNTERSIGN_KILLS says how many kills, COUNTERSIGN_KILL_SEED repeats a run.
 */
import { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import type { JsonObject } from '@bufbuild/protobuf';
import { afterAll, beforeAll, vi } from 'vitest';
import type { Context } from '../../src/context.ts';
import { ensureBuiltinPolicy } from '../../src/governance/policies/index.ts';
import { createReview } from '../../src/governance/reviews/life/create.ts';
import { prepareReview } from '../../src/governance/reviews/life/prepare.ts';
import { startReview } from '../../src/governance/reviews/life/start.ts';
import { changeReview } from '../../src/governance/reviews/life/update.ts';
import { importGrants } from '../../src/inventory/syncs/import-grants.ts';
import { importPeople } from '../../src/inventory/syncs/import-people.ts';
import { reactions } from '../../src/reactions.ts';
import { type MailServer, startMailServer } from './mail-server.ts';
import { createRandom } from './random.ts';
import { type RunningProcess, runProcess } from './run-process.ts';
import { actorOf, openTwoTenants, type TwoTenants } from './tenants.ts';

/** Kills a test makes. */
export const kills = Number(process.env['COUNTERSIGN_KILLS'] ?? 6);
/** Seed of its moments. */
export const seed = Number(process.env['COUNTERSIGN_KILL_SEED'] ?? Date.now() % 1_000_000);

/** A lease that runs out soon after its process is killed. */
const leaseMs = 1500;
const file = `${import.meta.dirname}/engine-process.ts`;

/** Tools of the tests. */
export interface Engine {
  readonly random: () => number;
  test(): TwoTenants;
  mail(): MailServer;
  /** Acts as the Super Administrator now. */
  as(): Context;
  /** Reads past row-level security. */
  rows(sql: string, values?: readonly unknown[]): Promise<Record<string, unknown>[]>;
  start(offsetMs?: number): Promise<RunningProcess>;
  /** Ends every process that runs. */
  stop(): Promise<void>;
  /** Kills one of two processes after another, each at a moment by chance, and leaves two running. */
  strike(count: number, longestMs: number, offsetMs?: number): Promise<void>;
  /** Waits until this finds nothing any more. */
  untilNone(sql: string, values?: readonly unknown[]): Promise<void>;
  /** A prepared review of everything in the app. */
  prepare(document: JsonObject): Promise<string>;
  /** Starts it, again where the database has still to do with somebody killed. */
  open(reviewId: string): Promise<void>;
}

/** Registers the set-up of the file it is called in: so many managers, each of whom reviews one person with these entitlements. */
export function useEngine(managers: number, entitlements: readonly string[]): Engine {
  let two: TwoTenants;
  let mail: MailServer;
  let processes: RunningProcess[] = [];
  const random = createRandom(seed);
  const as = (): Context => ({ ...two.ours.system, now: new Date(), actor: actorOf(two.ours.adminId, ['SUPER_ADMINISTRATOR']) });
  const rows = (sql: string, values?: readonly unknown[]) => two.admin(sql, values);
  const start = async (offsetMs = 0): Promise<RunningProcess> => {
    const started = runProcess(file, [two.url, String(mail.port), String(leaseMs), String(offsetMs)]);
    processes.push(started);
    await started.line(/^ready$/);
    return started;
  };
  const stop = async (): Promise<void> => {
    await Promise.all(processes.map((one) => one.end('SIGKILL')));
    processes = [];
  };
  const untilNone = (sql: string, values?: readonly unknown[]): Promise<void> =>
    vi.waitFor(
      async () => {
        const found = await rows(sql, values);
        if (found.length > 0) {
          throw new Error(`${found.length} are left: ${JSON.stringify(found[0])}`);
        }
      },
      { timeout: 150_000, interval: 200 },
    );

  beforeAll(async () => {
    two = await openTwoTenants(reactions);
    mail = await startMailServer();
    await ensureBuiltinPolicy(two.ours.system);
    const numbers = Array.from({ length: managers }, (_, number) => number);
    const people = numbers.map((n) => `m${n}@mail.example,Manager ${n},\np${n}@mail.example,Person ${n},m${n}@mail.example`);
    const grants = numbers.flatMap((n) => entitlements.map((one) => `p${n},p${n}@mail.example,USER,ENABLED,role,Ledger,${one}`));
    const csv = (lines: readonly string[]) => ({ body: Readable.from([Buffer.from(lines.join('\n'))]), encoding: '' });
    await importPeople(as(), { source: '', allowRemovals: false }, csv(['email,display_name,manager_email', ...people]));
    const head = 'account,email,account_type,account_status,resource_type,resource,entitlement';
    await importGrants(as(), { app: 'Ledger', allowRemovals: false }, csv([head, ...grants]));
    // As the server does in the background after a while.
    await rows('ANALYZE');
  });
  afterAll(async () => {
    await stop();
    await two.close();
    await mail.close();
  });

  return {
    random,
    test: () => two,
    mail: () => mail,
    as,
    rows,
    start,
    stop,
    untilNone,
    async strike(count, longestMs, offsetMs = 0) {
      const running = [await start(offsetMs), await start(offsetMs)];
      for (let kill = 0; kill < count; kill++) {
        await delay(20 + random() * longestMs);
        await running[kill % 2]?.end('SIGKILL');
        running[kill % 2] = await start(offsetMs);
      }
    },
    async prepare(document) {
      const [app] = await rows('SELECT id FROM apps WHERE deleted_at IS NULL ORDER BY created_at LIMIT 1');
      const { id } = await createReview(as(), { displayName: 'Killed' }, [], '');
      await changeReview(as(), id, { singleApp: { appId: String(app?.id) }, ...document }, undefined);
      await prepareReview(as(), id);
      const first = await start();
      await untilNone("SELECT state FROM reviews WHERE id = $1 AND state <> 'REVIEW'", [id]);
      await first.end('SIGKILL');
      return id;
    },
    open: (reviewId) => vi.waitFor(() => startReview(as(), reviewId).then(() => undefined), { timeout: 120_000 }),
  };
}
