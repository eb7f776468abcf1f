/**
 * Erasing a deleted tenant: every row of it, table by table in pieces, each a short transaction that also counts it on the receipt. Whoever is
 * killed goes on where it was. The receipt stays, outside of what is erased.
 */
import { createHash } from 'node:crypto';
import { AppError, orThrow } from '../errors.ts';
import { canonicalJson } from '../lib/log/canonical-json.ts';
import { listBackupTables, qualify } from './backup/tables.ts';
import type { Database, Db } from './types.ts';

/** Data erased, when and by whom. */
export interface ErasureReceipt {
  readonly tenantId: string;
  readonly host: string;
  readonly erasedBy: string;
  readonly begunAt: Date;
  readonly finishedAt: Date;
  /** Rows by table. */
  readonly counts: Readonly<Record<string, number>>;
  readonly logHeads: readonly { readonly epoch: number; readonly size: number; readonly root: string }[];
  /** The last checkpoint of each epoch of the log, as it was signed; none in receipts of before. */
  readonly notes: readonly { readonly epoch: number; readonly note: string }[];
  /** SHA-256 of the manifest of what was exported; '' in receipts of before. */
  readonly exportSha256: string;
  /** SHA-256 of the canonical JSON of all the others. */
  readonly hash: string;
}

/** Circumstances of an erasure. */
export interface EraseOptions {
  readonly who: string;
  readonly now: () => Date;
  readonly piece?: number;
  /** Members of the receipt about the log, and about what was exported. */
  readonly kept?: Pick<ErasureReceipt, 'notes' | 'exportSha256'>;
}

/** Rows of one transaction: well under a second. */
const maxAtOnce = 5_000;
/** Kept to the last: others are found by it, and it is the mark that the erasure is under way. */
const last = 'tenants';
const receipts = 'tenant_erasures';

/**
 * Erases a tenant that was deleted, or goes on with it; a tenant that is erased answers its receipt again. NOT_FOUND where there never was one,
 * FAILED_PRECONDITION where it is not deleted, or where no URL of ours may act as the owner of the tables.
 */
export async function eraseTenant(database: Database, tenantId: string, by: EraseOptions): Promise<ErasureReceipt> {
  const system = database.system();
  const finished = await findReceipt(system, tenantId);
  if (finished !== undefined) {
    return finished;
  }
  await begin(database, tenantId, by);
  const tables = (await listErasable(system)).reverse();
  const most = by.piece ?? maxAtOnce;
  // Twice: a process that knew the tenant may have written while the first round was under way.
  for (let round = 1; round <= 2; round++) {
    for (const { name, isOurs } of tables) {
      const remove = (db: Db): Promise<void> => removeAll(db, name, tenantId, most);
      if (isOurs) {
        await remove(database.tenant(tenantId));
      } else if (database.asOwner !== undefined) {
        await database.asOwner(remove);
      }
    }
  }
  return finish(database, tenantId, by.now());
}

interface Erasable {
  readonly name: string;
  /** True if the role that serves may delete there; else the owner does. */
  readonly isOurs: boolean;
}

/** The tables with rows of tenants, each behind those it refers to. */
async function listErasable(db: Db): Promise<Erasable[]> {
  const tables = (await listBackupTables(db)).filter(
    ({ name, columns }) => columns.includes('tenant_id') && name !== last && name !== receipts,
  );
  const rows = await db.rows<Erasable>(
    'SELECT n.name, has_table_privilege(n.name::regclass, \'DELETE\') AS "isOurs" FROM unnest($1::text[]) WITH ORDINALITY AS n (name, at) ORDER BY n.at',
    [tables.map(({ name }) => name)],
  );
  return rows;
}

/** Writes the receipt that will be filled; from then on no process works for the tenant. */
async function begin(database: Database, tenantId: string, by: EraseOptions): Promise<void> {
  const system = database.system();
  const tenant = await system.maybe<{ isDeleted: boolean; host: string }>(
    `SELECT deleted_at IS NOT NULL AS "isDeleted", coalesce(nullif(former_host, ''), display_name) AS host FROM tenants WHERE tenant_id = $1`,
    [tenantId],
  );
  if (tenant === undefined) {
    throw new AppError('NOT_FOUND', `There is no tenant with the id ${tenantId}.`);
  }
  if (!tenant.isDeleted) {
    throw new AppError('FAILED_PRECONDITION', 'The tenant is in service. Delete it first: countersign tenant delete HOST --yes.');
  }
  const needsOwner = (await listErasable(system)).some(({ isOurs }) => !isOurs);
  if (needsOwner && database.asOwner === undefined) {
    throw new AppError(
      'FAILED_PRECONDITION',
      'The role of --database-url may not delete events. Give the role that owns the tables as --database-owner-url.',
    );
  }
  const heads = await database
    .tenant(tenantId)
    .rows(`SELECT epoch, size, encode(root, 'hex') AS root FROM logs WHERE tenant_id = $1 ORDER BY epoch`, [tenantId]);
  await system.run(
    `INSERT INTO tenant_erasures (tenant_id, host, erased_by, begun_at, log_heads, notes, export_sha256) VALUES ($1, $2, $3, $4, $5, $6, $7)
     ON CONFLICT DO NOTHING`,
    [tenantId, tenant.host, by.who, by.now(), JSON.stringify(heads), JSON.stringify(by.kept?.notes ?? []), by.kept?.exportSha256 ?? ''],
  );
}

