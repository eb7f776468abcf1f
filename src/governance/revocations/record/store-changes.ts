/** SQL that reads the states that a removal was in. */
import { fixed, sql } from '../../../lib/sql.ts';
import type { Context } from '../../../context.ts';
import { getPersonNameSql, issuerSql, otherIssuerSql } from './store.ts';
import type { RevocationState } from './store-states.ts';
import { getSyncSql, type SyncRow } from './store-sync.ts';

/** A state that a removal was in. */
export interface ChangeRow {
  readonly state: RevocationState;
  readonly at: Date;
  readonly actorId: string;
  readonly actorName: string;
  /** Another person who issued what it was moved through; empty for nobody. */
  readonly actorIssuerId: string;
  readonly actorIssuerName: string;
  readonly syncId: string;
  readonly sync: SyncRow | null;
  readonly revision: number | null;
  readonly note: string;
}

/** Every state a removal was in, the oldest first: at most the last thousand. */
export function listChanges(context: Context, id: string): Promise<ChangeRow[]> {
  return context.db.rows<ChangeRow>(
    sql`SELECT n.* FROM (
       SELECT r.id, r.state, r.at, r.actor_id AS "actorId", ${getPersonNameSql(context, 'r.actor_id', 'r.at')} AS "actorName",
         ${fixed(issuerSql('r.actor_issuer_id', 'r.actor_id'))} AS "actorIssuerId",
         ${getPersonNameSql(context, otherIssuerSql('r.actor_issuer_id', 'r.actor_id'), 'r.at')} AS "actorIssuerName", r.sync_id AS "syncId",
         ${getSyncSql(context)} AS sync, r.revision, r.note
       FROM revocation_changes r WHERE r.tenant_id = ${context.tenantId} AND r.revocation_id = ${id} ORDER BY r.id DESC LIMIT 1000) n ORDER BY n.id`,
  );
}
