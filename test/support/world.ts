/**
 * A company with a bit of everything, made through the API alone: people of every role, an app whose every list has more than ten rows,
 * and reviews as draft and open. For tests that must hold for every operation of the contract; see operations.ts.
 */
import { type Answer, headersOf, type Loose, request } from './api.ts';
import { loadSamples } from './load-samples.ts';
import type { ServedTenant, TestPerson } from './server.ts';
import { until as untilFine } from './until.ts';

type PersonOfWorld = 'campaigner' | 'reader' | 'owner' | 'assignee' | 'basic' | 'logReader';

/** Content of a world, as far as it can be written down: with it a copy of its database is a world, too. */
export interface WorldData {
  readonly people: Readonly<Record<PersonOfWorld, Omit<TestPerson, 'client'>>>;
  readonly appId: string;
  readonly otherAppId: string;
  readonly resourceTypeId: string;
  readonly resourceId: string;
  readonly entitlementId: string;
  readonly accountId: string;
  /** Owns the account. */
  readonly userId: string;
  /** Approver of the policies of `makePolicy`. */
  readonly approverId: string;
  readonly policyId: string;
  readonly importId: string;
  /** An import of grants. */
  readonly syncId: string;
  readonly credentialId: string;
  readonly principalId: string;
  readonly principalCredentialId: string;
  readonly draftId: string;
  readonly openId: string;
  readonly riskLevelId: string;
  readonly frameworkId: string;
  /** Open tasks of the open review that are assigned to `assignee`. */
  readonly taskIds: readonly string[];
  /** Ids of what files of samples filled it with, for their samples. */
  readonly notes: Record<string, string>;
}

/** One tenant with everything in it. */
export interface World extends Omit<WorldData, 'people' | 'taskIds'> {
  readonly tenant: ServedTenant;
  readonly campaigner: TestPerson;
  readonly reader: TestPerson;
  /** A Basic User who owns the reviews. */
  readonly owner: TestPerson;
  /** A Basic User to whom tasks of the open review are assigned. */
  readonly assignee: TestPerson;
  /** A Basic User who has nothing to do with anything. */
  readonly basic: TestPerson;
  /** A credential that is narrowed to the system log. */
  readonly logReader: TestPerson;
  /** Makes the reviews and templates from now on: the administrator, unless this is a world `madeBy` somebody. */
  readonly creator: TestPerson;
  /** Whom the acknowledgement of each new review names; nobody in a world of the administrator's. */
  readonly acknowledger?: TestPerson;
  /** Whoever decides in the place of `assignee`; nobody in a world of the administrator's. */
  readonly delegate?: TestPerson;
  /** Open tasks of the open review that are assigned to `assignee`. */
  readonly taskIds: string[];
  call(person: TestPerson, method: string, path: string, body?: unknown): Promise<Answer>;
  /** A draft of the creator's, owned by `owner`, over the app. */
  makeDraft(body?: object): Promise<string>;
  /** A review of the app that was prepared and started; `settings` are changed before. */
  openReview(settings?: object): Promise<string>;
  /** A draft whose state is then said to be another, without what usually happens on the way. */
  makeReviewIn(state: string): Promise<string>;
  /** A new policy that nothing refers to. */
  makePolicy(): Promise<string>;
  /** Waits until the review is in this state. */
  until(id: string, state: string): Promise<Loose>;
}

const two = (number: number): string => String(number).padStart(2, '0');
const upTo = (count: number): number[] => Array.from({ length: count }, (_, index) => index);

/** People p00 to p29; p01 is the manager of all others. */
export const worldPeople = ['email,display_name,manager_email,department,job_title,employment_status,site']
  .concat(upTo(30).map((n) => `p${two(n)}@world.example,Person ${two(n)},${n === 1 ? '' : 'p01@world.example'},Sales,Clerk,ACTIVE,Berlin`))
  .join('\n');

/** Person 0 holds something of everything through account a00; e00 of resource R00 is held by everybody. */
export const worldGrants = ['account,email,account_type,account_status,resource_type,resource,entitlement,granted_at,last_used_at']
  .concat(upTo(12).map((n) => grantLine('a00', 0, 'role', 'R00', `e${two(n)}`)))
  .concat(upTo(11).map((n) => grantLine('a00', 0, 'role', `R${two(n + 1)}`, 'member')))
  .concat(upTo(12).map((n) => grantLine('a00', 0, `type ${two(n)}`, 'only', 'member')))
  .concat(upTo(12).map((n) => grantLine(`x${two(n)}`, 0, 'role', 'R00', 'e00')))
  .concat(upTo(29).map((n) => grantLine(`a${two(n + 1)}`, n + 1, 'role', 'R00', 'e00')))
  .join('\n');

