/** Imports that are cut off: by the client, by a lost connection, at any moment of the merge. Nothing is half-done, and the next one works. */
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { TestDatabase } from '../../../test/support/database.ts';
import { grantsHeader, makeTenant, openFixture, refusalOf } from '../../../test/support/inventory.ts';
import type { Db } from '../../db/types.ts';
import type { Context } from '../../context.ts';
import { importGrants } from './import-grants.ts';

describe('interrupted imports', () => {
  let test: TestDatabase;
  beforeAll(async () => {
    test = await openFixture();
  });
  afterAll(() => test.close());

  const rows = (count: number) => Array.from({ length: count }, (_, index) => `a${index % 7},,USER,ENABLED,role,r,e${index},,`);
  const inventory = (tenantId: string) =>
    test.admin(
      `SELECT 'app', count(*) FROM apps WHERE tenant_id = $1 UNION ALL SELECT 'account', count(*) FROM accounts WHERE tenant_id = $1
       UNION ALL SELECT 'grant', count(*) FROM grants WHERE tenant_id = $1 AND removed_revision IS NULL
       UNION ALL SELECT 'event', count(*) FROM events WHERE tenant_id = $1 UNION ALL SELECT 'import', count(*) FROM syncs WHERE tenant_id = $1
       UNION ALL SELECT 'revision', sum(value) FROM tenant_counters WHERE tenant_id = $1`,
      [tenantId],
    );

  /** The context, its connection killed before the n-th statement of the transaction. */
  function killedAt(context: Context, count: number): { context: Context; statements: () => number } {
    let statements = 0;
    const guard = (tx: Db): Db => {
      const killFirst = async () => {
        if (++statements === count) {
          const { pid } = await tx.one<{ pid: number }>('SELECT pg_backend_pid() AS pid', []);
          await test.admin('SELECT pg_terminate_backend($1)', [pid]);
        }
      };
      return {
        ...tx,
        rows: (...args) => killFirst().then(() => tx.rows(...args)),
        maybe: (...args) => killFirst().then(() => tx.maybe(...args)),
        one: (...args) => killFirst().then(() => tx.one(...args)),
        run: (...args) => killFirst().then(() => tx.run(...args)),
        transaction: (work) => work(guard(tx)),
      } as Db;
    };
    const db: Db = { ...context.db, transaction: (work) => context.db.transaction((tx) => work(guard(tx))) };
    return { context: { ...context, db }, statements: () => statements };
  }

  it('leave what was there, wherever the connection is lost', async () => {
    const tenant = makeTenant(test);
    await tenant.grants(rows(10));
    const before = await inventory(tenant.tenantId);
    const upload = () => {
      const body = new PassThrough();
      body.end([grantsHeader, ...rows(14).slice(1)].join('\n'));
      return { body, encoding: '' };
    };
    let isDone = false;
    let killed = 0;
    for (let at = 1; !isDone; at += 3) {
      const { context, statements } = killedAt(tenant.context(), at);
      await importGrants(context, { app: 'Wiki', allowRemovals: true }, upload()).then(
        () => {
          isDone = statements() < at;
        },
        () => {
          killed++;
        },
      );
      if (!isDone) {
        expect(await inventory(tenant.tenantId)).toEqual(before);
      }
    }
    expect(killed).toBeGreaterThan(10);
    expect(await inventory(tenant.tenantId)).not.toEqual(before);
    expect(await tenant.grants(rows(14).slice(1))).toMatchObject({ unchanged: 13, added: 0 });
  });

  it('leave nothing of an upload that breaks off', async () => {
    const tenant = makeTenant(test);
    // A folder of its own: imports of other tests leave their files in the usual one while they run.
    const folder = await mkdtemp(join(tmpdir(), 'countersign-interrupted-'));
    vi.stubEnv('TMPDIR', folder);
    const body = new PassThrough();
    body.write(`${grantsHeader}\n${rows(1)[0]}\n`);
    try {
      const told = refusalOf(importGrants(tenant.context(), { app: 'Wiki', allowRemovals: false }, { body, encoding: '' }));
      setTimeout(() => body.destroy(new Error('reset')), 20);
      expect((await told).message).toContain('cut off');
      expect(await test.admin('SELECT 1 FROM apps WHERE tenant_id = $1', [tenant.tenantId])).toEqual([]);
      await expect.poll(() => readdir(folder)).toEqual([]);
    } finally {
      vi.unstubAllEnvs();
      await rm(folder, { recursive: true });
    }
  });
});
