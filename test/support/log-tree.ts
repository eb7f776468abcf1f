/** A tenant's log as it must be: positions without a gap, a tree over every leaf, and leaves that the events still give. */
import { expect } from 'vitest';
import type { Context } from '../../src/context.ts';
import { hashLeaf, computeRoot } from '../../src/lib/log/merkle.ts';
import { makeLeaf } from '../../src/foundation/audit/leaf.ts';
import { listSealableRows } from '../../src/foundation/audit/store-log.ts';

/** Checks the whole log against the events, and returns how many leaves it has. Every event must be sealed. */
export async function checkTree(context: Context): Promise<number> {
  const { db, tenantId } = context;
  const leaves = await db.rows<{ position: number; id: string; hash: Buffer }>(
    'SELECT position, event_id AS id, leaf_hash AS hash FROM log_leaves WHERE tenant_id = $1 ORDER BY position',
    [tenantId],
  );
  expect(leaves.map(({ position }) => position)).toEqual(leaves.map((_, index) => index));
  const { size, root } = await db.one<{ size: number; root: Buffer }>('SELECT size, root FROM logs WHERE tenant_id = $1', [tenantId]);
  expect([size, root.toString('hex')]).toEqual([leaves.length, computeRoot(leaves.map(({ hash }) => hash)).toString('hex')]);
  const { count } = await db.one<{ count: number }>('SELECT count(*) AS count FROM events WHERE tenant_id = $1', [tenantId]);
  expect(count).toBe(leaves.length);
  const rows = new Map(
    (
      await listSealableRows(
        context,
        leaves.map(({ id }) => id),
      )
    ).map((row) => [row.id, row]),
  );
  const links = new Map<string, { number: number; position: number }>();
  for (const { position, id, hash } of leaves) {
    const row = rows.get(id);
    if (row === undefined) {
      throw new Error(`position ${position}: its event is gone`);
    }
    const before = links.get(row.reviewId) ?? { number: 0, position: -1 };
    const place = row.reviewId === '' ? undefined : { id: row.reviewId, number: before.number + 1, previous: before.position };
    links.set(row.reviewId, { number: before.number + 1, position });
    expect([position, hashLeaf(Buffer.from(makeLeaf(tenantId, row, place))).toString('hex')]).toEqual([position, hash.toString('hex')]);
  }
  return leaves.length;
}
