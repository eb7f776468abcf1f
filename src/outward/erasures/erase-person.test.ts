/** Places that name a person beside their own rows: snapshots that have them as somebody's manager alone, pushed groups, and fetches. */
import { gzipSync, zstdCompressSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { june, useRemovals } from '../../../test/support/removals.ts';
import { inTransaction } from '../../context.ts';
import { eraseTaskTexts } from '../../inventory/connector-tasks/index.ts';
import { eraseFetchTexts, removeFilesNaming } from '../../inventory/fetches/index.ts';
import { erasePushedGroups } from '../../inventory/scim/index.ts';
import { listSnapshotsOfPerson } from '../../governance/snapshots/index.ts';

const removals = useRemovals(['ann']);

it('finds the reviews that have the person as somebody’s manager alone', async () => {
  await removals.file('Pay', ['ann pay'], june(1));
  await removals.deny('Pay', 'ann', 'pay', june(2));
  const { reviewId } = removals;
  const { system } = removals.test.ours;
  const find = () => listSnapshotsOfPerson(system, ['the-manager'], [reviewId]);
  const texts = [
    'email',
    'display_name',
    'username',
    'employee_id',
    'employment_status',
    'employment_type',
    'department',
    'job_title',
    'manager_email',
  ];
  await system.db.run(
    `INSERT INTO review_people (tenant_id, review_id, user_id, status, user_type, profile, ${texts.join(', ')})
     VALUES ($1, $2, 'somebody', 'ENABLED', 'HUMAN', '{}', ${texts.map(() => "''").join(', ')})`,
    [system.tenantId, reviewId],
  );
  expect(await find()).toEqual([]);
  await system.db.run("UPDATE review_people SET manager_id = 'the-manager' WHERE tenant_id = $1 AND review_id = $2", [
    system.tenantId,
    reviewId,
  ]);
  expect(await find()).toEqual([reviewId]);
});

it('takes what pushed groups say of the person, beside the name of a group that is there', async () => {
  const { system } = removals.test.ours;
  const put = (id: string, document: object, deletedAt: Date | null) =>
    system.db.run(
      `INSERT INTO scim_resources (tenant_id, source_id, id, kind, name_key, keys, document, created_at, updated_at, deleted_at)
       VALUES ($1, 'source', $2, 'GROUP', 'g', $3, $3, $4, $4, $5)`,
      [system.tenantId, id, JSON.stringify(document), system.now, deletedAt],
    );
  await put('named', { displayName: 'Friends of Ann Mayer', 'urn:x': { owner: 'ann@example.com' }, size: 2 }, null);
  await put('other', { displayName: 'Board', note: 'None of hers' }, null);
  await put('gone', { displayName: 'Ann Mayer' }, system.now);
  await erasePushedGroups(system, ['ann mayer', 'ann@example.com']);
  const rows = await system.db.rows<{ id: string; document: object; version: number }>(
    "SELECT id, document, version FROM scim_resources WHERE tenant_id = $1 AND source_id = 'source' ORDER BY id",
    [system.tenantId],
  );
  expect(rows).toEqual([
    { id: 'named', document: { displayName: 'Friends of Ann Mayer', size: 2 }, version: 2 },
    { id: 'other', document: { displayName: 'Board', note: 'None of hers' }, version: 1 },
  ]);
});

it('takes the kept files of sources that report an account of the person, and no others', async () => {
  const { system } = removals.test.ours;
  await removals.file('Files', ['ann pay'], june(1));
  const { accountId } = await removals.find('Files', 'ann', 'pay');
  const { sourceId } = await system.db.one<{ sourceId: string }>(
    `SELECT s.id AS "sourceId" FROM sources s JOIN apps p ON p.tenant_id = $1 AND p.id = s.app_id AND p.display_name = 'Files' WHERE s.tenant_id = $1`,
    [system.tenantId],
  );
  for (const id of [sourceId, 'another']) {
    await system.db.run('INSERT INTO source_files (tenant_id, source_id, fetch_id, piece, bytes) VALUES ($1, $2, $3, 0, $4)', [
      system.tenantId,
      id,
      'fetch',
      Buffer.from('x'),
    ]);
  }
  await removeFilesNaming(system, [accountId]);
  const rows = await system.db.rows('SELECT source_id AS id FROM source_files WHERE tenant_id = $1', [system.tenantId]);
  expect(rows).toEqual([{ id: 'another' }]);
});

it('takes what fetches and connectors say of the person, and discards held rows that name them', async () => {
  const { system } = removals.test.ours;
  const { db, tenantId, now } = system;
  await db.run(
    `INSERT INTO sources (tenant_id, id, app_id, source_no, kind, display_name, name_key, created_at, updated_at)
     VALUES ($1, 'fetching', 'app', 1, 'FOLDER', 'Fetching', 'fetching', $2, $2)`,
    [tenantId, now],
  );
  const put = async (id: string, state: string, format: 'FILE' | 'ROWS', content: Buffer | string, said = '') => {
    const contents = JSON.stringify([
      { kind: 'GRANTS', format, sheet: '', encoding: Buffer.isBuffer(content) ? 'gzip' : '', columns: ['account'] },
    ]);
    await db.run(
      `INSERT INTO fetches (tenant_id, id, source_id, app_id, reason, state, contents, error, warnings, run_at, created_at, updated_at)
       VALUES ($1, $2, 'fetching', 'app', 'SCHEDULED', $3, $4, $5, $6, $7, $7, $7)`,
      [tenantId, id, state, contents, said, said === '' ? [] : [said], now],
    );
    await db.run('INSERT INTO fetch_rows (tenant_id, fetch_id, content, piece, bytes) VALUES ($1, $2, 0, 0, $3)', [
      tenantId,
      id,
      zstdCompressSync(content),
    ]);
  };
  const header = 'account,email,account_type,account_status,resource_type,resource,entitlement\n';
  await put('f1', 'HELD', 'FILE', `${header}a,Ann@Example.com,USER,ENABLED,role,A,read\n`);
  await put('f2', 'HELD', 'FILE', gzipSync(`${header}Al,,USER,ENABLED,role,A,read\n`));
  await put('f3', 'HELD', 'ROWS', '[["ann mayer"]]\n');
  await put('f4', 'HELD', 'FILE', `${header}Alice,,USER,ENABLED,role,A,read\n`, 'Twenty grants end.');
  await put('f5', 'FAILED', 'ROWS', '', 'Row 3 of Ann Mayer is wrong.');
  for (const [id, log] of [
    ['t1', 'user ann mayer has no mail'],
    ['t2', 'synced 20 users'],
  ]) {
    await db.run(
      `INSERT INTO connector_tasks (tenant_id, id, source_id, kind, state, log, created_at, ended_at) VALUES ($1, $2, 'fetching', 'SYNC', 'DONE', $3, $4, $4)`,
      [tenantId, id, log, now],
    );
  }
  const texts = ['ann mayer', 'ann@example.com', '"al"'];
  await inTransaction(system, async (inside) => {
    await eraseFetchTexts(inside, texts);
    await eraseTaskTexts(inside, texts);
  });
  const fetches = await db.rows<{ id: string; state: string; said: string; pieces: number }>(
    `SELECT f.id, f.state, concat(f.error, '|', f.warnings) AS said,
       (SELECT count(*)::integer FROM fetch_rows r WHERE r.tenant_id = f.tenant_id AND r.fetch_id = f.id AND f.state <> 'FAILED') AS pieces
     FROM fetches f WHERE f.tenant_id = $1 ORDER BY f.id`,
    [tenantId],
  );
  const erased = { state: 'DISCARDED', said: 'The data of a person in it was erased.|{}', pieces: 0 };
  expect(fetches).toEqual([
    { id: 'f1', ...erased },
    { id: 'f2', ...erased },
    { id: 'f3', ...erased },
    { id: 'f4', state: 'HELD', said: 'Twenty grants end.|{"Twenty grants end."}', pieces: 1 },
    { id: 'f5', state: 'FAILED', said: '|{}', pieces: 0 },
  ]);
  expect(await db.rows('SELECT id, log FROM connector_tasks WHERE tenant_id = $1 ORDER BY id', [tenantId])).toEqual([
    { id: 't1', log: '' },
    { id: 't2', log: 'synced 20 users' },
  ]);
});
