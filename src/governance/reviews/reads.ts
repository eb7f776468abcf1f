/**
 * Data other modules may read of the reviews: a view for each interface, made by a migration, and functions. A column that is renamed in its table
 * keeps its name here. The columns are compared with the schema (test/schema.test.ts).
 */
import type { Context } from '../../context.ts';
import { sql } from '../../lib/sql.ts';
import type { PolicyUse } from '../policies/index.ts';

/**
 * `reviews_public`: a review, in whatever state. `reviews_pkey` answers by id, `reviews_open` those that are open, `reviews_by_template`
 * by template.
 */
export interface ReviewPublic {
  readonly tenant_id: string;
  readonly id: string;
  readonly state: string;
  readonly closing: boolean;
  readonly document: unknown;
  readonly created_by_id: string;
  readonly prepared_revision: number | null;
  readonly sources_frozen_at: Date | null;
  readonly started_at: Date | null;
  readonly closed_at: Date | null;
  readonly created_at: Date;
  readonly updated_at: Date;
  readonly deleted_at: Date | null;
  readonly next_at: Date | null;
  readonly template_id: string;
  readonly independence: unknown;
}

/** `review_owners_public`: an owner of a review. `review_owners_pkey` answers by review, `review_owners_by_user` by person. */
export interface ReviewOwner {
  readonly tenant_id: string;
  readonly review_id: string;
  readonly user_id: string;
  readonly created_at: Date;
}

/** Returns reviews, whole, as a FROM item: later modules name the view themselves, earlier ones are given it (src/slots.ts). `reviews_pkey` answers. */
export const reviewsItem = 'reviews_public';

/** Tests if a review that is prepared or open asks for signatures by this step-up provider. Looks at each review of the tenant: there are few (`reviews_pkey`). */
export function isProviderInUse({ db, tenantId }: Context, providerId: string): Promise<boolean> {
  return db.value<boolean>(sql`SELECT EXISTS (SELECT FROM reviews r WHERE r.tenant_id = ${tenantId} AND r.state IN ('PREPARING', 'REVIEW', 'STARTING', 'OPEN')
    AND r.document #>> '{signatureConfig,stepUpProviderId}' = ${providerId}
    AND r.document #> '{signatureConfig,requireSignature}' = 'true') AS "isInUse"`);
}

/** Lists up to `limit` drafts (those being prepared too) that choose this policy, for all or for an entitlement. Looks at each review (`reviews_pkey`). */
export function listPolicyUses(context: Context, id: string, limit: number): Promise<PolicyUse[]> {
  const { tenantId } = context;
  return context.db.rows<PolicyUse>(
    sql`SELECT r.id, coalesce(r.document ->> 'displayName', '') AS "displayName" FROM reviews r
      WHERE r.tenant_id = ${tenantId} AND r.state IN ('DRAFT', 'PREPARING') AND (r.document ->> 'policyId' = ${id} OR EXISTS (
        SELECT FROM setup_entitlements s WHERE s.tenant_id = ${tenantId} AND s.review_id = r.id AND s.custom_policy_id = ${id}))
      ORDER BY r.id LIMIT ${limit}`,
  );
}

/** Lists the names of these reviews, in whatever state, by id; unknown ids are left out. `reviews_pkey` answers. */
export async function listReviewNames({ db, tenantId }: Context, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const rows = await db.rows<{ id: string; name: string }>(
    sql`SELECT r.id, coalesce(r.document ->> 'displayName', '') AS name FROM reviews r
      WHERE r.tenant_id = ${tenantId} AND r.id = ANY (${[...new Set(ids)]})`,
  );
  return new Map(rows.map(({ id, name }) => [id, name]));
}
