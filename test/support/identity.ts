/** For tests of whose account is whose: people, apps with sources, and accounts, written as rows. */
import type { Context } from '../../src/context.ts';
import { newId } from '../../src/wire/ids.ts';
import { createApp } from '../../src/inventory/catalog/apps/create-app.ts';

/** Fields of a person; the rest is empty, enabled and human. */
export interface PersonRow {
  email?: string;
  employeeId?: string;
  username?: string;
  status?: string;
  type?: string;
  employmentStatus?: string;
  managerId?: string;
}

/** Adds a person and returns the id. */
export async function addPerson(context: Context, person: PersonRow): Promise<string> {
  const id = newId(context.now);
  const { email = '', employeeId = '', username = '', status = 'ENABLED', type = 'HUMAN', employmentStatus = '', managerId } = person;
  await context.db.run(
    `INSERT INTO users (tenant_id, id, email, email_key, employee_id, username, status, user_type, employment_status, manager_id, created_at, updated_at)
     VALUES ($1, $2, $3, lower($3), $4, $5, $6, $7, $8, $9, $10, $10)`,
    [context.tenantId, id, email, employeeId, username, status, type, employmentStatus, managerId ?? null, context.now],
  );
  return id;
}

/** What a record says; the rest is empty, live and heard. */
export interface RecordContent {
  email?: string;
  employeeId?: string;
  username?: string;
  state?: 'LIVE' | 'GONE';
  isHeard?: boolean;
}

/** Adds a record of a person, of a source that is not there, or makes the one that this returned say something else. */
export async function putRecord(context: Context, userId: string, content: RecordContent, id = newId(context.now)): Promise<string> {
  const { email = '', employeeId = '', username = '', state = 'LIVE', isHeard = true } = content;
  await context.db.run(
    `INSERT INTO person_records (tenant_id, id, source_id, anchor_kind, anchor, user_id, state, is_heard, email, email_key, username, employee_id,
       first_seen_at, changed_at)
     VALUES ($1, $2, 'source', 'SCIM_ID', $2, $3, $4, $5, $6, lower($6), $7, $8, $9, $9)
     ON CONFLICT (tenant_id, id) DO UPDATE SET state = excluded.state, is_heard = excluded.is_heard, email = excluded.email,
       email_key = excluded.email_key, username = excluded.username, employee_id = excluded.employee_id`,
    [context.tenantId, id, userId, state, isHeard, email, username, employeeId, context.now],
  );
  return id;
}

/** Gives a person another address, or none. */
export async function moveAddress(context: Context, userId: string, email: string): Promise<void> {
  await context.db.run('UPDATE users SET email = $3, email_key = lower($3) WHERE tenant_id = $1 AND id = $2', [
    context.tenantId,
    userId,
    email,
  ]);
}

/** An app with two sources, numbered 1 and 2. */
export interface SourcedApp {
  readonly id: string;
  readonly connectorIds: readonly [string, string];
}

/** Adds an app with two sources; both match in the usual order. */
export async function addSourcedApp(context: Context, displayName: string): Promise<SourcedApp> {
  const { id } = await createApp(context, { displayName }, []);
  const connectorIds = [newId(context.now), newId(context.now)] as const;
  for (const [index, connectorId] of connectorIds.entries()) {
    await context.db.run(
      `INSERT INTO sources (tenant_id, id, app_id, source_no, display_name, name_key, created_at, updated_at)
       VALUES ($1, $2, $3, $4, $5, $5, $6, $6)`,
      [context.tenantId, connectorId, id, index + 1, `source ${index + 1}`, context.now],
    );
  }
  return { id, connectorIds };
}

/** Content of an account; the rest is empty, enabled, and from the first source. */
export interface AccountContent {
  email?: string;
  employeeId?: string;
  username?: string;
  externalId?: string;
  userId?: string;
  status?: string;
  type?: string;
  matchCount?: number;
  isOwnedByHand?: boolean;
  sourceNo?: number;
}

/** Adds an account and returns the id. */
export async function addAccount(context: Context, appId: string, account: AccountContent): Promise<string> {
  const id = newId(context.now);
  await context.db.run(
    `INSERT INTO accounts (tenant_id, app_id, id, external_id, email, employee_id, username, user_id, status, account_type, match_count,
       owner_by_hand, source_no, deleted_at, created_at, updated_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, CASE WHEN $9 = 'DELETED' THEN $14::timestamptz END, $14, $14)`,
    [
      context.tenantId,
      appId,
      id,
      account.externalId ?? id,
      account.email ?? '',
      account.employeeId ?? '',
      account.username ?? '',
      account.userId ?? null,
      account.status ?? 'ENABLED',
      account.type ?? 'USER',
      account.matchCount ?? 0,
      account.isOwnedByHand ?? false,
      account.sourceNo ?? 1,
      context.now,
    ],
  );
  return id;
}

/** Owners of this app's accounts, by account; null for nobody. */
export async function ownersOf(context: Context, appId: string): Promise<Record<string, string | null>> {
  const rows = await context.db.rows<{ id: string; userId: string | null }>(
    `SELECT id, user_id AS "userId" FROM accounts WHERE tenant_id = $1 AND app_id = $2 ORDER BY id`,
    [context.tenantId, appId],
  );
  return Object.fromEntries(rows.map((row) => [row.id, row.userId]));
}

/** Lists the states of accounts kept before each revision, by revision. */
export function changesOf(context: Context): Promise<{ accountId: string; revision: number; before: Record<string, unknown> }[]> {
  return context.db.rows(
    `SELECT c.account_id AS "accountId", c.revision, c.before FROM account_changes c WHERE c.tenant_id = $1 ORDER BY c.revision, c.account_id`,
    [context.tenantId],
  );
}
