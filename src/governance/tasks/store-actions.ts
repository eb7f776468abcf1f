/** SQL that reads actions by the events that recorded them, and what reviews ask of those who sign. */
import type { Context } from '../../context.ts';
import { fixed, sql } from '../../lib/sql.ts';
import type { SignatureTerms } from '../../foundation/signatures/index.ts';
import type { ActionLine } from './task/index.ts';

/** Members of an `ActionLine` and its event, of the actions `a`. */
export const actionColumns = fixed(`a.event_id AS "eventId", a.task_id AS "taskId", a.id, a.review_id AS "reviewId", a.kind, a.step,
  a.step_generation AS "stepGeneration", a.actor_id AS "actorId", a.credential_id AS "credentialId", a.issuer_id AS "issuerId", a.comment, a.data,
  a.submission_id AS "submissionId", a.created_at AS "createdAt"`);

/**
 * Returns the actions that these events recorded, in the order of tasks and actions. Each event is a look into the index by itself (OFFSET 0): asked for
 * together, a plan made while nobody had acted reads all actions of the tenant in the order of their key.
 */
export function listActionRows({ db, tenantId }: Context, eventIds: readonly string[]) {
  return db.rows<ActionLine & { readonly eventId: string; readonly emptiedAt: Date | null }>(
    sql`SELECT ${actionColumns}, a.emptied_at AS "emptiedAt" FROM (SELECT DISTINCT n.id FROM unnest(${eventIds}::text[]) AS n (id)) i
      CROSS JOIN LATERAL (
        SELECT x.* FROM task_actions x WHERE x.tenant_id = ${tenantId} AND x.event_id = i.id AND x.event_id <> '' OFFSET 0) a
      ORDER BY a.task_id, a.id`,
  );
}

/** Returns the terms of signatures of these reviews, as they are since the start. */
export async function mapTerms(
  { db, tenantId }: Context,
  reviewIds: readonly string[],
): Promise<ReadonlyMap<string, SignatureTerms | null>> {
  const rows = await db.rows<{ id: string; signature: SignatureTerms | null }>(
    sql`SELECT b.id, b.signature FROM task_reviews b WHERE b.tenant_id = ${tenantId} AND b.id = ANY (${[...new Set(reviewIds)]})`,
  );
  return new Map(rows.map(({ id, signature }) => [id, signature]));
}
