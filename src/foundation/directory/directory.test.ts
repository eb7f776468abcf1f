/** People and roles on a real database with two tenants: who may read whom, what a search finds, and that an administrator stays. */
import { UserSchema } from '../../gen/c1/api/user/v1/user_pb.js';
import { shape } from '../../wire/reply.ts';
import { create } from '@bufbuild/protobuf';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { actorOf, useTwoTenants, type TwoTenants } from '../../../test/support/tenants.ts';
import { SearchUsersRequestSchema } from '../../gen/c1/api/user/v1/user_service_pb.js';
import type { RoleName, Context } from '../../context.ts';
import { createUser } from './create-user.ts';
import { roleLoader, userLoader } from './load.ts';
import { filterOfSearch, getSelf, getUser, searchUsers } from './read-users.ts';
import { ROLES, roleNames } from './roles.ts';
import { setRoles, withBasicUser } from './set-roles.ts';
import { findUser, findUserByEmail, listUsersByIds } from './store.ts';
import { listUsers } from './store-search.ts';
import { shapeUser, shapeUserView } from './view.ts';

let two: TwoTenants;
const superId = ROLES.SUPER_ADMINISTRATOR.id;
const basicId = ROLES.BASIC_USER.id;
const firstTen = { order: 'ID', after: undefined, limit: 10 } as const;

beforeAll(async () => {
  two = await useTwoTenants();
  await two.admin(
    `UPDATE users SET department = 'Legal', job_title = 'Clerk', manager_id = $2, source = 'hr', profile = '{"username": "ben", "employee_id": "7"}' WHERE id = $1`,
    [two.ours.basicId, two.ours.adminId],
  );
});
afterAll(() => two.close());

function as(...roles: RoleName[]): Context {
  return { ...two.ours.system, actor: actorOf(two.ours.basicId, roles) };
}

