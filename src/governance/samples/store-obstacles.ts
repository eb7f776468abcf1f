/** SQL that finds what depends on samples without being one: each question says how many there are, and one by its name. */
import type { Context } from '../../context.ts';
import { type Sql, sql } from '../../lib/sql.ts';
import type { Samples } from './store.ts';

/** Number found, and the name of the first; '' where there are none. */
export interface Found {
  readonly count: number;
  readonly name: string;
}

/** Questions, each asked on its own. */
export interface Dependents {
  /** Reviews with tasks about samples, or with questions that wait for sample people. */
  readonly reviews: Found;
  /** Sample reviews that ask about other apps. */
  readonly mixedReviews: Found;
  /** Sample reviews of which something runs. */
  readonly busyReviews: Found;
  /** Sample apps that hear of other files or of identity providers. */
  readonly fedApps: Found;
  /** Other apps in which sample people own accounts, or which they own. */
  readonly apps: Found;
  /** Other people whose manager is a sample. */
  readonly people: Found;
  /** Other reviews that sample people own. */
  readonly ownedReviews: Found;
}

/** `from` selects what is found as `name`. */
async function find({ db }: Context, from: Sql): Promise<Found> {
  return db.one<Found>(sql`SELECT count(*) AS count, coalesce(min(f.name), '') AS name FROM (${from}) AS f`);
}

/** Finds what depends on these samples. */
export async function findDependents(context: Context, samples: Samples): Promise<Dependents> {
  const { tenantId } = context;
  const { userIds, appIds, reviewIds } = samples;
  const title = sql`r.document ->> 'displayName' AS name`;
  // Drafts ask nobody yet, and what is closed is kept as it is.
  const others = sql`r.tenant_id = ${tenantId} AND r.state NOT IN ('DRAFT', 'CLOSED', 'DELETED') AND r.id <> ALL (${reviewIds})`;
  const asks = sql`SELECT FROM tasks_public t LEFT JOIN assignments_public a ON a.tenant_id = ${tenantId} AND a.id = t.assignment_id
    WHERE t.tenant_id = ${tenantId} AND t.review_id = r.id
      AND (t.app_id = ANY (${appIds}) OR t.user_id = ANY (${userIds}) OR t.state = 'OPEN' AND a.user_ids && ${userIds}::text[])`;
  const otherApps = sql`p.tenant_id = ${tenantId} AND p.deleted_at IS NULL AND p.id <> ALL (${appIds})`;
  return {
    reviews: await find(context, sql`SELECT ${title} FROM reviews_public r WHERE ${others} AND EXISTS (${asks})`),
    mixedReviews: await find(
      context,
      sql`SELECT ${title} FROM reviews_public r WHERE r.tenant_id = ${tenantId} AND r.id = ANY (${reviewIds})
        AND EXISTS (SELECT FROM tasks_public t WHERE t.tenant_id = ${tenantId} AND t.review_id = r.id AND t.app_id <> ALL (${appIds})
          AND EXISTS (SELECT FROM apps_public p WHERE p.tenant_id = ${tenantId} AND p.id = t.app_id AND p.deleted_at IS NULL))`,
    ),
    busyReviews: await find(
      context,
      sql`SELECT ${title} FROM reviews_public r WHERE r.tenant_id = ${tenantId} AND r.id = ANY (${reviewIds})
        AND (r.closing OR r.state IN ('PREPARING', 'STARTING'))`,
    ),
    fedApps: await find(
      context,
      sql`SELECT p.display_name AS name FROM apps_public p JOIN samples s ON s.tenant_id = ${tenantId} AND s.kind = 'APP' AND s.object_id = p.id
        WHERE p.tenant_id = ${tenantId} AND p.id = ANY (${appIds})
          AND (EXISTS (SELECT FROM syncs_public i WHERE i.tenant_id = ${tenantId} AND i.app_id = p.id AND i.state = 'DONE' AND i.created_at > s.marked_at)
            OR EXISTS (SELECT FROM sources_public c WHERE c.tenant_id = ${tenantId} AND c.app_id = p.id AND c.kind = 'SCIM' AND c.deleted_at IS NULL))`,
    ),
    apps: await find(
      context,
      sql`SELECT p.display_name AS name FROM apps_public p WHERE ${otherApps}
        AND (EXISTS (SELECT FROM accounts_public c WHERE c.tenant_id = ${tenantId} AND c.app_id = p.id AND c.user_id = ANY (${userIds}) AND c.status <> 'DELETED')
          OR EXISTS (SELECT FROM app_owners o WHERE o.tenant_id = ${tenantId} AND o.app_id = p.id AND o.user_id = ANY (${userIds})))`,
    ),
    people: await find(
      context,
      sql`SELECT coalesce(nullif(u.display_name, ''), u.email) AS name FROM users_public u
        WHERE u.tenant_id = ${tenantId} AND u.manager_id = ANY (${userIds}) AND u.status <> 'DELETED' AND u.id <> ALL (${userIds})`,
    ),
    ownedReviews: await find(
      context,
      sql`SELECT ${title} FROM reviews_public r WHERE ${others}
        AND EXISTS (SELECT FROM review_owners_public o WHERE o.tenant_id = ${tenantId} AND o.review_id = r.id AND o.user_id = ANY (${userIds}))`,
    ),
  };
}
