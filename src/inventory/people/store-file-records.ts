/**
 * SQL that finds whose the rows of a file are, set by set, and keeps them as the records of its source. The rows come as a piece of SQL; a push goes
 * through the same evidence in correlate.ts.
 */
import type { Context } from '../../context.ts';
import { fixed, type Sql, sql } from '../../lib/sql.ts';
import { newIdPrefix } from '../../wire/ids.ts';
import { getEvidenceSql, getStatusSql } from './store-evidence.ts';

/**
 * Finds whose each row is and fills the temporary table `import_records`, which ends with the transaction: line, by_employee_id (that is its anchor, else
 * the address), is_shared (another row has the employee id, too), email_key, record_id (of new records, too), is_reported (the source reported it
 * before), is_said (and says nothing else now), is_ended (TERMINATED), outcome, reason, user_id (of new people, too), candidate_ids, leaver_id, moves (the person does not have the row's address yet), is_first
 * (of several rows of one person, the one that speaks for them) and keeps_email (the address is somebody else's who is there: theirs stays as it is).
 * `rows` selects line, email, email_key, display_name, username, employee_id and employment_status, each address once.
 * Costs one pass over the rows; a few probes of indexes for each whose address or employee id somebody else has; passes for addresses where some move.
 */
export async function stageRecords(context: Context, sourceId: string, rows: Sql): Promise<void> {
  const { db, tenantId, now } = context;
  await db.run(`CREATE TEMP TABLE import_records (
      line bigint NOT NULL, by_employee_id boolean NOT NULL, is_shared boolean NOT NULL, email_key text COLLATE "C" NOT NULL,
      record_id text COLLATE "C" NOT NULL, is_reported boolean NOT NULL, is_said boolean NOT NULL, is_ended boolean NOT NULL, outcome text, user_id text COLLATE "C", moves boolean NOT NULL,
      reason text NOT NULL DEFAULT '', candidate_ids text[] NOT NULL DEFAULT '{}', leaver_id text COLLATE "C",
      is_first boolean NOT NULL DEFAULT true, keeps_email boolean NOT NULL DEFAULT false) ON COMMIT DROP`);
  const [recordPrefix, userPrefix] = [newIdPrefix(now), newIdPrefix(now)];
  // An employee id that several rows have keeps none of them apart: they are known by their addresses. Somebody of whom nobody has the address or
  // the employee id is new, and there is no evidence to look at.
  await db.run(
    sql`INSERT INTO import_records (line, by_employee_id, is_shared, email_key, record_id, is_reported, is_said, is_ended, outcome, user_id, moves)
      SELECT x.line, x.is_alone, x.employee_id <> '' AND NOT x.is_alone, x.email_key,
        coalesce(x.record_id, ${recordPrefix}::text || id_suffix(x.line)), x.record_id IS NOT NULL, x.is_same AND x.outcome IS NOT NULL AND x.outcome <> 'NEW', x.employment_status = 'TERMINATED', x.outcome,
        CASE x.outcome WHEN 'KNOWN' THEN x.user_id WHEN 'NEW' THEN ${userPrefix}::text || id_suffix(x.line) END,
        x.outcome IS NULL OR (x.outcome = 'KNOWN' AND x.has_moved)
      FROM (
        SELECT r.line, r.is_alone, r.email_key, r.employee_id, r.employment_status, k.id AS record_id, k.user_id,
          k.id IS NOT NULL AND k.state = 'LIVE' AND (k.verdict = 'IGNORED' OR k.reason = '' AND k.candidate_ids = '{}')
            AND k.email = r.email AND k.display_name = r.display_name AND k.username = r.username AND k.employee_id = r.employee_id AND k.employment_status = r.employment_status
            AND k.is_enabled IS NOT DISTINCT FROM (r.employment_status <> 'TERMINATED') AS is_same,
          CASE WHEN k.verdict = 'IGNORED' THEN 'IGNORED' WHEN ${isKnown} THEN 'KNOWN'
            WHEN EXISTS (SELECT FROM users_public w WHERE w.tenant_id = ${tenantId} AND w.email_key = r.email_key AND w.email_key <> '') THEN NULL
            WHEN EXISTS (SELECT FROM users_public w WHERE w.tenant_id = ${tenantId} AND w.employee_id = r.employee_id AND w.employee_id <> '') THEN NULL
            WHEN EXISTS (SELECT FROM person_records o WHERE o.tenant_id = ${tenantId} AND o.employee_id = r.employee_id AND o.employee_id <> ''
              AND o.state = 'LIVE') THEN NULL
            ELSE 'NEW' END AS outcome,
          r.email_key <> '' AND u.email_key <> r.email_key AS has_moved
        FROM (
          SELECT q.line, q.email, q.email_key, q.display_name, coalesce(q.username, '') AS username, coalesce(q.employee_id, '') AS employee_id,
            q.employment_status, q.is_alone, CASE WHEN q.is_alone THEN 'EMPLOYEE_ID' ELSE 'ADDRESS' END AS anchor_kind,
            CASE WHEN q.is_alone THEN q.employee_id ELSE q.email_key END AS anchor
          FROM (SELECT r.*, coalesce(r.employee_id, '') <> '' AND count(*) OVER (PARTITION BY r.employee_id) = 1 AS is_alone FROM (${rows}) AS r) AS q) AS r
        LEFT JOIN person_records k ON k.tenant_id = ${tenantId} AND k.source_id = ${sourceId} AND k.anchor_kind = r.anchor_kind AND k.anchor = r.anchor
        LEFT JOIN users_public u ON u.tenant_id = ${tenantId} AND u.id = k.user_id) AS x`,
  );
  await db.run('ANALYZE import_records');
  const found = await db.one<{ readonly unknown: number; readonly moving: number; readonly sharing: number }>(
    `SELECT count(*) FILTER (WHERE outcome IS NULL) AS unknown, count(*) FILTER (WHERE moves) AS moving,
       count(*) FILTER (WHERE is_shared AND outcome = 'NEW') AS sharing FROM import_records`,
  );
  if (found.sharing > 0) {
    await joinRows(context, rows);
  }
  if (found.unknown > 0) {
    await findByEvidence(context, sourceId, rows, userPrefix);
  }
  await db.run(
    sql`UPDATE import_records r SET is_first = false FROM (
        SELECT f.line, row_number() OVER (PARTITION BY f.user_id ORDER BY (f.email_key <> '' AND f.email_key = address_key(q.username)) DESC,
          k.first_seen_at NULLS LAST, f.line) AS place
        FROM import_records f JOIN (${rows}) AS q ON q.line = f.line LEFT JOIN person_records k ON k.tenant_id = ${tenantId} AND k.id = f.record_id
        WHERE f.user_id IN (SELECT g.user_id FROM import_records g WHERE g.user_id IS NOT NULL GROUP BY g.user_id HAVING count(*) > 1)) AS p
      WHERE p.line = r.line AND p.place > 1`,
  );
  if (found.moving > 0) {
    await keepAddresses(context);
  }
}