describe('row-level security', () => {
  it('hides the rows of another tenant from SQL that forgets the tenant', async () => {
    const { db } = two.ours.system;
    const mine = await db.rows<{ tenant_id: string }>('SELECT tenant_id FROM users', []);
    expect(mine.length).toBe(2);
    expect(mine.every((row) => row.tenant_id === two.ours.tenant.id)).toBe(true);
    expect(await db.rows('SELECT 1 FROM events WHERE tenant_id = $1', [two.theirs.tenant.id])).toEqual([]);
    expect(await db.run(`UPDATE users SET display_name = 'x' WHERE id = $1`, [two.theirs.basicId])).toBe(0);
    expect(await db.run('DELETE FROM user_roles WHERE user_id = $1', [two.theirs.adminId])).toBe(0);
  });

  it('refuses to write rows of another tenant, and to see any without one', async () => {
    await expect(
      two.ours.system.db.run(`INSERT INTO user_roles (tenant_id, user_id, role_id, created_at) VALUES ($1, $2, $3, now())`, [
        two.theirs.tenant.id,
        two.theirs.basicId,
        superId,
      ]),
    ).rejects.toMatchObject({ code: 'INTERNAL' });
    await expect(two.database.system().rows('SELECT 1 FROM users', [])).rejects.toMatchObject({ code: 'INTERNAL' });
  });

  it('is on every store of this module: ids of another tenant are nobody', async () => {
    const context = two.ours.admin;
    expect(await findUser(context, two.theirs.basicId)).toBeUndefined();
    expect(await findUserByEmail(context, 'basic@theirs.example')).toBeUndefined();
    expect((await listUsersByIds(context, [two.theirs.basicId, two.ours.basicId])).size).toBe(1);
    expect(await listUsers(context, { ids: [two.theirs.basicId] }, firstTen)).toEqual([]);
    expect(await userLoader(context, [two.theirs.adminId])).toEqual(new Map());
    await expect(getUser(context, two.theirs.basicId)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(setRoles(context, two.theirs.basicId, [])).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });
});

describe('who may read whom', () => {
  it.each([
    ['SUPER_ADMINISTRATOR', true],
    ['READ_ONLY_ADMINISTRATOR', true],
    ['CAMPAIGN_ADMINISTRATOR', true],
    ['READ_ONLY_SYSTEM_LOGS', false],
    ['BASIC_USER', false],
  ] as const)('%s reads others: %s', async (role, reads) => {
    const context = as(role);
    const found = await searchUsers(context, {}, firstTen);
    expect(found.map((user) => user.id)).toEqual(reads ? [two.ours.adminId, two.ours.basicId] : [two.ours.basicId]);
    const other = getUser(context, two.ours.adminId);
    await (reads
      ? expect(other).resolves.toMatchObject({ id: two.ours.adminId })
      : expect(other).rejects.toMatchObject({ code: 'NOT_FOUND' }));
    expect((await getUser(context, two.ours.basicId)).id).toBe(two.ours.basicId);
    expect((await getSelf(context)).id).toBe(two.ours.basicId);
  });

  it('narrows a search for others to nothing', async () => {
    expect(await searchUsers(as(), { ids: [two.ours.adminId] }, firstTen)).toEqual([]);
  });
});

describe('search', () => {
  const search = async (request: Parameters<typeof create<typeof SearchUsersRequestSchema>>[1]) =>
    (await searchUsers(two.ours.admin, filterOfSearch(create(SearchUsersRequestSchema, request)), { ...firstTen, limit: 100 })).map(
      (user) => user.displayName,
    );
  const ben = ['Ben Basic'];
  const ada = ['Ada Admin'];
  const both = [...ada, ...ben];

  it('honours every member of the request', async () => {
    expect(await search({})).toEqual(both);
    expect(await search({ query: 'BEN' })).toEqual(ben);
    expect(await search({ query: 'admin@' })).toEqual(ada);
    expect(await search({ query: '%' })).toEqual([]);
    expect(await search({ query: '_' })).toEqual([]);
    expect(await search({ email: 'Basic@OURS.example' })).toEqual(ben);
    expect(await search({ email: 'basic@' })).toEqual([]);
    expect(await search({ departments: ['Legal', 'X'] })).toEqual(ben);
    expect(await search({ departments: ['X'] })).toEqual([]);
    expect(await search({ jobTitles: ['Clerk'] })).toEqual(ben);
    expect(await search({ managerIds: [two.ours.adminId] })).toEqual(ben);
    expect(await search({ ids: [two.ours.adminId] })).toEqual(ada);
    expect(await search({ refs: [{ id: two.ours.basicId }] })).toEqual(ben);
    expect(await search({ ids: [two.ours.adminId], refs: [{ id: two.ours.basicId }] })).toEqual(both);
    expect(await search({ excludeIds: [two.ours.adminId] })).toEqual(ben);
    expect(await search({ roleIds: [superId] })).toEqual(ada);
    expect(await search({ roleIds: [basicId] })).toEqual(both);
    expect(await search({ roleIds: ['nothing'] })).toEqual([]);
    expect(await search({ userStatuses: [1] })).toEqual(both);
    expect(await search({ userStatuses: [2, 3] })).toEqual([]);
    expect(await search({ userStatuses: [0] })).toEqual([]);
    expect(await search({ origins: [1] })).toEqual(ben);
    expect(await search({ origins: [2] })).toEqual(ada);
    expect(await search({ origins: [3] })).toEqual([]);
    expect(await search({ excludeOrigins: [1] })).toEqual(ada);
    expect(await search({ excludeOrigins: [1, 2] })).toEqual([]);
    expect(await search({ excludeTypes: [2] })).toEqual([]);
    expect(await search({ excludeTypes: [3] })).toEqual(both);
    expect(await search({ delegateStatus: 1 })).toEqual([]);
    expect(await search({ delegateStatus: 2 })).toEqual(both);
    expect(await search({ isDelegate: true })).toEqual([]);
    expect(await search({ delegatedUserIds: ['x'] })).toEqual([]);
    expect(await search({ sourceAppIds: ['x'] })).toEqual([]);
    expect(await search({ query: 'ben', departments: ['Legal'], managerIds: [two.ours.adminId] })).toEqual(ben);
  });

  it('is not led astray by what is typed', async () => {
    expect(await search({ query: "' OR '1'='1" })).toEqual([]);
    expect(await search({ departments: ["Legal') OR true --"] })).toEqual([]);
  });

  it('pages by id', async () => {
    const [first] = await searchUsers(two.ours.admin, {}, { ...firstTen, limit: 1 });
    const rest = await searchUsers(two.ours.admin, {}, { ...firstTen, after: [first?.id ?? ''] });
    expect([first?.displayName, ...rest.map((user) => user.displayName)]).toEqual(both);
  });
});

describe('view', () => {
  it('shows what is known of a person', async () => {
    const row = await getUser(two.ours.admin, two.ours.basicId);
    expect(shape(UserSchema, shapeUser(two.ours.admin.actor, row))).toMatchObject({
      id: two.ours.basicId,
      email: 'basic@ours.example',
      emails: ['basic@ours.example'],
      displayName: 'Ben Basic',
      department: 'Legal',
      jobTitle: 'Clerk',
      managerIds: [two.ours.adminId],
      roleIds: [basicId],
      status: 'ENABLED',
      directoryStatus: 'ENABLED',
      username: 'ben',
      employeeIds: ['7'],
      origin: 'USER_ORIGIN_DIRECTORY',
      type: 'USER_TYPE_HUMAN',
      profile: { username: 'ben', employee_id: '7' },
    });
    expect(shape(UserSchema, shapeUser(two.ours.admin.actor, row))).not.toHaveProperty('deletedAt');
  });

  it('points at what was expanded', async () => {
    const row = await getUser(two.ours.admin, two.ours.adminId);
    const places: Record<string, string> = { [superId]: '$.expanded[0]', [basicId]: '$.expanded[2]' };
    const view = shapeUserView(two.ours.admin.actor, row, (path, id) => (path === 'role_ids' ? (places[id] ?? '') : ''));
    expect(view.rolesPath).toBe('$.expanded[2,0]');
    expect(view.managersPath).toBe('');
    expect(view.objectPermissions).toMatchObject({ read: true, edit: true, delete: false });
  });

  it('loads roles by id', async () => {
    const roles = await roleLoader(two.ours.admin, [superId, 'nothing']);
    expect([...roles.values()]).toEqual([
      expect.objectContaining({ id: superId, displayName: 'Super Administrator', systemBuiltin: true }),
    ]);
  });
});

describe('setRoles', () => {
  it('gives and takes roles, with an event, and Basic User always', async () => {
    const { basicId: person } = two.ours;
    expect(await setRoles(two.ours.admin, person, [ROLES.CAMPAIGN_ADMINISTRATOR.id, ROLES.CAMPAIGN_ADMINISTRATOR.id])).toEqual(
      withBasicUser([ROLES.CAMPAIGN_ADMINISTRATOR.id]),
    );
    expect((await findUser(two.ours.admin, person))?.roleIds).toEqual([ROLES.CAMPAIGN_ADMINISTRATOR.id]);
    expect(await setRoles(two.ours.admin, person, [])).toEqual([basicId]);
    const events = await two.admin(`SELECT data FROM events WHERE kind = 'user.roles_changed' AND target_id = $1 ORDER BY id`, [person]);
    expect(events.map((event) => event.data)).toEqual([
      { added: [ROLES.CAMPAIGN_ADMINISTRATOR.id], removed: [], roleIds: withBasicUser([ROLES.CAMPAIGN_ADMINISTRATOR.id]) },
      { added: [], removed: [ROLES.CAMPAIGN_ADMINISTRATOR.id], roleIds: [basicId] },
    ]);
  });

  it('writes no event when nothing changes', async () => {
    const count = () => two.admin('SELECT count(*) FROM events');
    const before = await count();
    await setRoles(two.ours.admin, two.ours.basicId, [basicId]);
    expect(await count()).toEqual(before);
  });

  it('names every id that is no role', async () => {
    await expect(setRoles(two.ours.admin, two.ours.basicId, ['a', superId, 'b'])).rejects.toMatchObject({
      code: 'INVALID_ARGUMENT',
      violations: [{ field: 'roleIds[0]' }, { field: 'roleIds[2]' }],
    });
  });

  it('never takes the last active Super Administrator away', async () => {
    const { adminId } = two.ours;
    await expect(setRoles(two.ours.admin, adminId, [])).rejects.toMatchObject({ code: 'FAILED_PRECONDITION' });
    const disabled = await createUser(two.ours.system, { email: 'off@ours.example', displayName: 'Off', roles: ['SUPER_ADMINISTRATOR'] });
    await two.admin(`UPDATE users SET status = 'DISABLED' WHERE id = $1`, [disabled]);
    await expect(setRoles(two.ours.admin, adminId, [])).rejects.toMatchObject({ code: 'FAILED_PRECONDITION' });
    expect(await setRoles(two.ours.admin, disabled, [])).toEqual([basicId]);
  });

  it('keeps one when two are demoted at once', async () => {
    const { adminId, basicId: second } = two.ours;
    for (let round = 0; round < 5; round++) {
      await setRoles(two.ours.admin, second, [superId]);
      const results = await Promise.allSettled([setRoles(two.ours.admin, adminId, []), setRoles(two.ours.admin, second, [])]);
      expect(results.filter((result) => result.status === 'fulfilled')).toHaveLength(1);
      await setRoles(two.ours.system, adminId, [superId]);
    }
    await setRoles(two.ours.admin, second, []);
  });
});

describe('createUser', () => {
  it('refuses an address that is taken, in any case, or none', async () => {
    const make = (email: string) => createUser(two.ours.system, { email, displayName: '', roles: [] });
    await expect(make('ADMIN@ours.example')).rejects.toMatchObject({ code: 'CONFLICT' });
    await expect(make('nobody')).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
    await expect(make('admin@theirs.example')).resolves.toMatch(/^[0-9A-Za-z]{27}$/);
  });
});

describe('roles', () => {
  it('have fixed ids of 27 characters', () => {
    for (const role of Object.values(ROLES)) {
      expect(role.id).toMatch(/^[0-9A-Za-z]{27}$/);
      expect(roleNames([role.id, 'nothing'])).toEqual(new Set([role.role]));
    }
  });
});
