/**
 * kill -9 in the middle of what takes long in an inventory: a file, the end of a deleted app's access, grants whose time is over, matching
 * accounts again, pushes of an identity provider. The server is started again by the same command; nothing is half-done, and jobs end.
 * COUNTERSIGN_KILLS says how many kills each of them gets (1 unless given), COUNTERSIGN_KILL_GRANTS the size (over
 * 20,000, so that the end of an app takes several chunks, is the full test).
 */
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type Client, ClientError } from '../../src/client/index.ts';
import { AppEntitlementService } from '../../src/gen/c1/api/app/v1/app_entitlement_service_pb.js';
import { AppService } from '../../src/gen/c1/api/app/v1/app_service_pb.js';
import { ConnectorService } from '../../src/gen/c1/api/app/v1/connector_service_pb.js';
import { ScimService } from '../../src/gen/countersign/v1/scim_pb.js';
import { checkInventory } from '../support/check-inventory.ts';
import { urn } from '../support/scim.ts';
import { importGrants, importPeople, persist } from './campaign.ts';
import {
  clientOf,
  killPostmaster,
  makePlace,
  type Place,
  queryDatabase,
  readCredential,
  type ServerProcess,
  startServer,
} from './server-process.ts';

const kills = Number(process.env['COUNTERSIGN_KILLS'] ?? 1);
const size = Number(process.env['COUNTERSIGN_KILL_GRANTS'] ?? 12_000);
const people = size / 20;
const upTo = (count: number): number[] => Array.from({ length: count }, (_, index) => index);

let place: Place;
let server: ServerProcess;
let admin: Client;
let tenantId: string;
const journal: string[] = [];

const rows = <T>(sql: string, ...values: unknown[]): Promise<T[]> => queryDatabase<T>(place, sql, values);
const count = async (sql: string, ...values: unknown[]): Promise<number> =>
  Number((await rows<{ count: string }>(sql, ...values))[0]?.count);

/** People under addresses of a generation: the next one has other addresses and the same employee ids. */
function peopleFile(generation: string): Buffer {
  const lines = upTo(people).map((n) => `p${n}@${generation}.example,Person ${n},,,,ACTIVE,E${(n * 7) % people}`);
  return Buffer.from(['email,display_name,manager_email,department,job_title,employment_status,employee_id', ...lines].join('\n'));
}

/** As many grants as wanted, of accounts that match a person by address and another one by employee id. */
function grantsFile(wanted: number, first = 0): Buffer {
  const lines = upTo(wanted).map((n) => {
    const account = first + Math.floor(n / 4);
    return `a${account},p${account % people}@one.example,USER,ENABLED,role,R${n % 50},e${n % 4},,,E${account % people}`;
  });
  const header = 'account,email,account_type,account_status,resource_type,resource,entitlement,granted_at,last_used_at,employee_id';
  return Buffer.from([header, ...lines].join('\n'));
}

/** Kills the server, every other time its database with it, and starts it again. */
async function strike(what: string, afterMs: number): Promise<void> {
  await delay(afterMs);
  const withDatabase = journal.length % 2 === 1 && (await killPostmaster(place));
  await server.end('SIGKILL');
  server = startServer(place);
  await server.ready();
  journal.push(`${what}: after ${Math.round(afterMs)} ms${withDatabase ? ', and the database' : ''}`);
}

/** Does something again and again under kills until it was acknowledged after the last of them. */
async function underKills(what: string, usualMs: number, work: () => Promise<unknown>, between?: () => Promise<void>): Promise<void> {
  for (const _ of upTo(kills)) {
    const working = work().catch((error: unknown) => {
      // Nobody was there, or the connection broke off: all that a kill may look like.
      expect(error instanceof ClientError ? [0, 503].includes(error.status) : error instanceof TypeError).toBe(true);
    });
    await strike(what, Math.random() * usualMs);
    await working;
    await between?.();
  }
  await persist(work);
}

const jobsAreDone = async (kind: string): Promise<void> => {
  await expect
    .poll(() => count(`SELECT count(*) FROM jobs WHERE kind = $1 AND state = 'WAITING' AND run_at <= now()`, kind), {
      timeout: 60_000,
      interval: 50,
    })
    .toBe(0);
  expect(await count(`SELECT count(*) FROM jobs WHERE state = 'FAILED'`)).toBe(0);
};

