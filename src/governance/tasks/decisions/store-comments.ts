/** SQL of what people wrote in a review, with the names of what it is about. An index has the comments of a review, and of a person in it, by id. */
import { allSql, sql } from '../../../lib/sql.ts';
import type { Context } from '../../../context.ts';
import { nameAtSql } from '../../../foundation/directory/index.ts';
import type { ActionKind } from '../task/index.ts';

/** A comment, and what was done with it. */
export interface CommentRow {
  readonly id: string;
  readonly taskId: string;
  readonly kind: ActionKind;
  readonly comment: string;
  readonly createdAt: Date;
  readonly userId: string;
  readonly userName: string;
  /** Issuer of what it was written through; empty for nobody. */
  readonly issuerId: string;
  readonly issuerName: string;
  readonly appId: string;
  readonly appName: string;
  readonly entitlementId: string;
  readonly entitlement: string;
  readonly subject: string;
}

/** A page of comments, the newest first, behind the one with this id; only those of one person where one is named. */
export function listComments(
  { db, tenantId }: Context,
  of: { readonly reviewId: string; readonly userId: string | undefined },
  after: string | undefined,
  limit: number,
): Promise<CommentRow[]> {
  const where = [
    sql`x.tenant_id = ${tenantId} AND x.review_id = ${of.reviewId} AND x.comment <> '' AND x.actor_id <> ''`,
    ...(of.userId === undefined ? [] : [sql`x.actor_id = ${of.userId}`]),
    ...(after === undefined ? [] : [sql`x.id < ${after}`]),
  ];
  return db.rows<CommentRow>(
    sql`SELECT x.id, x.task_id AS "taskId", x.kind, x.comment, x.created_at AS "createdAt", x.actor_id AS "userId",
       coalesce(${nameAtSql(tenantId, 'x.actor_id', 'x.created_at')}, '') AS "userName", x.issuer_id AS "issuerId",
       coalesce(${nameAtSql(tenantId, 'x.issuer_id', 'x.created_at')}, '') AS "issuerName", t.app_id AS "appId", e.app_display_name AS "appName",
       t.entitlement_id AS "entitlementId", e.display_name AS entitlement, coalesce(nullif(a.user_display_name, ''), a.external_id) AS subject
     FROM (SELECT x.* FROM task_actions x WHERE ${allSql(where)} ORDER BY x.id DESC LIMIT ${limit}) x
     JOIN tasks t ON t.tenant_id = ${tenantId} AND t.id = x.task_id
     JOIN snapshot_entitlements e ON e.tenant_id = ${tenantId} AND e.review_id = x.review_id AND e.app_id = t.app_id AND e.entitlement_id = t.entitlement_id
     JOIN snapshot_accounts a ON a.tenant_id = ${tenantId} AND a.review_id = x.review_id AND a.app_id = t.app_id AND a.account_id = t.account_id
     ORDER BY x.id DESC`,
  );
}
