/**
 * Reviews and their mails under a clock that a test moves: a small company, a runner of jobs, one of deliveries, and a real server that takes the mail.
 * Nothing happens between two moments but what is due in between, in its order.
 */
import { Readable } from 'node:stream';
import type { JsonObject } from '@bufbuild/protobuf';
import { type Context, silentLogger } from '../../src/context.ts';
import { jobKinds as conflictJobs } from '../../src/governance/conflicts/index.ts';
import { createDeliveryEffects } from '../../src/foundation/deliveries/index.ts';
import { openNotifications } from '../../src/outward/notifications/index.ts';
import { ensureBuiltinPolicy } from '../../src/governance/policies/index.ts';
import { jobKinds as reportJobs } from '../../src/outward/reports/index.ts';
import { jobKinds as revocationJobs } from '../../src/governance/revocations/index.ts';
import { createReview } from '../../src/governance/reviews/life/create.ts';
import { jobKinds as reviewJobs } from '../../src/governance/reviews/index.ts';
import { prepareReview } from '../../src/governance/reviews/life/prepare.ts';
import { startReview } from '../../src/governance/reviews/life/start.ts';
import { changeReview } from '../../src/governance/reviews/life/update.ts';
import { importGrants } from '../../src/inventory/syncs/import-grants.ts';
import { importPeople } from '../../src/inventory/syncs/import-people.ts';
import { decideTask } from '../../src/governance/tasks/decisions/decide.ts';
import { jobKinds as taskJobs } from '../../src/governance/tasks/index.ts';
import { jobKinds as templateJobs } from '../../src/governance/templates/index.ts';
import { createRunner, type EffectKind, type JobKind, type Runner } from '../../src/jobs/index.ts';
import { reactions } from '../../src/reactions.ts';
import { type MailServer, readMessage, startMailServer } from './mail-server.ts';
import { actorOf, openTwoTenants, type TwoTenants } from './tenants.ts';

const people = `email,display_name,manager_email
max@mail.example,Max Manager,
cyn@mail.example,Cyn Chief,
ann@mail.example,Ann,max@mail.example
bob@mail.example,Bob,max@mail.example
dan@mail.example,Dan,cyn@mail.example`;
const grants = `account,email,account_type,account_status,resource_type,resource,entitlement
a1,ann@mail.example,USER,ENABLED,role,Ledger,pay
a1,ann@mail.example,USER,ENABLED,role,Ledger,read
a2,bob@mail.example,USER,ENABLED,role,Ledger,pay
a3,dan@mail.example,USER,ENABLED,role,Ledger,pay`;

/** Tools of the tests. Max is asked about three items, Cyn about one. */
export interface MailRun extends TwoTenants {
  readonly mail: MailServer;
  readonly appId: string;
  /** Acts as the Super Administrator, or as somebody else, at the moment of the clock. */
  as(userId?: string): Context;
  userId(name: string): Promise<string>;
  /** Moves the clock to a moment, step by step over everything that is due before it. */
  moveTo(moment: string): Promise<void>;
  /** Moves the clock to a moment while nothing runs, and lets run what is due then. */
  wakeAt(moment: string): Promise<void>;
  /** Waits until nothing that is due is left. */
  settle(): Promise<void>;
  /** Moves the clock by a second, in which the mails of one moment leave one after the other. */
  pass(): Promise<void>;
  /** Imports these people, who are all there are, and lets run what follows. */
  importPeople(lines: readonly string[]): Promise<void>;
  /** Imports who has what in an app, Wiki unless it is named. */
  importGrants(lines: readonly string[], app?: string): Promise<void>;
  /** A review that was started at the moment of the clock. */
  open(document: JsonObject, ownerIds?: readonly string[]): Promise<string>;
  /** Approves every open task of somebody's. */
  finish(reviewId: string, name: string): Promise<void>;
  /** Mails that came since this was asked last: to whom, at which moment of the clock, under which subject; sorted. */
  news(): string[];
  /** Kinds of the mail events of a review. */
  events(reviewId: string): Promise<string[]>;
}

/** Further work of the runner, where a test needs more than reviews. */
export interface MoreWork {
  readonly handlers?: ReadonlyMap<string, JobKind>;
  readonly effects?: (clock: () => Date) => ReadonlyMap<string, EffectKind>;
}

