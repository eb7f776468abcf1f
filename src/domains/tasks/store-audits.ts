/**
 * SQL of task audits: the actions of one task, in order.
 */
import type { Context } from '../../context.ts';
import type { ActionData, ActionKind } from './task.ts';

/** One action with all that an audit says of it. */
export interface ActionRow {
  readonly id: string;
  readonly kind: ActionKind;
  readonly step: number;
  readonly stepGeneration: number;
  readonly actorId: string;
  readonly issuerId: string;
  readonly comment: string;
  readonly data: ActionData;
  readonly submissionId: string;
  readonly createdAt: Date;
}

/** A page of the actions of a task by id, from `from` on (inclusive); only those with a comment, or with these ids, where that is asked. */
export function listActions(
  context: Context,
  taskId: string,
  filter: {
    readonly from: string | undefined;
    readonly newestFirst: boolean;
    readonly commentsOnly: boolean;
    readonly ids: readonly string[] | undefined;
  },
  limit: number,
): Promise<ActionRow[]> {
  const low = filter.newestFirst ? '' : (filter.from ?? '');
  // '~' sorts behind every identifier.
  const high = filter.newestFirst ? (filter.from ?? '~') : '~';
  return context.db.rows<ActionRow>(
    `SELECT x.id, x.kind, x.step, x.step_generation AS "stepGeneration", x.actor_id AS "actorId", x.issuer_id AS "issuerId", x.comment, x.data,
       x.submission_id AS "submissionId", x.created_at AS "createdAt"
     FROM task_actions x
     WHERE x.tenant_id = $1 AND x.task_id = $2 AND x.id >= $3 AND x.id <= $4 AND (NOT $5::boolean OR x.comment <> '')
       AND ($6::text[] IS NULL OR x.id = ANY ($6))
     ORDER BY x.id ${filter.newestFirst ? 'DESC' : 'ASC'} LIMIT $7`,
    [context.tenantId, taskId, low, high, filter.commentsOnly, filter.ids ?? null, limit],
  );
}
