/** SQL that removes what an identity provider pushed about a person. */
import type { Context } from '../../context.ts';
import { holdsTextSql } from '../../lib/words.ts';
import { sql } from '../../lib/sql.ts';

/** Removes the pushed documents of a person and of their accounts. */
export async function erasePushed({ db, tenantId }: Context, userId: string, accountIds: readonly string[]): Promise<void> {
  await db.run(
    sql`DELETE FROM scim_resources WHERE tenant_id = ${tenantId} AND kind = 'USER' AND (user_id = ${userId} OR account_id = ANY (${accountIds}))`,
  );
}

/**
 * Takes the attributes that hold one of these texts out of pushed groups; the name of a group that is still there stays, since it names the entitlement,
 * too. A group that was deleted and is named so is removed.
 */
export async function erasePushedGroups({ db, tenantId, now }: Context, texts: readonly string[]): Promise<void> {
  await db.run(
    sql`DELETE FROM scim_resources WHERE tenant_id = ${tenantId} AND kind = 'GROUP' AND deleted_at IS NOT NULL AND ${holdsTextSql('document', texts)}`,
  );
  const kept = sql`coalesce((SELECT jsonb_object_agg(m.key, m.value) FROM jsonb_each(g.document) AS m
    WHERE m.key = 'displayName' OR NOT ${holdsTextSql('m.value', texts)}), '{}')`;
  const keptKeys = sql`coalesce((SELECT jsonb_object_agg(m.key, m.value) FROM jsonb_each(g.keys) AS m WHERE NOT ${holdsTextSql('m.value', texts)}), '{}')`;
  await db.run(
    sql`UPDATE scim_resources g SET document = ${kept}, keys = ${keptKeys}, version = g.version + 1, updated_at = ${now}
      WHERE g.tenant_id = ${tenantId} AND g.kind = 'GROUP' AND g.deleted_at IS NULL AND ${holdsTextSql("(g.document - 'displayName')", texts)}`,
  );
}