async function removeAll(db: Db, name: string, tenantId: string, most: number): Promise<void> {
  for (;;) {
    const removed = await db.transaction(async (inside) => {
      await inside.run("SELECT set_config('countersign.tenant_id', $1, true)", [tenantId]);
      const count = await inside.run(
        `DELETE FROM ${qualify(name)} WHERE tenant_id = $1 AND ctid = ANY (ARRAY(SELECT ctid FROM ${qualify(name)} WHERE tenant_id = $1 LIMIT $2))`,
        [tenantId, most],
      );
      if (count > 0) {
        await inside.run(
          `UPDATE tenant_erasures SET counts = jsonb_set(counts, ARRAY[$2::text], to_jsonb(coalesce((counts ->> $2::text)::bigint, 0) + $3::bigint))
           WHERE tenant_id = $1`,
          [tenantId, name, count],
        );
      }
      return count;
    });
    if (removed < most) {
      return;
    }
  }
}

/** The tenant itself goes in the transaction that completes its receipt. */
async function finish(database: Database, tenantId: string, now: Date): Promise<ErasureReceipt> {
  await database.system().transaction(async (db) => {
    const receipt = await db.one<Omit<ErasureReceipt, 'finishedAt' | 'hash'>>(
      `SELECT ${receiptColumns} FROM tenant_erasures WHERE tenant_id = $1 FOR UPDATE`,
      [tenantId],
    );
    const hash = hashReceipt({ ...receipt, finishedAt: now });
    await db.run('UPDATE tenant_erasures SET finished_at = $2, receipt_hash = $3 WHERE tenant_id = $1 AND finished_at IS NULL', [
      tenantId,
      now,
      hash,
    ]);
    await db.run(`DELETE FROM ${qualify(last)} WHERE tenant_id = $1`, [tenantId]);
  });
  const receipt = await findReceipt(database.system(), tenantId);
  return orThrow(receipt, 'INTERNAL', 'Something went wrong on our side.', { detail: 'the receipt of an erasure is gone' });
}

const receiptColumns = `tenant_id AS "tenantId", host, erased_by AS "erasedBy", begun_at AS "begunAt", counts, log_heads AS "logHeads",
  notes, export_sha256 AS "exportSha256"`;

/** True if rows of the tenant are gone already: there is nothing to do but to go on. */
export async function isErasureBegun(db: Db, tenantId: string): Promise<boolean> {
  return (await db.maybe('SELECT 1 FROM tenant_erasures WHERE tenant_id = $1', [tenantId])) !== undefined;
}

/** The receipt of a tenant that is erased. */
export function findReceipt(db: Db, tenantId: string): Promise<ErasureReceipt | undefined> {
  return db.maybe<ErasureReceipt>(
    `SELECT ${receiptColumns}, finished_at AS "finishedAt", receipt_hash AS hash FROM tenant_erasures WHERE tenant_id = $1 AND finished_at IS NOT NULL`,
    [tenantId],
  );
}

/** The hash that a receipt must have. */
export function hashReceipt(receipt: Omit<ErasureReceipt, 'hash'>): string {
  const { tenantId, host, erasedBy, counts } = receipt;
  const logHeads = receipt.logHeads.map(({ epoch, size, root }) => ({ epoch, size, root }));
  const [begunAt, finishedAt] = [receipt.begunAt.toISOString(), receipt.finishedAt.toISOString()];
  const basis = { begunAt, counts, erasedBy, finishedAt, host, logHeads, tenantId };
  // Receipts of before had neither notes nor an export.
  const { exportSha256 } = receipt;
  const notes = receipt.notes.map(({ epoch, note }) => ({ epoch, note }));
  const whole = exportSha256 === '' ? { ...basis, v: 1 } : { ...basis, exportSha256, notes, v: 2 };
  return createHash('sha256').update(canonicalJson(whole)).digest('hex');
}
