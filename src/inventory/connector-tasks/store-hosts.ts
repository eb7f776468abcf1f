/** SQL of the table `source_hosts`: where the connector of a source runs. */
import { sql } from '../../lib/sql.ts';
import type { Context } from '../../context.ts';

/** A host, as its connector describes it. */
export interface HostRow {
  readonly hostId: string;
  readonly hostname: string;
  readonly platform: string;
  readonly package: string;
  readonly packageVersion: string;
  readonly capabilities: readonly string[];
  /** Names of capabilities by resource type. */
  readonly typeCapabilities: Readonly<Record<string, readonly string[]>>;
  /** Null before it said what it is. */
  readonly greetedAt: Date | null;
  readonly seenAt: Date;
}

/** Facts a host gives of itself. */
export type HostFacts = Omit<HostRow, 'greetedAt' | 'seenAt'>;

const columns = `host_id AS "hostId", hostname, platform, package, package_version AS "packageVersion", capabilities,
  type_capabilities AS "typeCapabilities", greeted_at AS "greetedAt", seen_at AS "seenAt"`;

/** Returns one host of a source. */
export function findHost(context: Context, sourceId: string, hostId: string): Promise<HostRow | undefined> {
  return context.db.maybe<HostRow>(`SELECT ${columns} FROM source_hosts WHERE tenant_id = $1 AND source_id = $2 AND host_id = $3`, [
    context.tenantId,
    sourceId,
    hostId,
  ]);
}

/** A page of hosts, by id. */
export function listHosts(context: Context, sourceId: string, after: string, limit: number): Promise<HostRow[]> {
  return context.db.rows<HostRow>(
    `SELECT ${columns} FROM source_hosts WHERE tenant_id = $1 AND source_id = $2 AND host_id > $3 ORDER BY host_id LIMIT $4`,
    [context.tenantId, sourceId, after, limit],
  );
}

/** Counts the hosts of a source. */
export function countHosts(context: Context, sourceId: string): Promise<number> {
  return context.db.value<number>('SELECT count(*) AS count FROM source_hosts WHERE tenant_id = $1 AND source_id = $2', [
    context.tenantId,
    sourceId,
  ]);
}

/** Forgets the host that was not seen for longest. */
export async function removeOldestHost(context: Context, sourceId: string): Promise<void> {
  await context.db.run(
    `DELETE FROM source_hosts WHERE tenant_id = $1 AND source_id = $2 AND host_id =
       (SELECT host_id FROM source_hosts WHERE tenant_id = $1 AND source_id = $2 ORDER BY seen_at, host_id LIMIT 1)`,
    [context.tenantId, sourceId],
  );
}

/** Notes that a host asked for work, at most once a minute; false where it is not known yet. */
export async function touchHost(context: Context, sourceId: string, hostId: string): Promise<boolean> {
  const { tenantId, now } = context;
  const row = await context.db.maybe<{ seenAt: Date }>(
    sql`SELECT seen_at AS "seenAt" FROM source_hosts WHERE tenant_id = ${tenantId} AND source_id = ${sourceId} AND host_id = ${hostId}`,
  );
  if (row !== undefined && now.getTime() - row.seenAt.getTime() >= 60_000) {
    await context.db.run(
      sql`UPDATE source_hosts SET seen_at = ${now} WHERE tenant_id = ${tenantId} AND source_id = ${sourceId} AND host_id = ${hostId} AND seen_at < ${now}`,
    );
  }
  return row !== undefined;
}

/** Writes what a host says of itself; facts that are undefined stay as they are. */
export async function writeHost(context: Context, sourceId: string, hostId: string, facts: HostFacts | undefined): Promise<void> {
  const { tenantId, now } = context;
  if (facts === undefined) {
    await context.db.run(
      sql`INSERT INTO source_hosts (tenant_id, source_id, host_id, seen_at) VALUES (${tenantId}, ${sourceId}, ${hostId}, ${now})
        ON CONFLICT DO NOTHING`,
    );
    return;
  }
  await context.db.run(
    sql`INSERT INTO source_hosts (tenant_id, source_id, host_id, hostname, platform, package, package_version, capabilities, type_capabilities,
        greeted_at, seen_at)
      VALUES (${tenantId}, ${sourceId}, ${hostId}, ${facts.hostname}, ${facts.platform}, ${facts.package}, ${facts.packageVersion},
        ${facts.capabilities}, ${JSON.stringify(facts.typeCapabilities)}, ${now}, ${now})
      ON CONFLICT (tenant_id, source_id, host_id) DO UPDATE SET hostname = excluded.hostname, platform = excluded.platform,
        package = excluded.package, package_version = excluded.package_version, capabilities = excluded.capabilities,
        type_capabilities = excluded.type_capabilities, greeted_at = excluded.greeted_at, seen_at = excluded.seen_at`,
  );
}

/** Returns the capabilities that the hosts of a source said they have, by resource type. */
export async function findProvisions(context: Context, sourceId: string): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const rows = await context.db.rows<Pick<HostRow, 'typeCapabilities'>>(
    sql`SELECT type_capabilities AS "typeCapabilities" FROM source_hosts WHERE tenant_id = ${context.tenantId} AND source_id = ${sourceId}`,
  );
  const found = new Map<string, Set<string>>();
  for (const { typeCapabilities } of rows) {
    for (const [type, names] of Object.entries(typeCapabilities)) {
      found.set(type, new Set([...(found.get(type) ?? []), ...names]));
    }
  }
  return found;
}
