/**
 * Two tenants in a fresh database, each with a Super Administrator and a Basic User: what every store test runs with, so that a
 * forgotten tenant shows. Scopes have a frozen clock.
 */
import { createUser } from '../../src/foundation/directory/index.ts';
import { createTenant, type Tenant } from '../../src/foundation/tenants/index.ts';
import { type Actor, type RoleName, type Context, noReactions, silentLogger, systemActor } from '../../src/context.ts';
import { openTestDatabase, type TestDatabase } from './database.ts';

/** The moment tests happen at, unless they say otherwise. */
export const frozenNow = new Date('2026-03-01T12:00:00.000Z');

/** A tenant with people in it. */
export interface TestTenant {
  readonly tenant: Tenant;
  readonly adminId: string;
  readonly basicId: string;
  /** Acts as the system. */
  readonly system: Context;
  /** Acts as the Super Administrator. */
  readonly admin: Context;
  /** Acts as the Basic User. */
  readonly basic: Context;
}

/** A database with two tenants; everything in `theirs` must stay out of sight of `ours`. */
export interface TwoTenants extends TestDatabase {
  readonly ours: TestTenant;
  readonly theirs: TestTenant;
}

/** An actor who is a person; roles beyond Basic User are named. */
export function actorOf(userId: string, roles: readonly RoleName[] = [], more: Partial<Actor> = {}): Actor {
  return {
    kind: 'credential',
    userId,
    credentialId: '',
    issuerId: '',
    roles: new Set<RoleName>(['BASIC_USER', ...roles]),
    sourceIp: '192.0.2.1',
    requestId: 'test-request',
    ...more,
  };
}

/** Makes one tenant with its people, who have addresses at `name`. */
export async function makeTestTenant(test: TestDatabase, name: string, react = noReactions, host: string = name): Promise<TestTenant> {
  const { database } = test;
  const tenant = await createTenant({ database, now: frozenNow, log: silentLogger, react, hooks: [] }, { host, displayName: name });
  const system: Context = {
    db: database.tenant(tenant.id),
    tenantId: tenant.id,
    actor: systemActor('test'),
    now: frozenNow,
    log: silentLogger,
    react,
  };
  const adminId = await createUser(system, { email: `admin@${name}`, displayName: 'Ada Admin', roles: ['SUPER_ADMINISTRATOR'] });
  const basicId = await createUser(system, { email: `basic@${name}`, displayName: 'Ben Basic', roles: [] });
  return {
    tenant,
    adminId,
    basicId,
    system,
    admin: { ...system, actor: actorOf(adminId, ['SUPER_ADMINISTRATOR']) },
    basic: { ...system, actor: actorOf(basicId) },
  };
}

/** The database that files of this process share, once one has asked for it. It ends with the run. */
let shared: Promise<TestDatabase> | undefined;
let pairs = 0;

/**
 * Two tenants in a database that other files use, too: it knows their statements already. For files that run no job but their own and look at no
 * other tenant's rows; `close` does nothing.
 */
export async function useTwoTenants(react = noReactions): Promise<TwoTenants> {
  shared ??= openTestDatabase();
  const test = { ...(await shared), close: () => Promise.resolve() };
  const number = ++pairs;
  const ours = await makeTestTenant(test, 'ours.example', react, `ours-${number}.example`);
  const theirs = await makeTestTenant(test, 'theirs.example', react, `theirs-${number}.example`);
  return { ...test, ours, theirs };
}

/** Opens a fresh database with two tenants, whose events set in motion what `react` says; `close` in afterAll. */
export async function openTwoTenants(react = noReactions): Promise<TwoTenants> {
  const test = await openTestDatabase();
  const ours = await makeTestTenant(test, 'ours.example', react);
  const theirs = await makeTestTenant(test, 'theirs.example', react);
  return { ...test, ours, theirs };
}
