/**
 * SQL of task audits: the actions of one task, in order.
 */
import { allSql, fixed, sql } from '../../../lib/sql.ts';
import type { Context } from '../../../context.ts';
import type { ActionData, ActionKind } from '../task/index.ts';

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
  const { from, newestFirst, commentsOnly, ids } = filter;
  const where = [
    sql`x.tenant_id = ${context.tenantId} AND x.task_id = ${taskId}`,
    ...(from === undefined ? [] : [newestFirst ? sql`x.id <= ${from}` : sql`x.id >= ${from}`]),
    ...(commentsOnly ? [sql`x.comment <> ''`] : []),
    ...(ids === undefined ? [] : [sql`x.id = ANY (${ids})`]),
  ];
  return context.db.rows<ActionRow>(
    sql`SELECT x.id, x.kind, x.step, x.step_generation AS "stepGeneration", x.actor_id AS "actorId", x.issuer_id AS "issuerId", x.comment, x.data,
       x.submission_id AS "submissionId", x.created_at AS "createdAt"
     FROM task_actions x WHERE ${allSql(where)} ORDER BY x.id ${fixed(newestFirst ? 'DESC' : 'ASC')} LIMIT ${limit}`,
  );
}
