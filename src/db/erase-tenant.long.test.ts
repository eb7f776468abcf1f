/** Erasing deleted tenants: everything of one and nothing of another, in pieces, after a kill, with a receipt that nobody changes. */
import { createHash } from 'node:crypto';
import { mkdtemp, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { request } from '../../test/support/api.ts';
import { runInProcess } from '../../test/support/command-line.ts';
import { startTestServer, type TestServer } from '../../test/support/server.ts';
import { makeWorld } from '../../test/support/world.ts';
import { eraseTenant, hashReceipt } from './erase-tenant.ts';
import type { Database } from './types.ts';

let server: TestServer;
let database: Database;
const by = { who: 'an operator', now: () => new Date('2026-05-01T12:00:00Z') };

beforeAll(async () => {
  server = await startTestServer();
  ({ database } = server.app);
  await makeWorld(server);
});
afterAll(() => server.stop());

/** Rows of a tenant by table. */
async function countRows(tenantId: string): Promise<Record<string, number>> {
  const tables = await server.test.admin(
    `SELECT c.relname AS name FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'tenant_id'
     WHERE c.relnamespace = 'countersign'::regnamespace AND c.relkind = 'r' AND c.relname NOT IN ('tenant_erasures') ORDER BY 1`,
  );
  const counts: Record<string, number> = {};
  for (const { name } of tables) {
    const [row] = await server.test.admin(`SELECT count(*)::int AS count FROM countersign.${String(name)} WHERE tenant_id = $1`, [
      tenantId,
    ]);
    if (Number(row?.count) > 0) {
      counts[String(name)] = Number(row?.count);
    }
  }
  return counts;
}

/** Counts once nothing is done for the tenant any more: its jobs are taken away until what they did last is there. */
async function countAtRest(tenantId: string): Promise<Record<string, number>> {
  let last = '';
  for (;;) {
    await server.test.admin('DELETE FROM countersign.jobs WHERE tenant_id = $1', [tenantId]);
    await new Promise((resolve) => setTimeout(resolve, 300));
    const counts = await countRows(tenantId);
    const now = JSON.stringify(counts);
    if (now === last) {
      return counts;
    }
    last = now;
  }
}

it('refuses a tenant that is in service, and one that never was', async () => {
  await expect(eraseTenant(database, server.id, by)).rejects.toMatchObject({
    code: 'FAILED_PRECONDITION',
    message: expect.stringContaining('Delete it first'),
  });
  await expect(eraseTenant(database, 'nobody', by)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  expect(await server.test.admin('SELECT * FROM tenant_erasures')).toEqual([]);
});

it('removes every row of the tenant, goes on after an interruption, and leaves others as they were', { timeout: 240_000 }, async () => {
  const other = await server.makeTenant('other.example');
  await makeWorld(other);
  const { port } = server.app;
  const url = ['--database-url', server.test.url];
  expect(await runInProcess(['tenant', 'delete', `other.example:${port}`, '--yes', ...url])).toMatchObject({ code: 0 });
  expect(await runInProcess(['tenant', 'list', '--deleted', ...url])).toMatchObject({ code: 0, stdout: expect.stringContaining(other.id) });
  const mine = await countRows(server.id);
  const before = await countAtRest(other.id);
  expect(Object.keys(before).length).toBeGreaterThan(30);

  // The first attempt ends after some pieces, as a kill would: what it removed stays removed and counted.
  let pieces = 0;
  const breaking: Database = {
    ...database,
    tenant: (id) => {
      const db = database.tenant(id);
      return { ...db, transaction: (work) => (++pieces > 60 ? Promise.reject(new Error('killed')) : db.transaction(work)) };
    },
  };
  await expect(eraseTenant(breaking, other.id, { ...by, piece: 10 })).rejects.toThrow('killed');
  const half = Object.values(await countRows(other.id)).reduce((sum, count) => sum + count, 0);
  const all = Object.values(before).reduce((sum, count) => sum + count, 0);
  expect(half).toBeGreaterThan(0);
  expect(half).toBeLessThan(all);

  // An erasure that was begun goes on, whoever runs it.
  const purge = ['tenant', 'purge', `other.example:${port}`, '--confirm', '--export', '/nowhere', '--by', 'Somebody', '--json'];
  const result = await runInProcess([...purge, ...url]);
  expect(result).toMatchObject({ code: 0 });
  expect(await countRows(other.id)).toEqual({});
  // Nothing of anybody else; what the tenant in service did meanwhile can only have added to it.
  const after = await countRows(server.id);
  expect(Object.entries(mine).filter(([name, count]) => name !== 'search_renames' && (after[name] ?? 0) < count)).toEqual([]);

  const receipt = await eraseTenant(database, other.id, by);
  expect(JSON.parse(result.stdout)).toEqual(JSON.parse(JSON.stringify(receipt)));
  expect(receipt).toMatchObject({ tenantId: other.id, host: `other.example:${port}`, erasedBy: 'an operator', logHeads: [{ epoch: 1 }] });
  const { hash, ...signed } = receipt;
  expect(hashReceipt(signed)).toBe(hash);
  // Texts go with the rows they were taken from, and renames when they are worked off.
  const { tenants: _tenants, search_texts: _texts, profile_values: _values, ...counted } = before;
  expect(receipt.counts).toMatchObject(
    Object.fromEntries(
      Object.entries(counted).filter(([name]) => !['jobs', 'search_renames', 'events', 'logs'].includes(name) && !name.startsWith('log_')),
    ),
  );
  expect(receipt.counts['events']).toBeGreaterThanOrEqual(before['events'] ?? 0);
});

it('purges by two operators, 30 days after the deletion, with an export and the last note', async () => {
  const url = ['--database-url', server.test.url];
  const gone = await server.makeTenant('purged.example');
  const host = `purged.example:${server.app.port}`;
  const held = await request(gone, gone.admin, 'POST', '/api/v1/legal_holds', { reason: 'Case 7' });
  const remove = ['tenant', 'delete', host, '--yes', ...url];
  expect(await runInProcess(remove)).toMatchObject({ code: 1, stderr: expect.stringContaining('legal hold') });
  const asked = await request(gone, gone.admin, 'POST', `/api/v1/legal_holds/${held.body.hold.id}/lift`, { reason: 'over' });
  const second = await gone.makePerson('second@purged.example', ['SUPER_ADMINISTRATOR']);
  expect((await request(gone, second, 'POST', `/api/v1/second_person_requests/${asked.body.request.id}/confirm`, {})).status).toBe(200);
  expect(await runInProcess(remove)).toMatchObject({ code: 0 });

  const folder = await mkdtemp(join(tmpdir(), 'countersign-purge-'));
  const purge = (...more: string[]) => runInProcess(['tenant', 'purge', gone.id, ...more, ...url]);
  expect(await purge('--by', 'One')).toMatchObject({ code: 1, stderr: expect.stringContaining('30 days later') });
  await server.test.admin("UPDATE tenants SET deleted_at = deleted_at - interval '31 days' WHERE tenant_id = $1", [gone.id]);
  expect(await purge('--confirm', '--export', folder, '--by', 'Two')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('Nobody asked'),
  });
  expect(await purge('--by', 'One')).toMatchObject({ code: 0, stdout: expect.stringContaining('Another operator confirms') });
  expect(await purge('--confirm', '--by', 'Two')).toMatchObject({ code: 2 });
  expect(await purge('--confirm', '--export', folder, '--by', 'One')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('Somebody else'),
  });
  expect(await purge('--confirm', '--export', folder, '--by', 'Two')).toMatchObject({ code: 0 });

  expect(await countRows(gone.id)).toEqual({});
  const lines = (await readFile(join(folder, 'log/events.jsonl'), 'utf8'))
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(lines.map(({ leaf }) => leaf.kind)).toEqual(
    expect.arrayContaining(['tenant.created', 'legal_hold.set', 'second_person.confirmed']),
  );
  const receipt = await eraseTenant(database, gone.id, by);
  expect(receipt).toMatchObject({
    erasedBy: 'Two, as One had asked',
    notes: [{ epoch: 1, note: await readFile(join(folder, 'log/checkpoint-1'), 'utf8') }],
  });
  expect(receipt.notes[0]?.note.split('\n')[1]).toBe(String(lines.length));
  const manifest = await readFile(join(folder, 'manifest.json'));
  expect(receipt.exportSha256).toBe(createHash('sha256').update(manifest).digest('hex'));
  const { hash, ...signed } = receipt;
  expect(hashReceipt(signed)).toBe(hash);
});