beforeAll(async () => {
  place = await makePlace();
  server = startServer(place);
  await server.ready();
  admin = clientOf(place, await readCredential(place));
  await importPeople(admin, peopleFile('one'));
  tenantId = (await rows<{ id: string }>('SELECT tenant_id AS id FROM tenants'))[0]?.id ?? '';
}, 240_000);
afterEach(() => checkInventory((sql, values) => rows(sql, ...values), tenantId));
afterAll(async () => {
  console.log(`${size} grants\n${journal.join('\n')}`);
  await server.end('SIGTERM');
  await place.remove();
});

describe('kill -9', { timeout: 240_000 }, () => {
  const appIdOf = async (name: string): Promise<string> =>
    (await rows<{ id: string }>('SELECT id FROM apps WHERE display_name = $1 AND deleted_at IS NULL', name))[0]?.id ?? '';
  const openOf = (appId: string): Promise<number> =>
    count('SELECT count(*) FROM grants WHERE app_id = $1 AND removed_revision IS NULL AND NOT is_derived', appId);

  it('in a file: what was there before, or all of it', async () => {
    await importGrants(admin, 'Files', grantsFile(size));
    const appId = await appIdOf('Files');
    const next = grantsFile(size, size / 40);
    await underKills(
      'file',
      700,
      () => importGrants(admin, 'Files', next),
      async () => {
        const revisions = await count('SELECT count(*) FROM inventory_revisions WHERE app_id = $1', appId);
        expect([1, 2]).toContain(revisions);
        expect(await count(`SELECT count(*) FROM syncs WHERE app_id = $1 AND state = 'DONE' AND added > 0`, appId)).toBe(revisions);
        const fresh = await count(
          `SELECT count(*) FROM accounts WHERE app_id = $1 AND added_revision > 1 AND external_id LIKE 'a%'`,
          appId,
        );
        expect(fresh > 0).toBe(revisions === 2);
      },
    );
    expect(await openOf(appId)).toBe(size);
    expect(await count('SELECT count(*) FROM inventory_revisions WHERE app_id = $1', appId)).toBe(2);
    expect(await count(`SELECT count(*) FROM syncs WHERE app_id = $1 AND state = 'FAILED'`, appId)).toBe(0);
  });

  it('in matching again: every account has its old owner or its new one', async () => {
    await importGrants(admin, 'Matching', grantsFile(size));
    const appId = await appIdOf('Matching');
    const [source] = await rows<{ id: string }>('SELECT id FROM sources WHERE app_id = $1', appId);
    await rows(`UPDATE sources SET match_order = '{EMPLOYEE_ID}' WHERE id = $1`, source?.id);
    const byAddress = (): Promise<number> =>
      count('SELECT count(*) FROM accounts a JOIN users u ON u.id = a.user_id WHERE a.app_id = $1 AND u.email = a.email', appId);
    const all = await byAddress();
    const revisions = (): Promise<number> => count('SELECT count(*) FROM inventory_revisions WHERE app_id = $1', appId);
    await underKills(
      'matching',
      400,
      () => admin.call(ConnectorService.method.forceSync, { appId, connectorId: source?.id ?? '' }),
      async () => expect([`${all} 1`, '0 2', `${all / people} 2`]).toContain(`${await byAddress()} ${await revisions()}`),
    );
    expect(await revisions()).toBe(2);
    expect(await byAddress()).toBeLessThan(all / 2);
  });

  it('in the end of a deleted app: its access ends, as of one revision', async () => {
    await importGrants(admin, 'Leaving', grantsFile(size));
    const appId = await appIdOf('Leaving');
    await admin.call(AppService.method.delete, { id: appId });
    for (const _ of upTo(kills)) {
      await strike('deleted app', Math.random() * 300);
    }
    await jobsAreDone('app.end-access');
    const revisions = await rows<{ revision: string; count: string }>(
      'SELECT removed_revision AS revision, count(*) FROM grants WHERE app_id = $1 AND NOT is_derived GROUP BY 1',
      appId,
    );
    expect(revisions).toMatchObject([{ count: String(size) }]);
    expect(revisions[0]?.revision).not.toBeNull();
    const told = await rows<{ sum: string }>(
      `SELECT sum((data -> 'ended' ->> 'grants')::int) FROM events WHERE kind = 'app.access_ended' AND target_id = $1`,
      appId,
    );
    expect(told).toEqual([{ sum: String(size) }]);
    expect(await count(`SELECT count(*) FROM accounts WHERE app_id = $1 AND status <> 'DELETED'`, appId)).toBe(0);
  });

  it('while times run out: each grant ends once, and is reported once', async () => {
    const { app } = await admin.call(AppService.method.create, { displayName: 'Times' });
    const appId = app?.id ?? '';
    const made = await admin.call(AppEntitlementService.method.create, { appId, displayName: 'By hand' });
    const entitlementId = made.appEntitlementView?.appEntitlement?.id ?? '';
    const users = await rows<{ id: string }>(`SELECT id FROM users WHERE email LIKE 'p%@one.example' ORDER BY id`);
    for (const from of upTo(Math.ceil(users.length / 1000))) {
      const userIds = users.slice(from * 1000, from * 1000 + 1000).map(({ id }) => id);
      await admin.call(AppEntitlementService.method.addManuallyManagedMembers, { appId, appEntitlementId: entitlementId, userIds });
    }
    await rows(`UPDATE grants SET deprovision_at = now() + interval '200 ms' WHERE entitlement_id = $1`, entitlementId);
    await rows(
      `INSERT INTO jobs (id, tenant_id, kind, subject_id, cursor, run_at, created_at, updated_at)
       VALUES ('expiry', $1, 'grants.expire', $1, '{}', now() + interval '200 ms', now(), now())`,
      tenantId,
    );
    await rows(`NOTIFY countersign_jobs, ''`);
    await delay(200);
    for (const _ of upTo(kills)) {
      await strike('times', Math.random() * 200);
    }
    await jobsAreDone('grants.expire');
    expect(await openOf(appId)).toBe(0);
    const told = await rows<{ count: string; grants: string }>(
      `SELECT count(DISTINCT x.value ->> 'accountId'), count(*) AS grants FROM events e, jsonb_array_elements(e.data -> 'grants') AS x
       WHERE e.kind = 'grants.expired' AND e.target_id = $1`,
      appId,
    );
    expect(told).toEqual([{ count: String(users.length), grants: String(users.length) }]);
    expect(await count(`SELECT count(*) FROM accounts WHERE app_id = $1 AND status = 'ENABLED'`, appId)).toBe(users.length);
  });

  it('while an identity provider pushes: what it was given is there', async () => {
    const { app } = await admin.call(AppService.method.create, { displayName: 'Provider' });
    const { token = '' } = await admin.call(ScimService.method.createToken, { appId: app?.id ?? '' });
    const acknowledged = new Map<string, string>();
    let isOver = false;
    const push = async (n: number): Promise<void> => {
      const response = await fetch(`${place.url}/scim/v2/Users`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/scim+json' },
        body: JSON.stringify({ schemas: [urn.user], userName: `s${n}`, emails: [{ value: `s${n}@scim.example`, primary: true }] }),
      }).catch(() => undefined);
      const text = await response?.text().catch(() => '');
      if (response?.status === 201 && text !== undefined && text !== '') {
        acknowledged.set(`s${n}`, JSON.parse(text).id);
      } else if (response !== undefined && text !== '') {
        // Made the time before, which broke off; or the database was away.
        expect([409, 503]).toContain(response.status);
      } else {
        await delay(20);
      }
    };
    let next = 0;
    const pushing = Promise.all(
      upTo(4).map(async () => {
        while (!isOver) {
          await push(next++);
        }
      }),
    );
    for (const round of upTo(kills)) {
      await expect.poll(() => acknowledged.size, { timeout: 60_000 }).toBeGreaterThan(10 * round + 10);
      await strike('pushes', Math.random() * 50);
    }
    await expect.poll(() => acknowledged.size, { timeout: 60_000 }).toBeGreaterThan(10 * kills + 10);
    isOver = true;
    await pushing;
    const kept = await rows<{ id: string; name: string }>(
      `SELECT r.id, r.document ->> 'userName' AS name FROM scim_resources r JOIN accounts a ON a.id = r.account_id JOIN users u ON u.id = r.user_id
       WHERE r.deleted_at IS NULL AND a.status = 'ENABLED' AND u.status = 'ENABLED'`,
    );
    const found = new Map(kept.map(({ id, name }) => [name, id]));
    expect([...acknowledged].filter(([name, id]) => found.get(name) !== id)).toEqual([]);
    expect(kept).toHaveLength(await count('SELECT count(*) FROM scim_resources'));
  });
});
