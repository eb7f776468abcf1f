/**
 * An app filled by files, and removals of what its accounts hold, at moments that the test sets: for the tests of what becomes of denied access.
 * Jobs run where the test says so, one after the other.
 */
import { Readable } from 'node:stream';
import { afterAll, beforeAll } from 'vitest';
import { importGrants } from '../../src/inventory/syncs/import-grants.ts';
import { openFetched } from '../../src/inventory/syncs/rows/index.ts';
import { importPeople } from '../../src/inventory/syncs/import-people.ts';
import { requestJob } from '../../src/governance/revocations/request.ts';
import { verifyJob } from '../../src/governance/revocations/verify.ts';
import { type Actor, type Context, inTransaction } from '../../src/context.ts';
import type { Job, JobKind } from '../../src/jobs/index.ts';
import { addTask, addTasksOf, scopeOf } from './tasks.ts';
import { openTwoTenants, type TwoTenants } from './tenants.ts';

const header = 'account,email,account_type,account_status,resource_type,resource,entitlement,granted_at,last_used_at';

/** A day of June 2026, as a moment of noon plus hours: the stories of the tests take place there. */
export const june = (day: number, hour = 12): Date => new Date(Date.UTC(2026, 5, day, hour));

/** A removal as its row has it. */
export interface Removal {
  readonly id: string;
  readonly state: string;
  readonly syncId: string;
  readonly note: string;
}

/** Options of a file. */
interface FileOptions {
  readonly allowRemovals?: boolean;
  readonly status?: string;
  readonly source?: string;
  readonly observedFrom?: Date;
}

/** Tools of the tests. */
export class Removals {
  test!: TwoTenants;
  reviewId = '';

  /** The administrator at a moment. */
  readonly at = (now: Date): Context => ({ ...this.test.ours.admin, now });
  /** Somebody else at a moment, by the id of the person. */
  readonly as = (userId: string, now: Date): Context => ({ ...scopeOf(this.test.ours.system.db, this.test.ours.tenant.id, userId), now });
  /** Somebody with everything but the role changed. */
  readonly by = (context: Context, actor: Partial<Actor>): Context => ({ ...context, actor: { ...context.actor, ...actor } });

  /** Runs a job to its end, as the program. */
  async run(kind: JobKind, subjectId: string, now: Date): Promise<number> {
    let done = 0;
    for (let cursor = {}; ; ) {
      const job = { subjectId, cursor, done, total: 0 } as unknown as Job;
      const result = await inTransaction({ ...this.test.ours.system, now }, (inside) => kind.handler(inside, job));
      if (result === 'finished') {
        return done;
      }
      if (typeof result !== 'object' || !('cursor' in result)) {
        throw new Error('the job did not go on');
      }
      ({ cursor, done } = result);
    }
  }

  /** Imports a file of "account entitlement" rows into an app and returns the id of its sync; with `verifies` its evidence is followed. */
  async file(
    app: string,
    rows: readonly string[],
    now: Date,
    { allowRemovals = true, status = 'ENABLED', source = '', observedFrom }: FileOptions = {},
  ): Promise<string> {
    const text = [
      header,
      ...rows.map((row) => row.split(' ')).map(([account, held]) => `${account},${account}@example.com,USER,${status},role,Main,${held},,`),
    ];
    const options = { app, allowRemovals, observedFrom, ...(source === '' ? {} : { connectorId: source }) };
    const { id } = await importGrants(this.at(now), options, { body: Readable.from([`${text.join('\n')}\n`]), encoding: '' });
    return id;
  }

  /** Imports rows as `file` does, of a fetch that may have missed some; the same for its return. */
  async fetchPart(app: string, rows: readonly string[], now: Date): Promise<string> {
    const held = rows
      .map((row) => row.split(' '))
      .map(([account = '', name = '']) => [account, `${account}@example.com`, 'role', 'Main', name]);
    const columns = [
      'account',
      'email',
      'resource_type',
      'resource',
      'entitlement',
      'account_type',
      'account_status',
      'granted_at',
      'last_used_at',
    ];
    async function* batches() {
      yield await Promise.resolve(held.map((row) => [...row, '', '', '', '']));
    }
    const opened = openFetched({ kind: 'GRANTS', columns, batches: batches() });
    const facts = () => ({ observedFrom: now, incompleteReason: 'WARNINGS', warnings: ['sync completed with warnings'] });
    const { id } = await importGrants(this.at(now), { app, allowRemovals: true }, { opened, facts, fetchId: '' });
    return id;
  }

