/**
 * SQL that finds whose the rows of a file are, set by set, and keeps them as the records of its source. The rows come as a piece of SQL; a push goes
 * through the same evidence in correlate.ts.
 */
import type { Context } from '../../context.ts';
import { fixed, type Sql, sql } from '../../lib/sql.ts';
import { newIdPrefix } from '../../wire/ids.ts';
import { getEvidenceSql, getStatusSql } from './store-evidence.ts';

/**
 * Finds whose each row is and fills the temporary table `import_records`, which ends with the transaction: line, anchor_kind, anchor, what the row says,
 * outcome, reason, user_id (of new people, too), candidate_ids, is_first (of several rows of one person, the one that speaks for them) and keeps_email
 * (the address is somebody else's who is there: theirs stays as it is). `rows` selects line, email, email_key, display_name, username, employee_id and
 * employment_status, each address once. Costs two passes over the rows, and a few probes of indexes for each that the source did not report before.
 */
export async function stageRecords(context: Context, sourceId: string, rows: Sql): Promise<void> {
  const { db, tenantId } = context;
  await db.run(`CREATE TEMP TABLE import_records (
      line bigint NOT NULL, anchor_kind text NOT NULL, anchor text COLLATE "C" NOT NULL, email text NOT NULL, email_key text COLLATE "C" NOT NULL,
      display_name text NOT NULL, username text NOT NULL, employee_id text COLLATE "C" NOT NULL, employment_status text NOT NULL,
      external_id text NOT NULL DEFAULT '', record_id text COLLATE "C", outcome text, reason text NOT NULL DEFAULT '', user_id text COLLATE "C",
      candidate_ids text[] NOT NULL DEFAULT '{}', leaver_id text COLLATE "C", is_first boolean NOT NULL DEFAULT true,
      keeps_email boolean NOT NULL DEFAULT false) ON COMMIT DROP`);
  // An employee id that several rows have keeps nobody apart: they are known by their addresses.
  await db.run(
    sql`INSERT INTO import_records (line, anchor_kind, anchor, email, email_key, display_name, username, employee_id, employment_status,
        record_id, outcome, user_id)
      SELECT r.line, r.anchor_kind, r.anchor, r.email, r.email_key, r.display_name, r.username, r.employee_id, r.employment_status, k.id,
        CASE WHEN k.verdict = 'IGNORED' THEN 'IGNORED' WHEN ${isKnown} THEN 'KNOWN' END, CASE WHEN ${isKnown} THEN k.user_id END
      FROM (
        SELECT q.line, q.email, q.email_key, q.display_name, coalesce(q.username, '') AS username, coalesce(q.employee_id, '') AS employee_id,
          q.employment_status, CASE WHEN q.is_alone THEN 'EMPLOYEE_ID' ELSE 'ADDRESS' END AS anchor_kind,
          CASE WHEN q.is_alone THEN q.employee_id ELSE q.email_key END AS anchor
        FROM (SELECT r.*, r.employee_id <> '' AND count(*) OVER (PARTITION BY r.employee_id) = 1 AS is_alone FROM (${rows}) AS r) AS q) AS r
      LEFT JOIN person_records k ON k.tenant_id = ${tenantId} AND k.source_id = ${sourceId} AND k.anchor_kind = r.anchor_kind AND k.anchor = r.anchor
      LEFT JOIN users_public u ON u.tenant_id = ${tenantId} AND u.id = k.user_id`,
  );
  await db.run('CREATE INDEX ON import_records (user_id); CREATE INDEX ON import_records (email_key)');
  await db.run('ANALYZE import_records');
  await findByEvidence(context, sourceId);
  await db.run(
    sql`UPDATE import_records r SET user_id = ${newIdPrefix(context.now)}::text || id_suffix(n.place)
      FROM (SELECT line, row_number() OVER (ORDER BY line) AS place FROM import_records WHERE outcome = 'NEW') AS n WHERE n.line = r.line`,
  );
  await db.run(
    sql`UPDATE import_records r SET is_first = false FROM (
        SELECT f.line, row_number() OVER (PARTITION BY f.user_id ORDER BY (f.email_key <> '' AND f.email_key = lower(f.username)) DESC,
          k.first_seen_at NULLS LAST, f.line) AS place
        FROM import_records f LEFT JOIN person_records k ON k.tenant_id = ${tenantId} AND k.id = f.record_id
        WHERE f.user_id IN (SELECT g.user_id FROM import_records g WHERE g.user_id IS NOT NULL GROUP BY g.user_id HAVING count(*) > 1)) AS p
      WHERE p.line = r.line AND p.place > 1`,
  );
  await keepAddresses(context);
  await db.run('ANALYZE import_records');
}

