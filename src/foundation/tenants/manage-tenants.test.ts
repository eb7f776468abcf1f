/** Creating, finding and deleting tenants on a real database. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestDatabase, type TestDatabase } from '../../../test/support/database.ts';
import { type Context, noReactions, silentLogger } from '../../context.ts';
import { createTenantFinder } from './find-tenant.ts';
import { allowIssuedCredentials, createTenant, deleteTenant, listTenants, type TenantHook } from './manage-tenants.ts';
import { findTenant } from './store.ts';

let test: TestDatabase;
const now = new Date('2026-03-01T12:00:00Z');
const work = (hooks: readonly TenantHook[] = []) => ({ database: test.database, now, log: silentLogger, react: noReactions, hooks });
const find = (host: string | undefined) => createTenantFinder(test.database).findByHost(host);

beforeAll(async () => {
  test = await openTestDatabase();
});
afterAll(() => test.close());

describe('createTenant', () => {
  it('gives each tenant a secret of its own, and the host in one spelling', async () => {
    const a = await createTenant(work(), { host: 'A.Example.', displayName: 'A' });
    const b = await createTenant(work(), { host: 'b.example', displayName: '' });
    expect(a).toMatchObject({ host: 'a.example', displayName: 'A', issuedCredentialsAllowed: true });
    expect(b.displayName).toBe('b.example');
    expect(a.secret).toHaveLength(32);
    expect(a.secret.equals(b.secret)).toBe(false);
    expect(await findTenant(test.database.system(), a.id)).toEqual(a);
    expect((await listTenants(test.database)).map((tenant) => tenant.host)).toEqual(['a.example', 'b.example']);
  });

  it('refuses a host that is taken or none', async () => {
    await expect(createTenant(work(), { host: 'a.example:443', displayName: '' })).rejects.toMatchObject({ code: 'CONFLICT' });
    await expect(createTenant(work(), { host: 'no host', displayName: '' })).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
  });

  it('refuses a loopback name whose other spelling is taken', async () => {
    await createTenant(work(), { host: 'localhost:9001', displayName: '' });
    await expect(createTenant(work(), { host: '127.0.0.1:9001', displayName: '' })).rejects.toMatchObject({ code: 'CONFLICT' });
    await createTenant(work(), { host: '127.0.0.1:9002', displayName: '' });
  });

  it('lets one of two win who want the same host at once', async () => {
    const results = await Promise.allSettled([1, 2, 3].map(() => createTenant(work(), { host: 'race.example', displayName: '' })));
    expect(results.filter((result) => result.status === 'fulfilled')).toHaveLength(1);
  });

  it('leaves nothing behind when a hook fails', async () => {
    const fail: TenantHook = () => Promise.reject(new Error('hook'));
    await expect(createTenant(work([fail]), { host: 'half.example', displayName: '' })).rejects.toThrow('hook');
    expect(await find('half.example')).toBeUndefined();
  });

  it('runs hooks as the new tenant, in the same transaction', async () => {
    let context: Context | undefined;
    const tenant = await createTenant(
      work([
        async (inside) => {
          context = inside;
          expect(inside.db.inTransaction).toBe(true);
          expect(await inside.db.one('SELECT current_tenant_id() AS id', [])).toEqual({ id: inside.tenantId });
        },
      ]),
      { host: 'hook.example', displayName: '' },
    );
    expect(context?.tenantId).toBe(tenant.id);
  });
});

describe('findByHost', () => {
  it('finds by any spelling of the host, and loopback names by each other', async () => {
    expect((await find('A.EXAMPLE'))?.host).toBe('a.example');
    for (const host of ['localhost:9001', '127.0.0.1:9001', '[::1]:9001']) {
      expect((await find(host))?.host).toBe('localhost:9001');
    }
    expect((await find('[::1]:9002'))?.host).toBe('127.0.0.1:9002');
  });

  it.each([undefined, '', 'unknown.example', 'localhost', 'localhost:9003', '127.0.0.2:9001', 'a.example:8080', "a.example' OR 1=1", '*'])(
    'knows no tenant for %j',
    async (host) => {
      expect(await find(host)).toBeUndefined();
    },
  );

  it('remembers for less than 5 s, also that there is none', async () => {
    let clock = 0;
    const finder = createTenantFinder(test.database, () => clock);
    expect(await finder.findByHost('late.example')).toBeUndefined();
    await createTenant(work(), { host: 'late.example', displayName: '' });
    clock = 3_999;
    expect(await finder.findByHost('late.example')).toBeUndefined();
    clock = 4_000;
    expect(await finder.findByHost('late.example')).toBeDefined();
  });
});

describe('deleteTenant', () => {
  it('frees the host and erases nothing', async () => {
    const tenant = await createTenant(work(), { host: 'gone.example', displayName: 'Gone' });
    const deleted: string[] = [];
    await deleteTenant(work([async (_context, one) => void deleted.push(one.id)]), 'GONE.example');
    expect(deleted).toEqual([tenant.id]);
    expect(await find('gone.example')).toBeUndefined();
    expect(await findTenant(test.database.system(), tenant.id)).toBeUndefined();
    const rows = await test.admin('SELECT deleted_at, display_name FROM tenants WHERE tenant_id = $1', [tenant.id]);
    expect(rows).toEqual([{ deleted_at: now, display_name: 'Gone' }]);
    const next = await createTenant(work(), { host: 'gone.example', displayName: '' });
    expect(next.id).not.toBe(tenant.id);
  });

  it('says when there is none', async () => {
    await expect(deleteTenant(work(), 'never.example')).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(deleteTenant(work(), 'no host')).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });
});

describe('allowIssuedCredentials', () => {
  it('turns the setting off and on', async () => {
    const tenant = await find('b.example');
    await allowIssuedCredentials(test.database, tenant?.id ?? '', false);
    expect((await find('b.example'))?.issuedCredentialsAllowed).toBe(false);
    await allowIssuedCredentials(test.database, tenant?.id ?? '', true);
    expect((await find('b.example'))?.issuedCredentialsAllowed).toBe(true);
  });
});