/** Opens it all, with the clock at this moment. */
export async function openMailRun(moment: string, more: MoreWork = {}): Promise<MailRun> {
  let now = new Date(moment);
  const two = await openTwoTenants(reactions);
  const mail = await startMailServer();
  const notifications = await openNotifications(
    { transport: mail.transport, from: 'countersign@mail.example', perMinute: 60_000 },
    undefined,
  );
  const { database, ours } = two;
  const parts = { database, log: silentLogger, react: reactions, pollMs: 10, clock: () => now };
  const handlers = new Map([
    ...[...reviewJobs, ...taskJobs, ...reportJobs, ...templateJobs, ...conflictJobs, ...revocationJobs],
    ...notifications.jobKinds,
    ...(more.handlers ?? []),
  ]);
  const effects = new Map([...createDeliveryEffects(notifications.deliveryKinds), ...(more.effects?.(() => now) ?? [])]);
  let running: Runner | undefined;
  const start = (): void => {
    running = createRunner({ ...parts, handlers, effects, random: () => 0 });
    running.start();
  };
  const stop = async (): Promise<void> => {
    await running?.drain();
  };
  const as = (userId = ours.adminId): Context => ({
    ...ours.system,
    now,
    actor: actorOf(userId, userId === ours.adminId ? ['SUPER_ADMINISTRATOR'] : []),
  });
  const due = async (): Promise<Date | undefined> => {
    const [row] = await two.admin(
      `SELECT min(CASE WHEN lease_token = '' THEN run_at ELSE 'epoch' END) AS at FROM jobs
       WHERE state IN ('CALLED', 'WAITING') AND (kind = ANY ($1) OR lane = 'OUTSIDE')`,
      [[...handlers.keys()]],
    );
    return (row?.at as Date | null) ?? undefined;
  };
  const settle = async (): Promise<void> => {
    for (let attempt = 0; attempt < 6000; attempt++) {
      const next = await due();
      if (next === undefined || next > now) {
        return;
      }
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    throw new Error(
      `something that is due is not done: ${JSON.stringify(await two.admin("SELECT kind, error FROM jobs WHERE state = 'WAITING'"))}`,
    );
  };
  start();
  await ensureBuiltinPolicy(ours.system);
  const file = (text: string) => ({ body: Readable.from([Buffer.from(text)]), encoding: '' });
  await importPeople(as(), { source: '', allowRemovals: false }, file(people));
  await importGrants(as(), { app: 'Ledger', allowRemovals: false }, file(grants));
  const [app] = await two.admin('SELECT id FROM apps');
  const userId = async (name: string): Promise<string> => {
    const [row] = await two.admin('SELECT id FROM users WHERE email_key = $1', [`${name}@mail.example`]);
    return String(row?.id);
  };
  await settle();
  const moveTo = async (until: Date): Promise<void> => {
    for (;;) {
      await settle();
      const next = await due();
      if (next === undefined || next > until) {
        now = until;
        return settle();
      }
      now = next > now ? next : now;
    }
  };
  const pass = (): Promise<void> => moveTo(new Date(now.getTime() + 1000));
  // What may wait a moment for others like it, too.
  const settleAll = (): Promise<void> => moveTo(new Date(now.getTime() + 60_000));
  let seen = 0;
  return {
    ...two,
    mail,
    appId: String(app?.id),
    as,
    userId,
    settle,
    pass,
    moveTo: (until) => moveTo(new Date(until)),
    async wakeAt(until) {
      await settle();
      await stop();
      now = new Date(until);
      start();
      await pass();
    },
    async importPeople(lines) {
      await importPeople(as(), { source: '', allowRemovals: true }, file(lines.join('\n')));
      await settleAll();
    },
    async importGrants(lines, app = 'Wiki') {
      await importGrants(as(), { app, allowRemovals: true }, file(lines.join('\n')));
      await settleAll();
    },
    async open(document, ownerIds = []) {
      const { id } = await createReview(as(), { displayName: 'Test' }, ownerIds, '');
      await changeReview(as(), id, { singleApp: { appId: String(app?.id) }, ...document }, undefined);
      await prepareReview(as(), id);
      await settle();
      await startReview(as(), id);
      await pass();
      return id;
    },
    async finish(reviewId, name) {
      const reviewer = await userId(name);
      const tasks = await two.admin(
        `SELECT t.id FROM tasks t JOIN task_assignments s ON s.tenant_id = t.tenant_id AND s.id = t.assignment_id
         WHERE t.review_id = $1 AND t.state = 'OPEN' AND $2 = ANY (s.user_ids)`,
        [reviewId, reviewer],
      );
      for (const { id } of tasks) {
        await decideTask(as(reviewer), { taskId: String(id), decision: 'APPROVE', comment: '', policyStepId: '' });
      }
      await settle();
    },
    news() {
      const fresh = mail.taken.slice(seen);
      seen = mail.taken.length;
      return fresh
        .map(({ to, raw }) => {
          const { headers } = readMessage(raw);
          const date = new Date(headers.get('date') ?? '');
          return `${date.toISOString().slice(0, 16)}Z ${to.join(',').replaceAll('@mail.example', '')}: ${headers.get('subject')}`;
        })
        .sort();
    },
    async events(reviewId) {
      const rows = await two.admin("SELECT kind FROM events WHERE review_id = $1 AND kind LIKE 'mail.%' ORDER BY id", [reviewId]);
      return rows.map(({ kind }) => String(kind));
    },
    async close() {
      await stop();
      await two.close();
      await mail.close();
    },
  };
}