function grantLine(account: string, person: number, type: string, resource: string, entitlement: string): string {
  return `${account},p${two(person)}@world.example,USER,ENABLED,${type},${resource},${entitlement},2025-01-01T00:00:00Z,`;
}

/** Sends a file as its body. */
export async function sendFile(
  tenant: ServedTenant,
  person: TestPerson,
  path: string,
  file: string | Uint8Array,
  encoding?: string,
): Promise<Answer> {
  const headers: Record<string, string> = { ...(await headersOf(tenant, person)), 'content-type': 'text/csv' };
  if (encoding !== undefined) {
    headers['content-encoding'] = encoding;
  }
  const body = typeof file === 'string' ? file : new Uint8Array(file);
  const response = await tenant.fetch(path, { method: 'POST', headers, body });
  return { status: response.status, body: await response.json() };
}

async function good(tenant: ServedTenant, person: TestPerson, method: string, path: string, body?: unknown): Promise<Loose> {
  const answer = await request(tenant, person, method, path, body);
  if (answer.status !== 200) {
    throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
  }
  return answer.body;
}

/** A request of the administrator that must be fine. */
export function adminOf(tenant: ServedTenant): (method: string, path: string, body?: unknown) => Promise<Loose> {
  return (method, path, body) => good(tenant, tenant.admin, method, path, body);
}

type Acts = Pick<World, 'call' | 'makeDraft' | 'openReview' | 'makeReviewIn' | 'makePolicy' | 'until' | 'creator'>;

/** Those who have a part in reviews beside owning and deciding them. */
type Parts = Pick<World, 'creator' | 'acknowledger' | 'delegate'>;

/** The same world with such people. */
export function madeBy(world: World, parts: Required<Parts>): World {
  const ids = { appId: world.appId, ownerId: world.owner.id, approverId: world.approverId };
  return { ...world, ...parts, ...actsIn(world.tenant, ids, parts) };
}

