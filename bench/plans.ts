/**
 * Plans as PostgreSQL itself wrote them down while the service ran (auto_explain: EXPLAIN ANALYZE with buffers, as the role and with the
 * parameters of production), cut down to the nodes that took the time. Which operations are run is in explain.ts.
 */
import { open, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { BenchServer } from './server.ts';

/** One statement of an operation. */
export interface Plan {
  /** The statement on one line, cut. */
  readonly sql: string;
  readonly milliseconds: number;
  /** The nodes that matter, indented, one a line. */
  readonly nodes: readonly string[];
  /** Tables read from end to end, with how many rows each. */
  readonly scans: readonly string[];
}

/** Makes every connection of the service's role explain what it does; those that are open are ended and made anew. */
export async function startExplaining(server: BenchServer): Promise<void> {
  const superuser = await server.superuser();
  const settings = {
    session_preload_libraries: 'auto_explain',
    'auto_explain.log_min_duration': '0',
    'auto_explain.log_analyze': 'on',
    'auto_explain.log_buffers': 'on',
    'auto_explain.log_parameter_max_length': '0',
  };
  for (const [name, value] of Object.entries(settings)) {
    await superuser.query(`ALTER ROLE countersign_app SET ${name} = '${value}'`);
  }
  await superuser.query("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'countersign_app'");
  await superuser.end();
}

/** The plans written while `work` ran: of each statement the slowest, in the order in which they first came. */
export async function collectPlans(server: BenchServer, work: () => Promise<unknown>): Promise<Plan[]> {
  const folder = join(server.dataDir, 'postgres', 'log');
  const [name] = await readdir(folder);
  const file = await open(join(folder, name ?? ''), 'r');
  try {
    const from = (await file.stat()).size;
    await work();
    // The server's log is written by a process of its own.
    await new Promise((resolve) => setTimeout(resolve, 700));
    const { size } = await file.stat();
    const { buffer } = await file.read(Buffer.alloc(size - from), 0, size - from, from);
    return readPlans(buffer.toString('utf8'));
  } finally {
    await file.close();
  }
}

/** Queries that keep the service going, of no operation: the queue, and what every request's host, token and credential are checked by. */
const background = [
  /^SELECT (\(SELECT true FROM jobs|id, tenant_id AS "tenantId", kind, subject_id|set_config|pg_|.{0,60} FROM tenants)/,
  /^SELECT (t\.tenant_id AS "id", first\.host|id, public_jwk AS|c\.id, c\.client_id AS "clientId", c\.user_id AS "userId", c\.issuer_id AS "issuerId", c\.public_key)/,
  /^UPDATE (jobs|personal_clients)/,
];

function readPlans(log: string): Plan[] {
  const slowest = new Map<string, Plan>();
  for (const entry of log.split(/^(?=\d{4}-\d\d-\d\d )/m)) {
    const [, milliseconds = '', rest = ''] = /LOG: {2}duration: ([\d.]+) ms {2}plan:\n([\s\S]*)/.exec(entry) ?? [];
    const lines = rest.replaceAll(/^\t/gm, '').split('\n');
    const first = lines.findIndex((line) => /^\S.*\(cost=/.test(line));
    const sql = lines
      .slice(0, first)
      .join(' ')
      .replace(/^Query Text: /, '')
      .replaceAll(/\s+/g, ' ')
      .trim();
    if (first < 0 || background.some((pattern) => pattern.test(sql))) {
      continue;
    }
    const plan = { sql: shorten(sql, 150), milliseconds: Number(milliseconds), ...readNodes(lines.slice(first), Number(milliseconds)) };
    const known = slowest.get(sql);
    if (known === undefined || known.milliseconds < plan.milliseconds) {
      slowest.set(sql, plan);
    }
  }
  return [...slowest.values()];
}

const shorten = (text: string, length: number): string => (text.length > length ? `${text.slice(0, length)}...` : text);

/** Nodes shown of one plan at most, and the least part of the time that makes one worth showing. */
const maxNodes = 16;
const leastPart = 0.04;
/** A table read from end to end is reported from so many rows on. */
const largeScan = 1000;

function readNodes(lines: readonly string[], total: number): { nodes: string[]; scans: string[] } {
  const nodes: { text: string; spent: number }[] = [];
  const scans: string[] = [];
  for (const line of lines) {
    const node = /^(\s*)(?:->\s+)?(\S.*?) {2}\(cost=.*\(actual time=[\d.]+\.\.([\d.]+) rows=([\d.]+) loops=(\d+)\)/.exec(line);
    const last = nodes.at(-1);
    if (node !== null) {
      const [, indent = '', what = '', end = '0', rows = '0', loops = '1'] = node;
      const spent = Number(end) * Number(loops);
      const times = loops === '1' ? '' : ` x ${Number(loops).toLocaleString('en')}`;
      const text = `${' '.repeat(Math.min(20, indent.length / 3))}${what}: ${Number(rows).toLocaleString('en')} rows${times}, ${spent.toFixed(1)} ms`;
      nodes.push({ text, spent: /^Result|^Subquery Scan|^Limit/.test(what) && nodes.length > 0 ? 0 : spent });
      // The tables of an import are made by it and read whole on purpose.
      if (/^Seq Scan on (?!import_)/.test(what) && Number(rows) * Number(loops) >= largeScan) {
        scans.push(`${what.replace(/^Seq Scan on /, '')} (${Number(rows).toLocaleString('en')} rows)`);
      }
    } else if (last !== undefined && /^\s+(Index Cond|Sort Method|Rows Removed by Filter|Buffers): /.test(line)) {
      const detail = line
        .trim()
        .replaceAll(/'0[0-9A-Za-z]{20,}'::text( COLLATE "C")?/g, '?')
        .replaceAll(/::text| COLLATE "C"/g, '');
      // Buffers of the top alone: those of the others are part of them.
      if (!detail.startsWith('Buffers') || nodes.length === 1) {
        last.text += ` [${shorten(detail, 120)}]`;
      }
    }
  }
  const worth = nodes.filter((node, index) => index === 0 || node.spent >= total * leastPart);
  return { nodes: worth.slice(0, maxNodes).map((node) => node.text), scans: [...new Set(scans)] };
}
