/** Sample requests of the operations about the event log. */
import type { MakeSample } from './sample.ts';
import { request } from '../api.ts';
import type { World } from '../world.ts';

/** By the name of the operation. */
export const samples: Readonly<Record<string, MakeSample>> = {
  'EventLogService.getCheckpoint': () => ({}),
  'EventLogService.listCheckpoints': () => ({}),
  'EventLogService.listAnchors': () => ({}),
  'EventLogService.listEntries': () => ({}),
  'EventLogService.getConsistency': () => ({ fields: { first: '1' } }),
  'EventLogService.prove': () => ({ fields: { positions: ['0'] } }),
  'EventLogService.getSettings': () => ({}),
  'EventLogService.updateSettings': () => ({ fields: { settings: { publishLog: true } } }),
};

/** Eleven checkpoints at least, each of a log that has grown since the one before, and as many that somebody holds. */
export async function fill({ tenant }: World): Promise<void> {
  for (let count = 0; count < 12; count++) {
    await request(tenant, tenant.admin, 'POST', '/api/v1/settings/log', { settings: { publishLog: count % 2 === 0 } });
    await request(tenant, tenant.admin, 'GET', '/api/v1/log/checkpoint');
  }
  // As sending them does, to a place that is not there.
  const { db, tenantId } = tenant.system();
  await db.run(
    `INSERT INTO log_anchors (tenant_id, id, kind, place, created_at, anchored_at, epoch, size, root, vouched_at, proof)
     SELECT c.tenant_id, 'anchor-' || lpad(c.size::text, 9, '0'), 'TIME_STAMP', 'https://stamps.example.com', c.signed_at, c.signed_at, c.epoch, c.size,
       c.root, c.signed_at, sha256(c.root)
     FROM log_checkpoints c WHERE c.tenant_id = $1 ON CONFLICT DO NOTHING`,
    [tenantId],
  );
}
