/**
 * SQL about the reviews of one template in their order: which one a review follows, which one still runs, which is the latest.
 */
import type { Context } from '../../../context.ts';
import type { ReviewState } from './store.ts';

/**
 * The review that this one is compared with: the latest of its template that is CLOSED by now, else the one it is a copy of, if that is CLOSED.
 * One that a change of somebody made asks about few people, so nothing is compared with it. Undefined where there is none.
 */
export async function findPredecessorId(context: Context, reviewId: string): Promise<string | undefined> {
  const found = await context.db.maybe<{ id: string }>(
    `WITH mine AS (SELECT r.template_id, r.duplicated_from_id FROM reviews r WHERE r.tenant_id = $1 AND r.id = $2)
     (SELECT p.id, 0 AS rank, p.closed_at FROM mine m JOIN reviews p ON p.tenant_id = $1 AND p.template_id = m.template_id
        AND p.template_id <> '' AND NOT p.triggered AND p.state = 'CLOSED' AND p.closed_at <= $3 AND p.id <> $2)
     UNION ALL
     (SELECT p.id, 1, p.closed_at FROM mine m JOIN reviews p ON p.tenant_id = $1 AND p.id = m.duplicated_from_id AND p.state = 'CLOSED')
     ORDER BY rank, closed_at DESC, id DESC LIMIT 1`,
    [context.tenantId, reviewId, context.now],
  );
  return found?.id;
}

/** An earlier review of the same schedule that is being decided; undefined where there is none, and for one that a change of somebody made. */
export function findRunningBefore(context: Context, reviewId: string): Promise<string | undefined> {
  return context.db.maybeValue<string>(
    `SELECT p.id FROM reviews r JOIN reviews p ON p.tenant_id = $1 AND p.template_id = r.template_id AND p.template_id <> '' AND p.id < r.id
     WHERE r.tenant_id = $1 AND r.id = $2 AND NOT r.triggered AND NOT p.triggered AND p.state IN ('STARTING', 'OPEN') ORDER BY p.id LIMIT 1`,
    [context.tenantId, reviewId],
  );
}

/** The latest review of a template, as far as its schedule has to know it. */
export interface LatestReview {
  readonly id: string;
  readonly state: ReviewState;
  /** A draft that nobody changed or prepared since it was made; waiting for its data is no change. */
  readonly isUntouched: boolean;
}

/** The latest review of a template that was not deleted, without those that a change of somebody made; undefined where there is none. */
export function findLatestOfTemplate(context: Context, templateId: string): Promise<LatestReview | undefined> {
  return context.db.maybe<LatestReview>(
    `SELECT r.id, r.state,
       (r.state = 'DRAFT' AND r.prepare_generation = 0 AND (r.updated_at = r.created_at OR r.held_at IS NOT NULL)) AS "isUntouched"
     FROM reviews r WHERE r.tenant_id = $1 AND r.template_id = $2 AND r.template_id <> '' AND NOT r.triggered AND r.state <> 'DELETED'
     ORDER BY r.id DESC LIMIT 1`,
    [context.tenantId, templateId],
  );
}