it('opens nothing else: events of others stay, whoever asks, and a receipt is never changed', async () => {
  await expect(database.asOwner?.((db) => db.run('DELETE FROM events'))).rejects.toMatchObject({
    detail: expect.stringContaining('never changed'),
  });
  const gone = await server.makeTenant('third.example');
  await server.test.admin('UPDATE tenants SET deleted_at = now() WHERE tenant_id = $1', [gone.id]);
  await server.test.admin("INSERT INTO tenant_erasures (tenant_id, host, erased_by, begun_at) VALUES ($1, 'third.example', 'x', now())", [
    gone.id,
  ]);
  await expect(
    database.asOwner?.((db) =>
      db.transaction(async (inside) => {
        await inside.run("SELECT set_config('countersign.tenant_id', $1, true)", [gone.id]);
        await inside.run('DELETE FROM events WHERE tenant_id = $1', [server.id]);
      }),
    ),
  ).rejects.toMatchObject({ detail: expect.stringContaining('of another tenant') });
  await expect(database.tenant(gone.id).run('DELETE FROM events', [])).rejects.toMatchObject({
    detail: expect.stringContaining('permission denied'),
  });
  await expect(server.test.admin("UPDATE tenant_erasures SET erased_by = 'y' WHERE finished_at IS NOT NULL")).rejects.toThrow(
    'never changed',
  );
  await expect(server.test.admin('DELETE FROM tenant_erasures')).rejects.toThrow('never changed');
});
