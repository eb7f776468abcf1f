/**
 * Data other modules may read of the policies: a view for each interface, made by a migration, and functions. A column that is renamed in its table
 * keeps its name here. The columns are compared with the schema (test/schema.test.ts).
 */
import type { PolicyTypeJson } from '../../gen/c1/api/policy/v1/policy_pb.js';
import type { Context } from '../../context.ts';

/** `policies_public`: a policy, also one that is gone (`deleted_at`). `policies_pkey` answers by id. */
export interface PolicyPublic {
  readonly tenant_id: string;
  readonly id: string;
  readonly display_name: string;
  readonly policy_type: string;
  readonly document: unknown;
  readonly created_at: Date;
  readonly updated_at: Date;
  readonly deleted_at: Date | null;
}

/** Returns the types of those of the policies that are there, by id; none is deleted until the transaction ends. `policies_pkey` answers. */
export async function lockPolicyTypes(context: Context, ids: readonly string[]): Promise<Map<string, PolicyTypeJson>> {
  const rows = await context.db.rows<{ id: string; type: PolicyTypeJson }>(
    `SELECT id, policy_type AS type FROM policies WHERE tenant_id = $1 AND id = ANY ($2) AND deleted_at IS NULL ORDER BY id FOR KEY SHARE`,
    [context.tenantId, [...new Set(ids)]],
  );
  return new Map(rows.map((row) => [row.id, row.type]));
}
