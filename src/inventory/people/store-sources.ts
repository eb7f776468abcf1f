/** SQL that counts the disputed records of each source, for lists of sources and for what a snapshot rests on. */
import type { Context } from '../../context.ts';
import { fixed, type Sql, sql } from '../../lib/sql.ts';

/** More disputed records of a source than these are not counted in lists of sources. */
const maxCounted = 1_000;

/** Returns how many records of the source `c` are disputed, as a scalar; 1,000 stands for that many or more. `person_records_disputed_by_source` answers. */
export function getDisputedCountSql(): Sql {
  return fixed(`(SELECT count(*)::int FROM (SELECT FROM person_records k WHERE k.tenant_id = c.tenant_id AND k.source_id = c.id
    AND k.verdict = 'DISPUTED' AND k.state = 'LIVE' LIMIT ${maxCounted}) AS asked)`);
}

/** A source that reports people, and how many of its records are disputed. */
export interface PeopleSource {
  readonly sourceId: string;
  readonly displayName: string;
  readonly disputed: number;
}

/** Counts the disputed records of each source that reports people now, by id. */
export function listPeopleSources({ db, tenantId }: Context): Promise<PeopleSource[]> {
  return db.rows<PeopleSource>(
    sql`SELECT s.id AS "sourceId", s.display_name AS "displayName",
        (SELECT count(*)::int FROM person_records k WHERE k.tenant_id = ${tenantId} AND k.source_id = s.id AND k.verdict = 'DISPUTED'
          AND k.state = 'LIVE') AS disputed
      FROM sources_public s WHERE s.tenant_id = ${tenantId} AND s.deleted_at IS NULL
        AND EXISTS (SELECT FROM person_records x WHERE x.tenant_id = ${tenantId} AND x.source_id = s.id) ORDER BY s.id`,
  );
}