/**
 * A record whose anchor is an address is known by it only while its person is there, or where the row has the name of the person, or the one that the record
 * had before: an address is given to somebody else after its holder left. Any other anchor is the same person's, whatever else changed.
 */
const isKnown = sql`(k.user_id IS NOT NULL AND (k.anchor_kind <> 'ADDRESS'
  OR (k.state = 'LIVE' AND u.status = 'ENABLED' AND u.employment_status <> 'TERMINATED')
  OR name_key(r.display_name) IN (name_key(u.display_name), name_key(k.display_name))))`;

/** Makes rows of one employee id and one name, of whom nobody is known, one new person with two accounts. */
async function joinRows({ db }: Context, rows: Sql): Promise<void> {
  await db.run(
    sql`UPDATE import_records r SET user_id = o.user_id FROM (
        SELECT f.line, first_value(f.user_id) OVER (PARTITION BY q.employee_id, name_key(q.display_name) ORDER BY f.line) AS user_id
        FROM import_records f JOIN (${rows}) AS q ON q.line = f.line WHERE f.is_shared AND f.outcome = 'NEW') AS o
      WHERE o.line = r.line AND o.user_id <> r.user_id`,
  );
}

/**
 * Finds rows that their source reported before under the other one of its anchors: their employee id stood on another row, too, then or now, and they say
 * the same address and the same id. They go on as that record.
 */
async function findByOtherAnchor({ db, tenantId }: Context, sourceId: string, rows: Sql): Promise<void> {
  await db.run(
    sql`UPDATE import_records r SET record_id = k.id, is_reported = true, outcome = CASE k.verdict WHEN 'IGNORED' THEN 'IGNORED' ELSE 'KNOWN' END,
        user_id = k.user_id
      FROM (${rows}) AS q JOIN import_records f ON f.line = q.line
      JOIN person_records k ON k.tenant_id = ${tenantId} AND k.source_id = ${sourceId}
        AND k.anchor_kind = CASE WHEN f.by_employee_id THEN 'ADDRESS' ELSE 'EMPLOYEE_ID' END
        AND k.anchor = CASE WHEN f.by_employee_id THEN f.email_key ELSE q.employee_id END
      WHERE r.line = q.line AND f.outcome IS NULL AND (f.by_employee_id OR f.is_shared) AND k.state = 'LIVE' AND k.verdict <> 'DISPUTED'
        AND k.email_key = f.email_key AND k.employee_id = q.employee_id`,
  );
}

