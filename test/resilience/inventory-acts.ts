/**
 * Every kind of thing that changes an inventory, done at random over HTTP: files, things granted and removed manually, pushes of an identity
 * provider, owners, sources, access profiles, whole apps. What must be true meanwhile and afterwards is in the tests.
 */
import type { Answer, Loose } from '../support/api.ts';
import { patch, urn } from '../support/scim.ts';

/** Somebody who works on an inventory: ways in, and a look at what is there. */
export interface Worker {
  readonly tenantId: string;
  /** From 0 to 1; the same sequence for the same seed. */
  random(): number;
  call(method: string, path: string, body?: unknown): Promise<Answer>;
  upload(path: string, file: string): Promise<Answer>;
  /** With the token of the identity provider of the app `SCIM`. */
  scim(method: string, path: string, body?: unknown): Promise<Answer>;
  /** Rows of the tenant, which is $1. */
  rows(sql: string, values?: readonly unknown[]): Promise<Loose[]>;
}

/** One change; undefined where there was nothing to change. */
export type Act = (worker: Worker) => Promise<Answer | undefined>;

const apps = ['One', 'Two', 'SCIM'] as const;
const sources = ['files', 'second'] as const;
const peopleCount = 24;
const upTo = (count: number): number[] => Array.from({ length: count }, (_, index) => index);
const soon = (milliseconds: number): string => new Date(Date.now() + milliseconds).toISOString();

function pick<T>({ random }: Worker, from: readonly T[]): T | undefined {
  return from[Math.floor(random() * from.length)];
}

/** Most of these, in their order. */
function most<T>({ random }: Worker, from: readonly T[]): T[] {
  const share = 0.5 + random() / 2;
  return from.filter(() => random() < share);
}

/** A file of people: somebody leaves, comes back, gets another department or manager each time. */
export function peopleFile(worker: Worker, count = peopleCount): string {
  const lines = most(worker, upTo(count)).map(
    (n) =>
      `p${n}@work.example,Person ${n},p${Math.floor(worker.random() * 4)}@work.example,D${Math.floor(worker.random() * 3)},Clerk,${worker.random() < 0.9 ? 'ACTIVE' : 'TERMINATED'},E${n % 20},u${n % 18},${pick(worker, ['Berlin', 'Bonn'])},${n}`,
  );
  return ['email,display_name,manager_email,department,job_title,employment_status,employee_id,username,site,cost', ...lines].join('\n');
}

/** A file of grants of up to `count` accounts, some inherited, some with an end; two people match some of the accounts. */
export function grantsFile(worker: Worker, count = peopleCount): string {
  const { random } = worker;
  const lines = most(worker, upTo(count)).flatMap((n) => {
    const email = n % 3 === 0 ? '' : `p${n}@work.example`;
    const account = n % 5 === 0 ? `p${n}@work.example` : `a${n}`;
    const status = n % 7 === 0 ? 'DISABLED' : 'ENABLED';
    return most(worker, upTo(5)).map((e) => {
      const via = e === 3 && random() < 0.5 ? 'group/team/member' : '';
      return `${account},${email},USER,${status},role,R${e % 2},e${e},2024-01-01T00:00:00Z,${random() < 0.5 ? '2025-01-01T00:00:00Z' : ''},${via},E${n % 20}`;
    });
  });
  const header =
    'account,email,account_type,account_status,resource_type,resource,entitlement,granted_at,last_used_at,granted_via,employee_id';
  return [header, ...lines, 'always,,USER,ENABLED,group,team,member,,,,'].join('\n');
}

const live: Readonly<Record<string, string>> = {
  app: `SELECT id FROM apps WHERE tenant_id = $1 AND deleted_at IS NULL AND display_name = ANY ('{One,Two,SCIM}') ORDER BY name_key`,
  user: `SELECT id FROM users WHERE tenant_id = $1 AND email_key LIKE 'p%@work.example' ORDER BY email_key`,
  account: `SELECT id, app_id FROM accounts WHERE tenant_id = $1 AND status <> 'DELETED' ORDER BY app_id, external_id`,
  manual: `SELECT id, app_id FROM entitlements WHERE tenant_id = $1 AND deleted_at IS NULL AND (is_manual OR is_app_access) ORDER BY id`,
  entitlement: `SELECT id, app_id FROM entitlements WHERE tenant_id = $1 AND deleted_at IS NULL ORDER BY id`,
  grant: `SELECT entitlement_id AS id, app_id, account_id FROM grants WHERE tenant_id = $1 AND removed_revision IS NULL AND source_no = 0 ORDER BY 1, 3`,
  connector: `SELECT id, app_id FROM sources WHERE tenant_id = $1 AND deleted_at IS NULL AND app_id <> '' AND kind = 'FILE' ORDER BY id`,
  resource: `SELECT id, app_id, resource_type_id FROM resources WHERE tenant_id = $1 AND deleted_at IS NULL ORDER BY id`,
  directory: `SELECT app_id FROM directories WHERE tenant_id = $1 AND deleted_at IS NULL ORDER BY app_id`,
  profile: `SELECT id FROM access_profiles WHERE tenant_id = $1 AND deleted_at IS NULL ORDER BY id`,
  scimUser: `SELECT id FROM scim_resources WHERE tenant_id = $1 AND deleted_at IS NULL AND kind = 'USER' ORDER BY id`,
  scimGroup: `SELECT id FROM scim_resources WHERE tenant_id = $1 AND deleted_at IS NULL AND kind = 'GROUP' ORDER BY id`,
};

