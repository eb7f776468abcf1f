/**
 * Batches, assignments, tasks and people by plain SQL, as the production role: for tests of the rules of tasks that want no review around
 * them. Callers of every kind come from `scopeOf`.
 */
import type { Db } from '../../src/db/types.ts';
import { type Actor, type RoleName, type Context, noReactions, silentLogger } from '../../src/context.ts';
import { newId } from '../../src/wire/ids.ts';

/** Counts people and tasks, so that their names differ. */
// Behind the numbers that the service gives, and others in each process: databases are copied among them.
let number = process.pid * 10_000;

/** The moment of every test of tasks, unless it says otherwise. */
export const testNow = new Date('2026-11-02T10:00:00.000Z');

/** A context of this person with Basic User and whatever else is given. */
export function scopeOf(
  db: Db,
  tenantId: string,
  userId: string,
  options: { roles?: RoleName[]; issuerId?: string; now?: Date } = {},
): Context {
  const actor: Actor = {
    kind: 'credential',
    userId,
    credentialId: newId(testNow),
    issuerId: options.issuerId ?? '',
    roles: new Set(['BASIC_USER', ...(options.roles ?? [])]),
    sourceIp: '127.0.0.1',
    requestId: 'test',
  };
  return { db, tenantId, actor, now: options.now ?? testNow, log: silentLogger, react: noReactions };
}

/** Adds a person and returns the id. */
export async function addPerson(db: Db, tenantId: string, name: string, status = 'ENABLED'): Promise<string> {
  const id = newId(testNow);
  number += 1;
  await db.run(
    `INSERT INTO users (tenant_id, id, email, email_key, display_name, status, created_at, updated_at) VALUES ($1, $2, $3, $3, $4, $5, $6, $6)`,
    [tenantId, id, `person-${number}@example.com`, name, status, testNow],
  );
  return id;
}

/** A step of a frozen policy that asks these people. */
export function askUsers(userIds: readonly string[], rules: object = {}, approver: object = {}): object {
  return { approval: { users: { userIds, ...approver }, ...rules } };
}

/** Content of a batch. */
export interface BatchOptions {
  state?: string;
  managerIds?: readonly string[];
  steps?: readonly object[];
  createdById?: string;
  /** True if its policy is made a route; false in a database of a release that had none. */
  hasRoutes?: boolean;
}

/** Adds a review's batch with one frozen policy ('policy') and returns its id. */
export async function addTasksOf(db: Db, tenantId: string, options: BatchOptions = {}): Promise<string> {
  const id = newId(testNow);
  const { state = 'OPEN', managerIds = [], steps = [askUsers([])], createdById = '', hasRoutes = true } = options;
  await db.run(`INSERT INTO task_reviews (tenant_id, id, state, manager_ids, created_at, updated_at) VALUES ($1, $2, $3, $4, $5, $5)`, [
    tenantId,
    id,
    state,
    managerIds,
    testNow,
  ]);
  await db.run(
    `INSERT INTO reviews (tenant_id, id, state, document, created_by_id, created_at, updated_at) VALUES ($1, $2, 'OPEN', '{}', $3, $4, $4)`,
    [tenantId, id, createdById, testNow],
  );
  const document = { displayName: 'Policy', policyType: 'POLICY_TYPE_CERTIFY', policySteps: { certify: { steps } } };
  await db.run(`INSERT INTO review_policies (tenant_id, review_id, policy_id, document) VALUES ($1, $2, 'policy', $3)`, [
    tenantId,
    id,
    JSON.stringify(document),
  ]);
  if (hasRoutes) {
    await db.run(
      `INSERT INTO review_routes (tenant_id, review_id, route_no, policy_id, step_key, document, created_at)
       VALUES ($1, $2, 0, 'policy', 'certify', $3, $4)`,
      [tenantId, id, JSON.stringify(document), testNow],
    );
  }
  return id;
}

/** Moves a batch to another state. */
export async function setTasksState(db: Db, tenantId: string, id: string, state: string): Promise<void> {
  await db.run(`UPDATE task_reviews SET state = $3 WHERE tenant_id = $1 AND id = $2`, [tenantId, id, state]);
}

/** Adds an assignment of a batch to these people and returns its id. */
export async function addAssignment(
  db: Db,
  tenantId: string,
  reviewId: string,
  userIds: readonly string[],
  reason = 'USERS',
): Promise<string> {
  const id = newId(testNow);
  await db.run(`INSERT INTO task_assignments (tenant_id, id, review_id, user_ids, reason, created_at) VALUES ($1, $2, $3, $4, $5, $6)`, [
    tenantId,
    id,
    reviewId,
    userIds,
    reason,
    testNow,
  ]);
  await db.run(
    `INSERT INTO task_assignment_members (tenant_id, user_id, assignment_id, review_id) SELECT $1, u, $2, $3 FROM unnest($4::text[]) u`,
    [tenantId, id, reviewId, userIds],
  );
  return id;
}