/** Condition that the file says of the person `u` that they left. */
const leavesSql = fixed(`EXISTS (SELECT FROM import_records g WHERE g.user_id = u.id AND g.outcome = 'KNOWN' AND g.is_ended)`);

/**
 * Looks at the evidence for the rows that their source did not report before, and whose address or employee id somebody has. Those whom their employee id
 * names go first: who gets another address by such a row is not found by the old one.
 */
async function findByEvidence(context: Context, sourceId: string, rows: Sql, userPrefix: string): Promise<void> {
  const { db, tenantId } = context;
  await db.run('CREATE INDEX ON import_records (user_id)');
  await findByOtherAnchor(context, sourceId, rows);
  const unknown = sql`SELECT f.line, f.email_key, coalesce(q.employee_id, '') AS employee_id, q.display_name, '' AS external_id, f.is_shared
    FROM import_records f JOIN (${rows}) AS q ON q.line = f.line WHERE f.outcome IS NULL`;
  const named = sql`${unknown} AND q.employee_id <> '' AND EXISTS (SELECT FROM users_public p WHERE p.tenant_id = ${tenantId}
    AND p.employee_id = q.employee_id AND p.employee_id <> '')`;
  // Where people are known, they have the address that the file says by the time it is in: addresses are swapped and handed on in one file.
  const holder = sql`SELECT w.id FROM users_public w WHERE w.tenant_id = ${tenantId} AND w.email_key = r.email_key AND w.email_key <> ''
    AND w.user_type = 'HUMAN' AND NOT EXISTS (
      SELECT FROM import_records f WHERE f.user_id = w.id AND f.outcome IN ('KNOWN', 'SAME') AND f.email_key <> '')`;
  for (const [asked, which] of [
    [named, sql`x.outcome = 'SAME'`],
    [unknown, sql`true`],
  ] as const) {
    await db.run(
      sql`UPDATE import_records r SET outcome = x.outcome, reason = x.reason, candidate_ids = coalesce(x.candidate_ids, '{}'), leaver_id = x.leaver_id,
          user_id = CASE x.outcome WHEN 'NEW' THEN ${userPrefix}::text || id_suffix(r.line) ELSE x.user_id END
        FROM (${getEvidenceSql(tenantId, sourceId, asked, holder, leavesSql)}) AS x WHERE x.line = r.line AND ${which}`,
    );
  }
}

/**
 * Lets people keep the address they have where the file gives them one of somebody who is there and keeps it; of somebody who left, it moves on. Who
 * keeps theirs may have what another row wanted: looked at again until nothing changes, which is once but for such chains.
 */
async function keepAddresses({ db, tenantId }: Context): Promise<void> {
  const isStaying = sql`(u.status = 'ENABLED' AND u.employment_status <> 'TERMINATED' AND NOT ${leavesSql})`;
  const found = sql`SELECT r.line, u.id AS holder_id, ${isStaying} AS is_staying FROM import_records r
    JOIN users_public u ON u.tenant_id = ${tenantId} AND u.email_key = r.email_key AND u.email_key <> '' AND u.id <> r.user_id
    WHERE r.moves AND r.user_id IS NOT NULL AND r.is_first AND r.email_key <> '' AND NOT r.keeps_email
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
    WHERE r.moves AND r.is_first AND NOT r.keeps_email`;
}

/**
 * Keeps the rows as records of the source. A complete file ends the records that it does not have, but for those of people whose one of its disputed
 * rows may be. Fills the temporary table `import_status` (user_id, status) with what all sources together say then of everybody of this one who has
 * another record than one row of the file; of all others the row alone speaks. Costs a pass over the tenant's records; writes grow with what changed.
 */