/**
 * A record whose anchor is an address is known by it only while its person is there, or has the same name: an address is given to somebody else after
 * its holder left. Any other anchor is the same person's, whatever else changed.
 */
const isKnown = sql`(k.user_id IS NOT NULL AND (k.anchor_kind <> 'ADDRESS'
  OR (k.state = 'LIVE' AND u.status = 'ENABLED' AND u.employment_status <> 'TERMINATED')
  OR name_key(u.display_name) = name_key(r.display_name)))`;

/** Looks at the evidence for the rows that their source did not report before. */
async function findByEvidence({ db, tenantId }: Context, sourceId: string): Promise<void> {
  const unknown = sql`SELECT f.line, f.email_key, f.employee_id, f.display_name, f.external_id FROM import_records f WHERE f.outcome IS NULL`;
  // Where people are known, they have the address that the file says by the time it is in: addresses are swapped and handed on in one file.
  const holder = sql`SELECT f.user_id AS id FROM import_records f WHERE f.email_key = r.email_key AND f.outcome = 'KNOWN'
    UNION SELECT w.id FROM users_public w WHERE w.tenant_id = ${tenantId} AND w.email_key = r.email_key AND w.email_key <> '' AND w.user_type = 'HUMAN'
      AND NOT EXISTS (SELECT FROM import_records f WHERE f.user_id = w.id AND f.outcome = 'KNOWN' AND f.email_key <> '')
    LIMIT 1`;
  await db.run(
    sql`UPDATE import_records r SET outcome = x.outcome, reason = x.reason, user_id = x.user_id, candidate_ids = coalesce(x.candidate_ids, '{}'),
        leaver_id = x.leaver_id
      FROM (${getEvidenceSql(tenantId, sourceId, unknown, holder)}) AS x WHERE x.line = r.line`,
  );
}

/**
 * Lets people keep the address they have where the file gives them one of somebody who is there and keeps it; of somebody who left, it moves on. Who
 * keeps theirs may have what another row wanted: looked at again until nothing changes, which is once but for such chains.
 */
async function keepAddresses({ db, tenantId }: Context): Promise<void> {
  const isStaying = sql`u.status = 'ENABLED' AND u.employment_status <> 'TERMINATED'`;
  const found = sql`SELECT r.line, u.id AS holder_id, ${isStaying} AS is_staying FROM import_records r
    JOIN users_public u ON u.tenant_id = ${tenantId} AND u.email_key = r.email_key AND u.email_key <> '' AND u.id <> r.user_id
    WHERE r.user_id IS NOT NULL AND r.is_first AND r.email_key <> '' AND NOT r.keeps_email
      AND NOT EXISTS (SELECT FROM import_records f WHERE f.user_id = u.id AND f.is_first AND f.email_key <> '' AND f.email_key <> u.email_key
        AND NOT f.keeps_email)`;
  for (;;) {
    const kept = await db.run(
      sql`UPDATE import_records r SET keeps_email = true FROM (${found}) AS x WHERE x.line = r.line AND x.is_staying AND r.outcome <> 'NEW'`,
    );
    // Nobody new is made beside somebody who has the address.
    const disputed = await db.run(
      sql`UPDATE import_records r SET outcome = 'DISPUTED', reason = 'OTHER_ID', user_id = NULL, candidate_ids = ARRAY[x.holder_id], leaver_id = NULL
        FROM (${found}) AS x WHERE x.line = r.line AND x.is_staying AND r.outcome = 'NEW'`,
    );
    if (kept + disputed === 0) {
      break;
    }
  }
  await db.run(sql`UPDATE import_records r SET leaver_id = x.holder_id FROM (${found}) AS x WHERE x.line = r.line AND NOT x.is_staying`);
}

/** Those who left and whose address a row of the file has now, as rows (id). */
export const leaversSql = fixed('SELECT r.leaver_id AS id FROM import_records r WHERE r.leaver_id IS NOT NULL AND r.user_id IS NOT NULL');

