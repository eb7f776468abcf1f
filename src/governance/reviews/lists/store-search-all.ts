/**
 * SQL of the search for anything: a few people, accounts, apps, entitlements and reviews with a text, each as slim as a line that shows it. Text is
 * found as the search of each kind finds it.
 */
import { allSql, type Sql, sql } from '../../../lib/sql.ts';
import { listConditions } from '../../../lib/where.ts';
import type { Context } from '../../../context.ts';
import { containsTextOrIs, hasText, listByText, type TextRange, textRange } from '../../../foundation/search/index.ts';

/** A person who is found. */
export interface FoundPersonRow {
  readonly id: string;
  readonly displayName: string;
  readonly email: string;
  readonly jobTitle: string;
  readonly department: string;
  readonly status: string;
}

/** An account that is found. */
export interface FoundAccountRow {
  readonly id: string;
  readonly appId: string;
  readonly account: string;
  readonly displayName: string;
  readonly appName: string;
  readonly userId: string | null;
  readonly person: string | null;
}

/** An app that is found. */
export interface FoundAppRow {
  readonly id: string;
  readonly displayName: string;
  readonly description: string;
}

/** An entitlement that is found. */
export interface FoundEntitlementRow {
  readonly id: string;
  readonly appId: string;
  readonly displayName: string;
  readonly description: string;
  readonly resource: string | null;
  readonly appName: string;
}

const inRange = (alias: string, range: TextRange): Sql => allSql([sql`TRUE`, ...listConditions(range, textRange(alias))]);

/** People with a text in their names, addresses and numbers, by id. */
export function listFoundPeople(context: Context, query: string, limit: number): Promise<FoundPersonRow[]> {
  const { db, tenantId } = context;
  return listByText(context, { kind: 'USER', query, after: '', limit }, (range) =>
    db.rows<FoundPersonRow>(
      sql`SELECT u.id, u.display_name AS "displayName", u.email, u.job_title AS "jobTitle", u.department, u.status
        FROM users_public u WHERE u.tenant_id = ${tenantId} AND ${hasText('u')(query)} AND ${inRange('u', range)} AND u.status <> 'DELETED'
          AND u.user_type = 'HUMAN' ORDER BY u.id LIMIT ${limit}`,
    ),
  );
}

/** Accounts with a text, by id; of one owner alone where one is named. */
export function listFoundAccounts(context: Context, query: string, ownerId: string | undefined, limit: number): Promise<FoundAccountRow[]> {
  const { db, tenantId } = context;
  const owned = ownerId === undefined ? sql`TRUE` : sql`c.user_id = ${ownerId}`;
  return listByText(context, { kind: 'ACCOUNT', query, after: '', limit, isNarrow: ownerId !== undefined }, (range) =>
    db.rows<FoundAccountRow>(
      sql`SELECT c.id, c.app_id AS "appId", c.external_id AS account, c.display_name AS "displayName", p.display_name AS "appName", c.user_id AS "userId",
        (SELECT coalesce(nullif(u.display_name, ''), u.email) FROM users_public u WHERE u.tenant_id = ${tenantId} AND u.id = c.user_id) AS person
      FROM (SELECT c.* FROM accounts_public c WHERE c.tenant_id = ${tenantId} AND ${hasText('c')(query)} AND ${inRange('c', range)} AND ${owned}
          AND c.deleted_at IS NULL AND EXISTS (SELECT FROM apps_public p WHERE p.tenant_id = ${tenantId} AND p.id = c.app_id AND p.deleted_at IS NULL)
        ORDER BY c.id LIMIT ${limit}) c
      JOIN apps_public p ON p.tenant_id = ${tenantId} AND p.id = c.app_id ORDER BY c.id`,
    ),
  );
}

/** Apps with a text in their name or description, by id. */
export function listFoundApps({ db, tenantId }: Context, query: string, limit: number): Promise<FoundAppRow[]> {
  return db.rows<FoundAppRow>(
    sql`SELECT a.id, a.display_name AS "displayName", coalesce(a.document ->> 'description', '') AS description
      FROM apps_public a WHERE a.tenant_id = ${tenantId} AND a.deleted_at IS NULL AND ${hasText('a')(query)} ORDER BY a.id LIMIT ${limit}`,
  );
}

/** Entitlements with a text in their names or description, by id. */
export function listFoundEntitlements(context: Context, query: string, limit: number): Promise<FoundEntitlementRow[]> {
  const { db, tenantId } = context;
  return listByText(context, { kind: 'ENTITLEMENT', query, after: '', limit }, (range) =>
    db.rows<FoundEntitlementRow>(
      sql`SELECT e.id, e.app_id AS "appId", e.display_name AS "displayName", e.description, p.display_name AS "appName",
        (SELECT q.display_name FROM resources_public q WHERE q.tenant_id = ${tenantId} AND q.app_id = e.app_id AND q.id = e.resource_id) AS resource
      FROM (SELECT e.* FROM entitlements_public e WHERE e.tenant_id = ${tenantId} AND ${hasText('e')(query)} AND ${inRange('e', range)} AND e.deleted_at IS NULL
          AND EXISTS (SELECT FROM apps_public p WHERE p.tenant_id = ${tenantId} AND p.id = e.app_id AND p.deleted_at IS NULL)
        ORDER BY e.id LIMIT ${limit}) e
      JOIN apps_public p ON p.tenant_id = ${tenantId} AND p.id = e.app_id ORDER BY e.id`,
    ),
  );
}

/**
 * The ids of reviews with a text in their name, the newest first; for somebody alone, of those that they own or made, or that asked one of these
 * people. Whether the caller may know of each is for the caller to find out.
 */
export function listFoundReviewIds(
  { db, tenantId, actor }: Context,
  query: string,
  standsFor: readonly string[] | undefined,
  limit: number,
): Promise<string[]> {
  const named = containsTextOrIs(`coalesce(r.document ->> 'displayName', '')`, 'r.id')(query);
  const concerned =
    standsFor === undefined
      ? sql`TRUE`
      : sql`r.id = ANY (ARRAY(SELECT o.review_id FROM review_owners o WHERE o.tenant_id = ${tenantId} AND o.user_id = ${actor.userId}
          UNION SELECT m.review_id FROM assignees_public m WHERE m.tenant_id = ${tenantId} AND m.user_id = ANY (${standsFor})
          UNION SELECT c.id FROM reviews c WHERE c.tenant_id = ${tenantId} AND c.created_by_id = ${actor.userId}))`;
  return db.column<string>(
    sql`SELECT r.id FROM reviews r WHERE r.tenant_id = ${tenantId} AND r.state <> 'DELETED' AND ${named} AND ${concerned} ORDER BY r.id DESC LIMIT ${limit}`,
  );
}