/** Makes acts that tests repeat in a world. */
function actsIn(
  tenant: ServedTenant,
  { appId, ownerId, approverId }: Record<'appId' | 'ownerId' | 'approverId', string>,
  { creator, acknowledger }: Parts = { creator: tenant.admin },
): Acts {
  const admin = adminOf(tenant);
  const until = async (id: string, state: string): Promise<Loose> => {
    for (let attempt = 0; attempt < 3000; attempt++) {
      const review = (await admin('GET', `/api/v1/access_review/${id}`)).accessReview.accessReview;
      if (review.state === `ACCESS_REVIEW_STATE_${state}`) {
        return review;
      }
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    throw new Error(`the review did not become ${state}: ${JSON.stringify(await admin('GET', `/api/v1/access_review/${id}/progress`))}`);
  };
  const makeDraft = async (body: object = {}): Promise<string> => {
    const made = await good(tenant, creator, 'POST', '/api/v1/access_review', { displayName: 'Review', ownerIds: [ownerId], ...body });
    const { id } = made.accessReview.accessReview;
    if (acknowledger !== undefined) {
      await admin('PUT', `/api/v1/access_review/${id}/acknowledgement`, { userIds: [acknowledger.id] });
    }
    await admin('POST', `/api/v1/access_review/${id}`, { accessReview: { singleApp: { appId } } });
    return id;
  };
  return {
    creator,
    call: (person, method, path, body) => request(tenant, person, method, path, body),
    until,
    makeDraft,
    openReview: async (settings) => {
      const id = await makeDraft();
      if (settings !== undefined) {
        await admin('POST', `/api/v1/access_review/${id}`, { accessReview: settings });
      }
      await admin('POST', `/api/v1/access_review/${id}/action/prepare`, {});
      await until(id, 'REVIEW');
      await admin('POST', `/api/v1/access_review/${id}/action/start`, {});
      await until(id, 'OPEN');
      return id;
    },
    makeReviewIn: async (state) => {
      const id = await makeDraft();
      await tenant.system().db.run('UPDATE reviews SET state = $3 WHERE tenant_id = $1 AND id = $2', [tenant.id, id, state]);
      return id;
    },
    makePolicy: async () => {
      const made = await admin('POST', '/api/v1/policies', {
        displayName: 'Somebody named',
        policyType: 'POLICY_TYPE_CERTIFY',
        policySteps: { certify: { steps: [{ approval: { users: { userIds: [approverId] } } }] } },
      });
      return made.policy.id;
    },
  };
}

/** Makes it all in a tenant. */
export async function makeWorld(tenant: ServedTenant): Promise<World> {
  const admin = adminOf(tenant);
  const people = await sendFile(tenant, tenant.admin, '/api/v1/imports/people', worldPeople);
  const grants = await sendFile(tenant, tenant.admin, '/api/v1/imports/grants?app=World', worldGrants);
  for (const _ of upTo(10)) {
    await sendFile(tenant, tenant.admin, '/api/v1/imports/people', worldPeople);
  }
  const appId: string = grants.body.import.appId;
  const users: Loose[] = (await admin('POST', '/api/v1/search/users', { query: 'Person', pageSize: 100 })).list;
  const userOf = (n: number): string => users.find(({ user }: Loose) => user.email === `p${two(n)}@world.example`).user.id;
  const campaigner = await tenant.makePerson('campaigner@world.example', ['CAMPAIGN_ADMINISTRATOR']);
  const reader = await tenant.makePerson('reader@world.example', ['READ_ONLY_ADMINISTRATOR']);
  const owner = await tenant.makePerson('owner@world.example');
  const basic = await tenant.makePerson('basic@world.example');
  const assignee = await tenant.ownClient(userOf(1));
  const logReader = await makeLogReader(tenant);

  const types: Loose[] = (await admin('GET', `/api/v1/apps/${appId}/resource_types?page_size=100`)).list;
  const resourceTypeId: string = types.find(({ appResourceType }: Loose) => appResourceType.displayName === 'role').appResourceType.id;
  const resources: Loose[] = (await admin('GET', `/api/v1/apps/${appId}/resource_types/${resourceTypeId}/resources?page_size=100`)).list;
  const resourceId: string = resources.find(({ appResource }: Loose) => appResource.displayName === 'R00').appResource.id;
  const entitlements: Loose[] = (
    await admin('GET', `/api/v1/apps/${appId}/entitlements/resource_types/${resourceTypeId}/resources/${resourceId}?page_size=100`)
  ).list.map(({ appEntitlement }: Loose) => appEntitlement);
  const entitlementId: string = entitlements.find(({ displayName }) => /e00/.test(displayName)).id;
  const accounts: Loose[] = (await admin('GET', `/api/v1/apps/${appId}/users/${userOf(0)}/app_users?page_size=100`)).list;
  const accountId: string = accounts
    .map(({ appUser }: Loose) => appUser)
    .find(({ displayName, username }: Loose) => [displayName, username].includes('a00')).id;
  let otherAppId = '';
  for (const n of upTo(11)) {
    otherAppId = (await admin('POST', '/api/v1/apps', { displayName: `App ${two(n)}` })).app.id;
  }
  await admin('PUT', `/api/v1/apps/${appId}/owners`, { userIds: upTo(12).map((n) => userOf(n + 10)) });
  await admin('PUT', `/api/v1/apps/${appId}/entitlements/${entitlementId}/owners`, { userIds: upTo(12).map((n) => userOf(n + 10)) });
  // Person 0 owns eleven resources; one has twelve owners.
  for (const { appResource } of resources) {
    const userIds = appResource.id === resourceId ? upTo(12).map((n) => userOf(n + 10)) : [userOf(0)];
    await admin('PUT', `/api/v1/apps/${appId}/resource_types/${resourceTypeId}/resource/${appResource.id}/owners`, { userIds });
  }
  const acts = actsIn(tenant, { appId, ownerId: owner.id, approverId: userOf(2) });
  const { call, makeDraft, makePolicy, openReview } = acts;
  let policyId = '';
  let credentialId = '';
  for (const n of upTo(11)) {
    policyId = await makePolicy();
    credentialId = (await admin('POST', '/api/v1/iam/personal_clients', { displayName: `Key ${n}` })).client.id;
  }
  let riskLevelId = '';
  let frameworkId = '';
  for (const n of upTo(11)) {
    riskLevelId = (await admin('POST', '/api/v1/attributes/risk_levels', { value: `Level ${n}` })).value.id;
    frameworkId = (await admin('POST', '/api/v1/attributes/compliance_frameworks', { value: `Framework ${n}` })).value.id;
  }
  const { principalId, principalCredentialId } = await makePrincipals(admin);
  const draftId = await makeDraft({ ownerIds: [owner.id, ...upTo(11).map((n) => userOf(n + 10))] });
  await admin('POST', `/api/v1/access_review/${draftId}/scope_and_entitlements`, {
    entitlements: entitlements.map(({ id }) => ({ appId, appEntitlementId: id })),
  });
  for (const _ of upTo(9)) {
    await makeDraft();
  }
  const openId = await openReview();
  const search = await call(assignee, 'POST', '/api/v1/search/tasks', {
    accessReviewIds: [openId],
    taskStates: ['TASK_STATE_OPEN'],
    pageSize: 100,
  });
  const taskIds: string[] = search.body.list.map(({ task }: Loose) => task.id);
  for (const _ of upTo(11)) {
    await admin('POST', `/api/v1/access_review/${openId}/report`, { format: 'ACCESS_REVIEW_REPORT_FORMAT_JSON' });
    const decisions = [{ taskId: taskIds.pop(), decision: 'REVIEW_DECISION_CERTIFY' }];
    await call(assignee, 'POST', `/api/v1/access_review/${openId}/submissions`, { decisions });
    await call(assignee, 'POST', `/api/v1/tasks/${taskIds[0]}/action/comment`, { comment: 'Hm.' });
  }
  // Lists of reports are read again and again, and must not change meanwhile.
  await untilFine(async () => {
    const { list } = await admin('GET', `/api/v1/access_review/${openId}/report?page_size=100`);
    if (JSON.stringify(list).includes('REPORT_STATE_PENDING')) {
      throw new Error('reports are still being written');
    }
  });
  const persons = { campaigner, reader, owner, assignee, basic, logReader };
  const world: World = {
    tenant,
    ...persons,
    appId,
    otherAppId,
    resourceTypeId,
    resourceId,
    entitlementId,
    accountId,
    userId: userOf(0),
    approverId: userOf(2),
    policyId,
    importId: people.body.import.id,
    syncId: grants.body.import.id,
    credentialId,
    principalId,
    principalCredentialId,
    draftId,
    openId,
    riskLevelId,
    frameworkId,
    taskIds,
    notes: {},
    ...acts,
  };
  for (const fill of (await loadSamples()).fills) {
    await fill(world);
  }
  return world;
}

/** A world written down, for copies of its database. */
export function describeWorld(world: World): WorldData {
  const bare = ({ id, email, credential }: TestPerson): Omit<TestPerson, 'client'> => ({ id, email, credential });
  const { campaigner, reader, owner, assignee, basic, logReader, creator: _creator, ...rest } = world;
  const people = {
    campaigner: bare(campaigner),
    reader: bare(reader),
    owner: bare(owner),
    assignee: bare(assignee),
    basic: bare(basic),
    logReader: bare(logReader),
  };
  return { ...(JSON.parse(JSON.stringify({ ...rest, tenant: undefined })) as WorldData), people };
}

/** The world in a copy of its database. */
export function enterWorld(tenant: ServedTenant, { people, taskIds, ...ids }: WorldData): World {
  const revive = (person: Omit<TestPerson, 'client'>): TestPerson => tenant.reach(person);
  return {
    tenant,
    campaigner: revive(people.campaigner),
    reader: revive(people.reader),
    owner: revive(people.owner),
    assignee: revive(people.assignee),
    basic: revive(people.basic),
    logReader: revive(people.logReader),
    ...ids,
    taskIds: [...taskIds],
    ...actsIn(tenant, { appId: ids.appId, ownerId: people.owner.id, approverId: ids.approverId }),
  };
}

/** Eleven service principals, the last of which has eleven credentials, and eleven attributes with a type. */
async function makePrincipals(
  admin: (method: string, path: string, body?: unknown) => Promise<Loose>,
): Promise<{ principalId: string; principalCredentialId: string }> {
  let principalId = '';
  let principalCredentialId = '';
  for (const n of upTo(11)) {
    principalId = (await admin('POST', '/api/v1/service_principals', { displayName: `Program ${two(n)}` })).servicePrincipal.id;
    const name = n === 0 ? 'site' : `attribute ${two(n)}`;
    await admin('PUT', `/api/v1/profile_attributes/user/${encodeURIComponent(name)}`, { type: 'PROFILE_ATTRIBUTE_TYPE_TEXT' });
  }
  for (const n of upTo(11)) {
    const made = await admin('POST', `/api/v1/service_principals/${principalId}/credentials`, { displayName: `Key ${n}` });
    principalCredentialId = made.credential.id;
  }
  return { principalId, principalCredentialId };
}

/** Somebody whose credential may read the system log and nothing else. */
async function makeLogReader(tenant: ServedTenant): Promise<TestPerson> {
  const person = await tenant.makePerson('log@world.example', ['READ_ONLY_SYSTEM_LOGS']);
  const { body } = await request(tenant, person, 'POST', '/api/v1/iam/personal_clients', {
    displayName: 'Log alone',
    scopedRoles: ['000000000ReadOnlySystemLogs'],
  });
  return { ...person, credential: { clientId: body.client.clientId, clientSecret: body.clientSecret } };
}
