/**
 * SQL about what sets reviews of templates in motion: those columns of `review_templates`, and the table `template_triggered`.
 */
import { sql } from '../../../lib/sql.ts';
import type { Context } from '../../../context.ts';
import { type PersonFacts, personFacts } from '../../policies/index.ts';

/** Change that starts a review (`review_templates.triggers`, `template_triggered.kind`). */
export type TriggerKind = 'MOVER' | 'LEAVER' | 'CONFLICT';

/** Those that a change of people brings about. */
export const peopleKinds: readonly TriggerKind[] = ['MOVER', 'LEAVER'];

/** Kinds a template looks at; no kinds: at nothing. */
export interface Triggers {
  readonly kinds: readonly TriggerKind[];
  /** An expression as it was written; empty for none. */
  readonly condition: string;
}

/** Finds what a template looks at. */
export async function findTriggers({ db, tenantId }: Context, templateId: string): Promise<Triggers> {
  const row = await db.maybe<Triggers>(
    sql`SELECT t.triggers AS kinds, t.trigger_condition AS condition FROM review_templates t WHERE t.tenant_id = ${tenantId} AND t.id = ${templateId}`,
  );
  return row ?? { kinds: [], condition: '' };
}

/** Makes a template look at this from now on. */
export async function updateTriggers(context: Context, templateId: string, { kinds, condition }: Triggers): Promise<void> {
  const since = kinds.length === 0 ? null : context.now;
  await context.db.run(
    sql`UPDATE review_templates SET triggers = ${[...kinds]}::text[], trigger_condition = ${condition}, triggers_since = ${since}
      WHERE tenant_id = ${context.tenantId} AND id = ${templateId}`,
  );
}

/** A template that looks at something. */
export interface LookingTemplate extends Triggers {
  readonly id: string;
  readonly since: Date;
}

/** The templates that look at any of this, deleted ones left out. */
export function listLooking(context: Context, kinds: readonly TriggerKind[], limit: number): Promise<LookingTemplate[]> {
  return context.db.rows<LookingTemplate>(
    sql`SELECT t.id, t.triggers AS kinds, t.trigger_condition AS condition, t.triggers_since AS since FROM review_templates t
      WHERE t.tenant_id = ${context.tenantId} AND t.triggers <> '{}' AND t.triggers && ${[...kinds]}::text[] AND t.deleted_at IS NULL
      ORDER BY t.id LIMIT ${limit}`,
  );
}

/** The people whose alerts a change made active and who are in conflict still, behind this one. */
export function listInConflict(
  { db, tenantId }: Context,
  changeId: string,
  behind: string,
  limit: number,
): Promise<{ userId: string; activatedAt: Date }[]> {
  return db.rows(
    sql`SELECT c.user_id AS "userId", max(c.activated_at) AS "activatedAt" FROM alerts_public c
      WHERE c.tenant_id = ${tenantId} AND c.change_id = ${changeId} AND c.state = 'ACTIVE' AND c.user_id > ${behind}
      GROUP BY c.user_id ORDER BY c.user_id LIMIT ${limit}`,
  );
}

/** People as they are now, by their ids; deleted ones too. */
export function listPeopleNow({ db, tenantId }: Context, ids: readonly string[]): Promise<PersonFacts[]> {
  return db.rows<PersonFacts>(
    sql`SELECT ${personFacts} FROM users_public u LEFT JOIN users_public m ON m.tenant_id = ${tenantId} AND m.id = u.manager_id
      WHERE u.tenant_id = ${tenantId} AND u.id = ANY (${[...ids]}::text[])`,
  );
}

/** Somebody for whom a template makes a review. */
export interface Triggered {
  readonly userId: string;
  readonly kind: TriggerKind;
}

/**
 * Writes down whom a template makes a review for: those who hold any access, and for whom no review that it made for them is still to be closed. How many.
 */
export function insertTriggered({ db, tenantId, now }: Context, templateId: string, people: readonly Triggered[]): Promise<number> {
  const ids = people.map(({ userId }) => userId);
  const kinds = people.map(({ kind }) => kind);
  return db.run(
    sql`INSERT INTO template_triggered (tenant_id, template_id, user_id, number, kind, created_at)
      SELECT ${tenantId}, ${templateId}, n.user_id, coalesce((SELECT max(x.number) FROM template_triggered x
          WHERE x.tenant_id = ${tenantId} AND x.template_id = ${templateId} AND x.user_id = n.user_id), 0) + 1, n.kind, ${now}
      FROM unnest(${ids}::text[], ${kinds}::text[]) AS n (user_id, kind)
      WHERE NOT EXISTS (SELECT FROM template_triggered x LEFT JOIN reviews_public r ON r.tenant_id = ${tenantId} AND r.id = x.review_id
          WHERE x.tenant_id = ${tenantId} AND x.template_id = ${templateId} AND x.user_id = n.user_id
            AND (x.review_id IS NULL OR r.state NOT IN ('CLOSED', 'DELETED')))
        AND EXISTS (SELECT FROM accounts_public a JOIN grants_held g ON g.tenant_id = ${tenantId} AND g.app_id = a.app_id AND g.account_id = a.id WHERE a.tenant_id = ${tenantId} AND a.user_id = n.user_id AND a.deleted_at IS NULL)`,
  );
}

/** A template for which reviews are still to be made. */
export function findWaitingTemplate({ db, tenantId }: Context): Promise<string | undefined> {
  return db.maybeValue<string>(
    sql`SELECT x.template_id AS id FROM template_triggered x WHERE x.tenant_id = ${tenantId} AND x.review_id IS NULL ORDER BY x.template_id LIMIT 1`,
  );
}

/** The next people for whom a template has still to make a review. */
export function listWaiting(
  { db, tenantId }: Context,
  templateId: string,
  limit: number,
): Promise<(Triggered & { displayName: string })[]> {
  return db.rows<Triggered & { displayName: string }>(
    sql`SELECT x.user_id AS "userId", x.kind, coalesce(nullif(u.display_name, ''), u.email, '') AS "displayName" FROM template_triggered x
      LEFT JOIN users_public u ON u.tenant_id = ${tenantId} AND u.id = x.user_id
      WHERE x.tenant_id = ${tenantId} AND x.template_id = ${templateId} AND x.review_id IS NULL ORDER BY x.user_id LIMIT ${limit}`,
  );
}

/** Says which review was made for people that waited for one; '' where none is made after all. */
export async function updateWaiting(
  { db, tenantId }: Context,
  templateId: string,
  userIds: readonly string[],
  reviewId: string,
): Promise<void> {
  await db.run(
    sql`UPDATE template_triggered SET review_id = ${reviewId} WHERE tenant_id = ${tenantId} AND template_id = ${templateId}
      AND user_id = ANY (${[...userIds]}::text[]) AND review_id IS NULL`,
  );
}