  /** The id of an app, and of an entitlement and an account in it by their names. */
  async find(app: string, account: string, held: string) {
    return this.test.ours.system.db.one<{ appId: string; accountId: string; entitlementId: string; userId: string | null }>(
      `SELECT p.id AS "appId", a.id AS "accountId", e.id AS "entitlementId", a.user_id AS "userId" FROM apps p
       JOIN accounts a ON a.tenant_id = $1 AND a.app_id = p.id AND a.external_id = $3
       JOIN entitlements e ON e.tenant_id = $1 AND e.app_id = p.id AND (e.external_id = $4 OR $4 = 'access' AND e.is_app_access)
       WHERE p.tenant_id = $1 AND p.display_name = $2 AND p.deleted_at IS NULL`,
      [this.test.ours.tenant.id, app, account, held],
    );
  }

  /** Denies what an account holds, in a review of its own, and returns the id of the task: its removal is held. */
  async deny(app: string, account: string, held: string, now: Date): Promise<string> {
    const { db } = this.test.ours.system;
    const tenantId = this.test.ours.tenant.id;
    const found = await this.find(app, account, held);
    this.reviewId = await addTasksOf(db, tenantId);
    const id = await addTask(db, tenantId, { reviewId: this.reviewId, ...found, isHeld: false });
    await this.decide(id, 'DECERTIFIED', now);
    return id;
  }

  /** Sets the outcome of a task, as decisions do. */
  async decide(taskId: string, outcome: string, now: Date): Promise<void> {
    await this.test.ours.system.db.run(
      `UPDATE tasks SET state = $3, outcome = $4, end_reason = $5, ended_at = $6, updated_at = $6 WHERE tenant_id = $1 AND id = $2`,
      [this.test.ours.tenant.id, taskId, outcome === '' ? 'OPEN' : 'CLOSED', outcome, outcome === '' ? '' : 'DECIDED', now],
    );
  }

  /** Closes the review of the last denial, and requests what it denied. */
  async close(now: Date): Promise<void> {
    await this.test.ours.system.db.run(`UPDATE reviews SET state = 'CLOSED' WHERE tenant_id = $1 AND id = $2`, [
      this.test.ours.tenant.id,
      this.reviewId,
    ]);
    await this.run(requestJob, this.reviewId, now);
  }

  /** Denies and requests at once. */
  async request(app: string, account: string, held: string, now: Date): Promise<string> {
    const id = await this.deny(app, account, held, now);
    await this.close(now);
    return id;
  }

  /** Follows what apps got. */
  verify(now: Date): Promise<number> {
    return this.run(verifyJob, this.test.ours.tenant.id, now);
  }

  /** The row of a removal. */
  read(id: string): Promise<Removal> {
    return this.test.ours.system.db.one<Removal>(
      `SELECT id, state, sync_id AS "syncId", note FROM revocations WHERE tenant_id = $1 AND id = $2`,
      [this.test.ours.tenant.id, id],
    );
  }

  /** The states that a removal was in. */
  async states(id: string): Promise<string[]> {
    const rows = await this.test.ours.system.db.rows<{ state: string }>(
      `SELECT state FROM revocation_changes WHERE tenant_id = $1 AND revocation_id = $2 ORDER BY id`,
      [this.test.ours.tenant.id, id],
    );
    return rows.map(({ state }) => state);
  }
}

/** Opens it before the tests of a file, with these people by the part of their address before the @. */
export function useRemovals(people: readonly string[]): Removals {
  const removals = new Removals();
  beforeAll(async () => {
    removals.test = await openTwoTenants();
    const rows = people.map((name) => `${name}@example.com,${name},,,,`);
    const text = `email,display_name,manager_email,department,job_title,employment_status\n${rows.join('\n')}\n`;
    await importPeople(removals.at(june(1)), { source: '', allowRemovals: false }, { body: Readable.from([text]), encoding: '' });
  });
  afterAll(() => removals.test.close());
  return removals;
}