export async function keepRecords(context: Context, sourceId: string, rows: Sql, isComplete: boolean): Promise<void> {
  const { db, tenantId, now } = context;
  const verdict = sql`CASE WHEN r.outcome IN ('DISPUTED', 'IGNORED') THEN r.outcome WHEN k.verdict IN ('SAME_PERSON', 'NEW_PERSON') THEN k.verdict ELSE 'CLEAR' END`;
  const enabled = sql`r.employment_status <> 'TERMINATED'`;
  // Whoever looks at what was ignored is told why it was asked.
  const reason = sql`CASE WHEN r.outcome = 'IGNORED' THEN k.reason ELSE r.reason END`;
  const candidates = sql`CASE WHEN r.outcome = 'IGNORED' THEN k.candidate_ids ELSE r.candidate_ids END`;
  const told = sql`SELECT f.line, f.by_employee_id, f.record_id, f.is_reported, f.outcome, f.reason, f.user_id, f.candidate_ids, f.email_key,
      q.email, q.display_name, coalesce(q.username, '') AS username, coalesce(q.employee_id, '') AS employee_id, q.employment_status
    FROM import_records f JOIN (${rows}) AS q ON q.line = f.line WHERE NOT f.is_said`;
  const { differ } = await db.one<{ readonly differ: boolean }>('SELECT EXISTS (SELECT FROM import_records WHERE NOT is_said) AS differ');
  if (differ) {
    await db.run(
      sql`UPDATE person_records k SET user_id = r.user_id, state = 'LIVE', gone_at = NULL, email = r.email, email_key = r.email_key,
          display_name = r.display_name, username = r.username, employee_id = r.employee_id, employment_status = r.employment_status,
          is_enabled = ${enabled}, verdict = ${verdict}, reason = ${reason}, candidate_ids = ${candidates}, changed_at = ${now},
          disputed_at = CASE WHEN r.outcome = 'DISPUTED' THEN coalesce(k.disputed_at, ${now}) ELSE k.disputed_at END
        FROM (${told} AND f.is_reported) AS r
        WHERE k.tenant_id = ${tenantId} AND k.id = r.record_id
          AND (k.user_id, k.state, k.email, k.display_name, k.username, k.employee_id, k.employment_status, k.is_enabled, k.verdict, k.reason,
            k.candidate_ids)
          IS DISTINCT FROM (r.user_id, 'LIVE', r.email, r.display_name, r.username, r.employee_id, r.employment_status, ${enabled}, ${verdict},
            ${reason}, ${candidates} COLLATE "C")`,
    );
    // In the order of what they are found by: so the indexes grow at their ends.
    await db.run(
      sql`INSERT INTO person_records (tenant_id, id, source_id, anchor_kind, anchor, user_id, email, email_key, display_name, username, employee_id,
          employment_status, is_enabled, verdict, reason, candidate_ids, first_seen_at, changed_at, disputed_at)
        SELECT ${tenantId}, r.record_id, ${sourceId}, CASE WHEN r.by_employee_id THEN 'EMPLOYEE_ID' ELSE 'ADDRESS' END, r.anchor, r.user_id,
          r.email, r.email_key, r.display_name, r.username, r.employee_id, r.employment_status, ${enabled},
          CASE WHEN r.outcome = 'DISPUTED' THEN 'DISPUTED' ELSE 'CLEAR' END, r.reason, r.candidate_ids, ${now}, ${now},
          CASE WHEN r.outcome = 'DISPUTED' THEN ${now}::timestamptz END
        FROM (SELECT n.*, CASE WHEN n.by_employee_id THEN n.employee_id ELSE n.email_key END AS anchor FROM (${told} AND NOT f.is_reported) AS n
          ORDER BY anchor) AS r`,
    );
  }
  await keepOthers(context, sourceId, isComplete);
}

/** Ends the records of the source that a complete file does not have, and fills `import_status`. */
async function keepOthers({ db, tenantId, now }: Context, sourceId: string, isComplete: boolean): Promise<void> {
  await db.run(`CREATE TEMP TABLE import_others (record_id text COLLATE "C" NOT NULL, user_id text COLLATE "C", is_live boolean NOT NULL)
      ON COMMIT DROP`);
  const others = await db.run(
    sql`INSERT INTO import_others SELECT k.id, k.user_id, k.source_id = ${sourceId} AND k.state = 'LIVE' FROM person_records k
      WHERE k.tenant_id = ${tenantId} AND (k.user_id IS NOT NULL OR k.source_id = ${sourceId} AND k.state = 'LIVE')
        AND NOT EXISTS (SELECT FROM import_records r WHERE r.record_id = k.id)`,
  );
  await db.run('ANALYZE import_others');
  if (isComplete && others > 0) {
    await db.run(
      sql`UPDATE person_records k SET state = 'GONE', gone_at = ${now} FROM import_others o
        WHERE k.tenant_id = ${tenantId} AND k.id = o.record_id AND o.is_live
          AND NOT EXISTS (SELECT FROM import_records r WHERE r.outcome = 'DISPUTED' AND o.user_id = ANY (r.candidate_ids))`,
    );
  }
  await db.run(`CREATE TEMP TABLE import_status (user_id text COLLATE "C" NOT NULL, status text) ON COMMIT DROP`);
  const isTold = sql`k.user_id IN (SELECT o.user_id FROM import_others o UNION SELECT r.user_id FROM import_records r WHERE NOT r.is_first)
    AND k.user_id IN (SELECT o.user_id FROM person_records o WHERE o.tenant_id = ${tenantId} AND o.source_id = ${sourceId} AND o.user_id IS NOT NULL)`;
  const several = await db.one<{ readonly are: boolean }>('SELECT EXISTS (SELECT FROM import_records WHERE NOT is_first) AS are');
  if (others > 0 || several.are) {
    await db.run(sql`INSERT INTO import_status ${getStatusSql(tenantId, isTold)}`);
    await db.run('CREATE INDEX ON import_status (user_id)');
  }
  await db.run('ANALYZE import_status');
}