/** Returns those whose address another row has, and who get another one by the same file, as rows (id). */
export function getMoversSql(tenantId: string): Sql {
  return sql`SELECT u.id FROM import_records r
    JOIN users_public u ON u.tenant_id = ${tenantId} AND u.email_key = r.email_key AND u.email_key <> '' AND u.id <> r.user_id
    WHERE r.is_first AND NOT r.keeps_email`;
}

/** People of the source who may change by its file: whose record it has, or had until now. */
function getToldSql(tenantId: string, sourceId: string): Sql {
  return sql`SELECT k.user_id AS id FROM person_records k WHERE k.tenant_id = ${tenantId} AND k.source_id = ${sourceId} AND k.user_id IS NOT NULL`;
}

/**
 * Keeps the rows as records of the source. A complete file ends the records that it does not have, but for those of people whose one of its disputed
 * rows may be. Fills the temporary table `import_status` (user_id, status) with what all sources together say then of everybody of this one. Writes grow
 * with what changed; costs a few passes over the records of the source.
 */
export async function keepRecords(context: Context, sourceId: string, isComplete: boolean): Promise<void> {
  const { db, tenantId, now } = context;
  const verdict = sql`CASE WHEN r.outcome IN ('DISPUTED', 'IGNORED') THEN r.outcome WHEN k.verdict IN ('SAME_PERSON', 'NEW_PERSON') THEN k.verdict ELSE 'CLEAR' END`;
  const enabled = sql`r.employment_status <> 'TERMINATED'`;
  await db.run(
    sql`UPDATE person_records k SET user_id = r.user_id, state = 'LIVE', gone_at = NULL, email = r.email, email_key = r.email_key,
        display_name = r.display_name, username = r.username, employee_id = r.employee_id, employment_status = r.employment_status,
        is_enabled = ${enabled}, verdict = ${verdict}, reason = r.reason, candidate_ids = r.candidate_ids, changed_at = ${now},
        disputed_at = CASE WHEN r.outcome = 'DISPUTED' THEN coalesce(k.disputed_at, ${now}) ELSE k.disputed_at END
      FROM import_records r
      WHERE k.tenant_id = ${tenantId} AND k.id = r.record_id
        AND (k.user_id, k.state, k.email, k.display_name, k.username, k.employee_id, k.employment_status, k.is_enabled, k.verdict, k.reason,
          k.candidate_ids)
        IS DISTINCT FROM (r.user_id, 'LIVE', r.email, r.display_name, r.username, r.employee_id, r.employment_status, ${enabled}, ${verdict},
          r.reason, r.candidate_ids COLLATE "C")`,
  );
  await db.run(
    sql`INSERT INTO person_records (tenant_id, id, source_id, anchor_kind, anchor, user_id, email, email_key, display_name, username, employee_id,
        employment_status, is_enabled, verdict, reason, candidate_ids, first_seen_at, changed_at, disputed_at)
      SELECT ${tenantId}, ${newIdPrefix(now)}::text || id_suffix(row_number() OVER (ORDER BY r.line)), ${sourceId}, r.anchor_kind, r.anchor, r.user_id,
        r.email, r.email_key, r.display_name, r.username, r.employee_id, r.employment_status, ${enabled},
        CASE WHEN r.outcome = 'DISPUTED' THEN 'DISPUTED' ELSE 'CLEAR' END, r.reason, r.candidate_ids, ${now}, ${now},
        CASE WHEN r.outcome = 'DISPUTED' THEN ${now}::timestamptz END
      FROM import_records r WHERE r.record_id IS NULL`,
  );
  if (isComplete) {
    await db.run(
      sql`UPDATE person_records k SET state = 'GONE', gone_at = ${now}
        WHERE k.tenant_id = ${tenantId} AND k.source_id = ${sourceId} AND k.state = 'LIVE'
          AND NOT EXISTS (SELECT FROM import_records r WHERE r.anchor_kind = k.anchor_kind AND r.anchor = k.anchor)
          AND NOT EXISTS (SELECT FROM import_records r WHERE r.outcome = 'DISPUTED' AND k.user_id = ANY (r.candidate_ids))`,
    );
  }
  await db.run(`CREATE TEMP TABLE import_status (user_id text COLLATE "C" NOT NULL, status text) ON COMMIT DROP`);
  await db.run(sql`INSERT INTO import_status ${getStatusSql(tenantId, sql`k.user_id IN (${getToldSql(tenantId, sourceId)})`)}`);
  await db.run('CREATE INDEX ON import_status (user_id)');
  await db.run('ANALYZE import_status');
}