async function some(worker: Worker, what: keyof typeof live, most = 1): Promise<Loose[]> {
  const rows = await worker.rows(live[what] ?? '', []);
  const found = upTo(Math.min(most, rows.length)).flatMap(() => pick(worker, rows) ?? []);
  return found;
}

/** An act on one thing of a kind. */
const on =
  (what: string, act: (worker: Worker, one: Loose) => Promise<Answer | undefined>): Act =>
  async (worker) => {
    const [one] = await some(worker, what);
    return one === undefined ? undefined : act(worker, one);
  };

const at = (one: Loose, rest: string): string => `/api/v1/apps/${one.app_id}/${rest}`;

/** By name, with how often each is wanted beside the others. */
export const acts: Readonly<Record<string, readonly [weight: number, act: Act]>> = {
  importGrants: [
    8,
    (worker) =>
      worker.upload(
        `/api/v1/imports/grants?app=${pick(worker, apps)}&source=${pick(worker, sources)}&allow_removals=true`,
        grantsFile(worker),
      ),
  ],
  importPeople: [2, (worker) => worker.upload('/api/v1/imports/people?allow_removals=true', peopleFile(worker))],
  give: [
    6,
    on('manual', async (worker, one) => {
      const userIds = (await some(worker, 'user', 4)).map(({ id }) => id);
      return userIds.length === 0 ? undefined : worker.call('POST', at(one, `entitlements/${one.id}/add-manual-user`), { userIds });
    }),
  ],
  take: [
    3,
    on('grant', ({ call }, one) => call('DELETE', at(one, `entitlements/${one.id}/remove-membership`), { appUserId: one.account_id })),
  ],
  until: [
    3,
    on('grant', ({ call, random }, one) =>
      call('POST', at(one, `entitlements/${one.id}/users/${one.account_id}/update-grant-duration`), {
        newDeprovisionAt: soon(50 + 1000 * random()),
      }),
    ),
  ],
  forEver: [
    1,
    on('grant', ({ call }, one) => call('POST', at(one, `entitlements/${one.id}/users/${one.account_id}/remove-grant-duration`), {})),
  ],
  makeEntitlement: [
    2,
    on('app', ({ call, random }, { id }) => call('POST', `/api/v1/apps/${id}/entitlements`, { displayName: `By hand ${random()}` })),
  ],
  deleteEntitlement: [1, on('manual', ({ call }, one) => call('DELETE', at(one, `entitlements/${one.id}`)))],
  changeEntitlement: [
    1,
    on('entitlement', ({ call, random }, one) =>
      call('POST', at(one, `entitlements/${one.id}`), { entitlement: { description: `${random()}` } }),
    ),
  ],
  ownEntitlement: [
    1,
    on('entitlement', async (worker, one) =>
      worker.call('PUT', at(one, `entitlements/${one.id}/owners`), { userIds: (await some(worker, 'user', 3)).map(({ id }) => id) }),
    ),
  ],
  ownResource: [
    1,
    on('resource', async (worker, one) =>
      worker.call('PUT', at(one, `resource_types/${one.resource_type_id}/resource/${one.id}/owners`), {
        userIds: (await some(worker, 'user', 3)).map(({ id }) => id),
      }),
    ),
  ],
  ownApp: [
    1,
    on('app', async (worker, { id }) =>
      worker.call('PUT', `/api/v1/apps/${id}/owners`, { userIds: (await some(worker, 'user', 3)).map((one) => one.id) }),
    ),
  ],
  typeAccount: [
    1,
    on('account', (worker, one) =>
      worker.call('POST', at(one, `app_users/${one.id}`), {
        appUser: { appUserType: pick(worker, ['APP_USER_TYPE_USER', 'APP_USER_TYPE_SERVICE_ACCOUNT', 'APP_USER_TYPE_UNSPECIFIED']) },
        updateMask: 'appUserType',
      }),
    ),
  ],
  ownAccount: [
    2,
    on('account', async (worker, one) =>
      worker.call('PUT', at(one, `app_users/${one.id}/owner`), { userId: (await some(worker, 'user'))[0]?.id ?? '' }),
    ),
  ],
  disownAccount: [2, on('account', ({ call }, one) => call('DELETE', at(one, `app_users/${one.id}/owner`)))],
  makeSource: [1, on('app', ({ call }, { id }) => call('POST', `/api/v1/apps/${id}/connectors`, { displayName: 'second' }))],
  deleteSource: [1, on('connector', ({ call }, one) => call('DELETE', at(one, `connectors/${one.id}`)))],
  pause: [1, on('connector', ({ call }, one) => call('POST', at(one, `connectors/${one.id}/pause`), {}))],
  resume: [3, on('connector', ({ call }, one) => call('POST', at(one, `connectors/${one.id}/resume`), {}))],
  forceSync: [2, on('connector', ({ call }, one) => call('POST', at(one, `connectors/${one.id}/force_sync`), {}))],
  order: [
    1,
    on('connector', (worker, one) =>
      worker.call('PUT', `/api/v1/connectors/${one.id}/match_order`, {
        order: pick(worker, [['MATCH_RULE_EMAIL'], ['MATCH_RULE_EMPLOYEE_ID', 'MATCH_RULE_EMAIL'], ['MATCH_RULE_USERNAME']]),
      }),
    ),
  ],
  share: [
    1,
    on('connector', ({ call, random }, one) =>
      call('PUT', `/api/v1/sources/${one.id}/removal_share`, { removalShare: Math.floor(random() * 100) }),
    ),
  ],
  makeDirectory: [1, on('app', ({ call }, { id }) => call('POST', '/api/v1/directories', { appId: id }))],
  changeDirectory: [
    1,
    on('directory', (worker, one) =>
      worker.call('PUT', `/api/v1/directories/${one.app_id}`, {
        mergeConfig: { matchCases: [pick(worker, [emailCase, usernameCase])] },
      }),
    ),
  ],
  deleteDirectory: [1, on('directory', ({ call }, one) => call('DELETE', `/api/v1/directories/${one.app_id}`))],
  pushUser: [
    4,
    (worker) => {
      const n = Math.floor(worker.random() * peopleCount);
      return worker.scim('POST', '/Users', {
        schemas: [urn.user],
        userName: `a${n}`,
        displayName: `Pushed ${n}`,
        emails: [{ value: `p${n}@work.example`, primary: true }],
      });
    },
  ],
  patchUser: [
    2,
    on('scimUser', ({ scim, random }, { id }) =>
      scim('PATCH', `/Users/${id}`, patch({ op: 'replace', path: 'active', value: random() < 0.5 })),
    ),
  ],
  deleteUser: [1, on('scimUser', ({ scim }, { id }) => scim('DELETE', `/Users/${id}`))],
  pushGroup: [
    2,
    async (worker) => {
      const members = (await some(worker, 'scimUser', 5)).map(({ id }) => ({ value: id }));
      return worker.scim('POST', '/Groups', { schemas: [urn.group], displayName: `Group ${Math.floor(worker.random() * 6)}`, members });
    },
  ],
  patchGroup: [
    3,
    on('scimGroup', async (worker, { id }) => {
      const value = (await some(worker, 'scimUser', 3)).map((one) => ({ value: one.id }));
      return worker.scim('PATCH', `/Groups/${id}`, patch({ op: pick(worker, ['add', 'replace', 'remove']), path: 'members', value }));
    }),
  ],
  deleteGroup: [1, on('scimGroup', ({ scim }, { id }) => scim('DELETE', `/Groups/${id}`))],
  makeProfile: [1, ({ call, random }) => call('POST', '/api/v1/catalogs', { displayName: `Profile ${random()}`, published: true })],
  fillProfile: [
    2,
    on('profile', async (worker, { id }) => {
      const appEntitlements = (await some(worker, 'entitlement', 5)).map((one) => ({ appId: one.app_id, id: one.id }));
      return worker.call(pick(worker, ['POST', 'DELETE']) ?? '', `/api/v1/catalogs/${id}/requestable_entries`, { appEntitlements });
    }),
  ],
  showProfile: [
    1,
    on('profile', async (worker, { id }) => {
      const accessEntitlements = (await some(worker, 'entitlement', 5)).map((one) => ({ appId: one.app_id, id: one.id }));
      return worker.call(pick(worker, ['POST', 'DELETE']) ?? '', `/api/v1/catalogs/${id}/visibility_bindings`, { accessEntitlements });
    }),
  ],
  deleteProfile: [1, on('profile', ({ call }, { id }) => call('DELETE', `/api/v1/catalogs/${id}`))],
  roles: [1, on('user', ({ call }, { id }) => call('PUT', `/api/v1/users/${id}/roles`, { roleIds: ['000000CampaignAdministrator'] }))],
  attribute: [
    1,
    (worker) =>
      worker.call('PUT', `/api/v1/profile_attributes/user/${pick(worker, ['site', 'cost'])}`, {
        type: pick(worker, ['PROFILE_ATTRIBUTE_TYPE_TEXT', 'PROFILE_ATTRIBUTE_TYPE_NUMBER']),
      }),
  ],
  deleteApp: [
    1,
    async (worker) => {
      // Not the one of the identity provider, whose token would be of no use.
      const [one] = (await some(worker, 'app', 9)).reverse();
      const [scim] = await worker.rows(`SELECT id FROM apps WHERE tenant_id = $1 AND name_key = 'scim' AND deleted_at IS NULL`);
      return one === undefined || one.id === scim?.id ? undefined : worker.call('DELETE', `/api/v1/apps/${one.id}`);
    },
  ],
};

const emailCase = { appUserKeyCel: 'appUser.email', userKeyCel: 'user.email' };
const usernameCase = { appUserKeyCel: 'appUser.username', userKeyCel: 'user.username' };