/** Content of a task; the rest is made up. */
export interface TaskOptions {
  reviewId: string;
  assignmentId?: string | null;
  userId?: string | null;
  appId?: string;
  entitlementId?: string;
  accountId?: string;
  accountName?: string;
  accountType?: string;
  accountStatus?: string;
  employmentStatus?: string;
  resourceId?: string;
  resourceTypeId?: string;
  state?: string;
  outcome?: string;
  endReason?: string;
  decidedById?: string | null;
  createdAt?: Date;
  endedAt?: Date | null;
  /** True if the access it asks about is there: its app, and an open grant; true unless said otherwise. */
  isHeld?: boolean;
  /** False in a database of a release before numbers led to tasks by rows of their own. */
  hasNumber?: boolean;
}

/** Adds a task with its rows of the snapshot, and the access it asks about, and returns its id. */
export async function addTask(db: Db, tenantId: string, options: TaskOptions): Promise<string> {
  const id = newId(testNow);
  number += 1;
  const own = number;
  const task = {
    assignmentId: null,
    userId: null,
    appId: 'app',
    entitlementId: newId(testNow),
    accountId: newId(testNow),
    state: 'OPEN',
    outcome: '',
    endReason: '',
    decidedById: null,
    createdAt: testNow,
    accountType: 'USER',
    accountStatus: 'ENABLED',
    employmentStatus: '',
    resourceId: 'res',
    resourceTypeId: 'type',
    ...options,
  };
  const endedAt = task.endedAt ?? (task.state === 'CLOSED' ? testNow : null);
  await db.run(
    `INSERT INTO tasks (tenant_id, id, review_id, numeric_id, app_id, entitlement_id, account_id, user_id, policy_id, assignment_id, state, outcome,
       end_reason, decided_by_id, ended_at, created_at, updated_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, 'policy', $9, $10, $11, $12, $13, $14, $15, $15)`,
    [
      tenantId,
      id,
      task.reviewId,
      own,
      task.appId,
      task.entitlementId,
      task.accountId,
      task.userId,
      task.assignmentId,
      task.state,
      task.outcome,
      task.endReason,
      task.decidedById,
      endedAt,
      task.createdAt,
    ],
  );
  if (options.hasNumber !== false) {
    await db.run(`INSERT INTO task_numbers (tenant_id, first_number, last_number, first_id, review_id) VALUES ($1, $2, $2, $3, $4)`, [
      tenantId,
      own,
      id,
      task.reviewId,
    ]);
  }
  await db.run(
    `INSERT INTO review_accounts (tenant_id, review_id, app_id, account_id, external_id, account_type, account_status, user_id, employment_status)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) ON CONFLICT DO NOTHING`,
    [
      tenantId,
      task.reviewId,
      task.appId,
      task.accountId,
      task.accountName ?? `account-${own}`,
      task.accountType,
      task.accountStatus,
      task.userId,
      task.employmentStatus,
    ],
  );
  await db.run(
    `INSERT INTO review_entitlements (tenant_id, review_id, app_id, entitlement_id, app_display_name, resource_type_id, resource_type_display_name,
       resource_id, resource_display_name, display_name, description, policy_id)
     VALUES ($1, $2, $3, $4, 'Payroll', $5, 'Role', $6, 'Clerk', $7, '', 'policy') ON CONFLICT DO NOTHING`,
    [tenantId, task.reviewId, task.appId, task.entitlementId, task.resourceTypeId, task.resourceId, `member-${own}`],
  );
  if (options.isHeld !== false) {
    await db.run(
      `INSERT INTO apps (tenant_id, id, display_name, name_key, created_at, updated_at) VALUES ($1, $2, $2, $2, $3, $3) ON CONFLICT DO NOTHING`,
      [tenantId, task.appId, testNow],
    );
    await db.run(
      `INSERT INTO grants (tenant_id, app_id, entitlement_id, account_id, added_revision, created_at, updated_at) VALUES ($1, $2, $3, $4, 1, $5, $5)`,
      [tenantId, task.appId, task.entitlementId, task.accountId, testNow],
    );
  }
  return id;
}

/** Gives the tasks of a tenant the keys that prepare copies from the snapshot. */
export async function setTaskKeys(db: Db, tenantId: string): Promise<void> {
  await db.run(
    `UPDATE tasks t SET account_key = a.account_key, owner_key = a.owner_key, place_key = e.place_key FROM review_accounts a, review_entitlements e
     WHERE t.tenant_id = $1 AND a.tenant_id = $1 AND a.review_id = t.review_id AND a.app_id = t.app_id AND a.account_id = t.account_id
       AND e.tenant_id = $1 AND e.review_id = t.review_id AND e.app_id = t.app_id AND e.entitlement_id = t.entitlement_id`,
    [tenantId],
  );
}
