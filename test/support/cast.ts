/**
 * Everybody there is, in a World: people with each role, what they narrow and what is issued to them, service principals, and a source. Each says
 * how the matrix of authority knows them.
 */
import type { ActorKind, RoleName } from '../../src/context.ts';
import { actorOfKind } from '../../src/foundation/authority/matrix.ts';
import { type Authority, type Expected, expectedAnswer, type Standing } from '../../src/foundation/authority/objects.ts';
import { ROLES } from '../../src/foundation/directory/index.ts';
import { printLink } from '../../src/foundation/sessions/index.ts';
import { sourceOwnerEmail } from './app-for-sources.ts';
import { request, workWithCookie, workWithToken } from './api.ts';
import { askToken } from './connector.ts';
import { connectScim } from './scim.ts';
import type { ServedTenant, TestPerson } from './server.ts';
import { cookieIn, openLink, signIn } from './sign-in.ts';
import { madeBy, type World } from './world.ts';

/** Somebody who is asked, and how the matrix knows them. */
export interface Character {
  readonly title: string;
  /** Whoever comes; a session is a new one each time, since operations end sessions. */
  enter(): TestPerson | Promise<TestPerson>;
  readonly kind: ActorKind;
  readonly roles: readonly RoleName[];
  readonly issuedMayAnswer?: boolean;
  readonly standing: Standing;
  /** True if they come in a session and signed in more than ten minutes ago. */
  readonly isStale?: boolean;
  /** True if the person reads everything by another way than what they come with. */
  readonly readsElsewhere?: boolean;
  /** Answer to all they ask, where they are known and open none of it. */
  readonly everywhere?: Expected;
  /** True if the usual suite asks them of some operations only. */
  readonly isOther: boolean;
}

/** Standing by role of somebody who is nothing else to an object. */
const standingOf = {
  SUPER_ADMINISTRATOR: 'SUPER',
  CAMPAIGN_ADMINISTRATOR: 'CAMPAIGN',
  READ_ONLY_ADMINISTRATOR: 'READER',
  BASIC_USER: 'OTHER',
  READ_ONLY_SYSTEM_LOGS: 'OTHER',
} as const satisfies Readonly<Record<RoleName, Standing>>;

async function ok(tenant: ServedTenant, person: TestPerson, method: string, path: string, body: object) {
  const answer = await request(tenant, person, method, path, body);
  if (answer.status !== 200) {
    throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
  }
  return answer.body;
}

const withCredential = (
  person: TestPerson,
  body: { client?: { clientId: string }; credential?: { clientId: string }; clientSecret: string },
) => ({
  ...person,
  credential: { clientId: (body.client ?? body.credential)?.clientId ?? '', clientSecret: body.clientSecret },
});

async function findPerson(tenant: ServedTenant, email: string): Promise<{ id: string }> {
  const { list } = await ok(tenant, tenant.admin, 'POST', '/api/v1/search/users', { email });
  return list[0].user;
}

async function makePrincipal(tenant: ServedTenant, role: RoleName): Promise<Character> {
  const { admin } = tenant;
  const { servicePrincipal } = await ok(tenant, admin, 'POST', '/api/v1/service_principals', { displayName: `Program as ${role}` });
  await ok(tenant, admin, 'PUT', `/api/v1/users/${servicePrincipal.id}/roles`, { roleIds: [ROLES[role].id] });
  const made = await ok(tenant, admin, 'POST', `/api/v1/service_principals/${servicePrincipal.id}/credentials`, { displayName: 'Key' });
  const person = withCredential({ ...admin, id: servicePrincipal.id, email: '' }, made);
  const roles: RoleName[] = ['BASIC_USER', role];
  return { title: `program ${role}`, enter: () => person, kind: 'service_principal', roles, standing: standingOf[role], isOther: true };
}

async function narrow(tenant: ServedTenant, person: TestPerson, role: RoleName): Promise<Character> {
  const fields = { displayName: role, scopedRoles: [ROLES[role].id] };
  const narrowed = withCredential(person, await ok(tenant, person, 'POST', '/api/v1/iam/personal_clients', fields));
  return {
    title: `narrowed to ${role}`,
    enter: () => narrowed,
    kind: 'credential',
    roles: [role],
    standing: standingOf[role],
    readsElsewhere: true,
    isOther: true,
  };
}

/** Somebody to whom a service principal issued a credential. */
async function issueByProgram(tenant: ServedTenant, person: TestPerson): Promise<TestPerson> {
  const program = await (await makePrincipal(tenant, 'SUPER_ADMINISTRATOR')).enter();
  return withCredential(
    person,
    await ok(tenant, program, 'POST', `/api/v1/users/${person.id}/personal_clients`, { displayName: 'Issued' }),
  );
}

/** A connector of a source in this app, with its token. */
async function connect(tenant: ServedTenant, appId: string): Promise<{ token: string }> {
  const at = `/api/v1/apps/${appId}/connectors`;
  const config = { '@type': 'type.googleapis.com/countersign.v1.BatonSettings', program: 'baton-demo' };
  const { id } = (await ok(tenant, tenant.admin, 'POST', `${at}/create`, { config })).connectorView.connector;
  const { credential } = await ok(tenant, tenant.admin, 'POST', `${at}/${id}/credentials`, {});
  return askToken({ url: tenant.url, ...credential, hostId: 'host-1' });
}

/** Result the matrix expects of them; `standing` is theirs where it is left out. */
export function expectedFor(authority: Authority, character: Character, standing: Standing = character.standing): Expected {
  const { kind, roles, issuedMayAnswer, isStale, readsElsewhere, everywhere } = character;
  if (everywhere !== undefined) {
    return everywhere;
  }
  const expected = expectedAnswer(authority, actorOfKind(kind, roles, issuedMayAnswer), standing, isStale);
  // Nobody is blind to the first decisions who reads them with another credential.
  return expected === 'yes' && authority.object === 'SECOND_REVIEWER' && readsElsewhere === true ? 'no' : expected;
}

/** Makes who made the world's reviews and templates, who may acknowledge them, and who decides in the reviewer's place. */
async function makeParties(tenant: ServedTenant, { owner, assignee }: World) {
  const creator = await tenant.makePerson('creator@world.example', ['CAMPAIGN_ADMINISTRATOR']);
  const acknowledger = await tenant.makePerson('acknowledger@world.example');
  const delegate = await tenant.makePerson('delegate@world.example');
  await ok(tenant, assignee, 'PUT', '/api/v1/my/delegation', { delegatedUserId: delegate.id });
  const { db } = tenant.system();
  const ofOwner = 'tenant_id = $1 AND id IN (SELECT o.review_id FROM review_owners o WHERE o.tenant_id = $1 AND o.user_id = $3)';
  await db.run(`UPDATE reviews SET created_by_id = $2 WHERE ${ofOwner}`, [tenant.id, creator.id, owner.id]);
  const acknowledgement = JSON.stringify({ userIds: [acknowledger.id] });
  await db.run(`UPDATE reviews SET acknowledgement = $2 WHERE ${ofOwner}`, [tenant.id, acknowledgement, owner.id]);
  return { creator, acknowledger, delegate };
}

/** The people of the world and all others, and the world in which they have their parts. */
export async function makeCast(
  tenant: ServedTenant,
  empty: World,
): Promise<{ readonly cast: readonly Character[]; readonly world: World }> {
  const { admin } = tenant;
  const parties = await makeParties(tenant, empty);
  const { creator, acknowledger, delegate } = parties;
  const world = madeBy(empty, parties);
  const own = (title: string, person: TestPerson, standing: Standing, ...roles: RoleName[]): Character => ({
    ...{ title, enter: () => person, kind: 'credential', roles: ['BASIC_USER', ...roles], standing, isOther: false },
  });
  const administrators: RoleName[] = ['SUPER_ADMINISTRATOR', 'CAMPAIGN_ADMINISTRATOR', 'READ_ONLY_ADMINISTRATOR', 'READ_ONLY_SYSTEM_LOGS'];
  await tenant.system().db.run(`UPDATE tenants SET issued_answers = 'NEVER' WHERE tenant_id = $1`, [tenant.id]);
  const everything = await tenant.makePerson('everything@world.example', administrators);
  const printed = await tenant.makePerson('printed@world.example', ['SUPER_ADMINISTRATOR']);
  const signedIn = await tenant.makePerson('signed-in@world.example');
  const issued = await tenant.issueClient(world.assignee.id);
  const subject = await tenant.ownClient(world.userId);
  // Owns the app of the world since its reviews were opened, so that none of their tasks fell to this owner.
  const appOwner = await tenant.ownClient((await findPerson(tenant, 'p25@world.example')).id);
  await ok(tenant, admin, 'POST', `/api/v1/apps/${world.appId}/owners/${appOwner.id}`, {});
  // Owns that one entitlement, and nothing else of the app.
  const keeper = await tenant.makePerson('keeps-one@world.example');
  const entitlement = `/api/v1/apps/${world.appId}/entitlements/${world.entitlementId}`;
  await ok(tenant, admin, 'POST', `${entitlement}/owners`, { userId: keeper.id });
  const sourceOwner = await tenant.makePerson(sourceOwnerEmail);
  const { token, appId } = await connectScim(tenant, 'Pushes');
  const connector = await connect(tenant, appId);
  const ofProgram = await issueByProgram(tenant, world.assignee);
  const enterPrinted = async (person: TestPerson): Promise<TestPerson> => {
    // At the time of now: a link ends after some minutes.
    const context = tenant.system();
    const link = await printLink({ ...context, actor: { ...context.actor, kind: 'credential', userId: admin.id } }, person.id);
    return workWithCookie({ ...person }, cookieIn(await openLink(tenant, link.token)) ?? '');
  };
  // There is a way to sign in again: else nobody is asked to.
  await ok(tenant, admin, 'POST', '/api/v1/auth-configs', {
    displayName: 'Sign-on',
    okta: { domain: 'cast.okta.com', oidcClientId: 'client', oidcClientSecret: 'secret' },
  });
  const enterLate = async (): Promise<TestPerson> => {
    const cookie = await signIn(tenant, admin.id);
    await tenant
      .system()
      .db.run(`UPDATE sessions SET proven_at = created_at - interval '11 minutes' WHERE tenant_id = $1 AND user_id = $2`, [
        tenant.id,
        admin.id,
      ]);
    return workWithCookie({ ...admin }, cookie);
  };
  const basic = { roles: ['BASIC_USER'], isOther: true } as const;
  const cast: readonly Character[] = [
    own('administrator', admin, 'SUPER', 'SUPER_ADMINISTRATOR'),
    own('owner', world.owner, 'OWNER'),
    own('reviewer', world.assignee, 'REVIEWER'),
    own('campaigner', world.campaigner, 'CAMPAIGN', 'CAMPAIGN_ADMINISTRATOR'),
    own('reader', world.reader, 'READER', 'READ_ONLY_ADMINISTRATOR'),
    own('basic', world.basic, 'OTHER'),
    own('creator', creator, 'CREATOR', 'CAMPAIGN_ADMINISTRATOR'),
    own('delegate', delegate, 'DELEGATE'),
    own('acknowledger', acknowledger, 'ACKNOWLEDGER'),
    own('entitlement owner', keeper, 'ENTITLEMENT_OWNER'),
    { ...own('log', world.logReader, 'OTHER'), roles: ['READ_ONLY_SYSTEM_LOGS'] },
    { title: 'subject', enter: () => subject, kind: 'credential', standing: 'SUBJECT', ...basic },
    { title: 'app owner', enter: () => appOwner, kind: 'credential', standing: 'APP_OWNER', ...basic },
    { title: 'source owner', enter: () => sourceOwner, kind: 'credential', standing: 'SOURCE_OWNER', ...basic },
    {
      ...{ title: 'older session', enter: enterLate, kind: 'session', standing: 'SUPER', isStale: true, isOther: true },
      roles: ['BASIC_USER', 'SUPER_ADMINISTRATOR'],
    },
    { title: 'issued credential', enter: () => issued, kind: 'issued_credential', issuedMayAnswer: false, standing: 'REVIEWER', ...basic },
    {
      title: 'issued session',
      enter: () => enterPrinted(world.assignee),
      kind: 'issued_session',
      issuedMayAnswer: false,
      standing: 'REVIEWER',
      ...basic,
    },
    {
      ...{ title: 'session', kind: 'session', standing: 'OTHER', ...basic },
      enter: async () => workWithCookie({ ...signedIn }, await signIn(tenant, signedIn.id)),
    },
    {
      ...{ title: 'issued to an administrator', enter: () => enterPrinted(printed), kind: 'issued_session', issuedMayAnswer: false },
      // A link that is issued gives no role that administers.
      ...{ standing: 'OTHER', ...basic },
    },
    // No setting lets it answer.
    {
      title: 'issued by a program',
      enter: () => ofProgram,
      kind: 'issued_credential',
      standing: 'REVIEWER',
      ...basic,
    },
    {
      ...{ title: 'connector', enter: () => workWithToken({ ...signedIn }, connector.token), kind: 'source', roles: [], standing: 'OTHER' },
      ...{ everywhere: 'no', isOther: true },
    },
    { title: 'source', enter: () => workWithToken({ ...signedIn }, token), kind: 'source', roles: [], standing: 'OTHER', isOther: true },
    await makePrincipal(tenant, 'SUPER_ADMINISTRATOR'),
    await makePrincipal(tenant, 'CAMPAIGN_ADMINISTRATOR'),
    await makePrincipal(tenant, 'READ_ONLY_ADMINISTRATOR'),
    await makePrincipal(tenant, 'BASIC_USER'),
    await narrow(tenant, everything, 'CAMPAIGN_ADMINISTRATOR'),
    await narrow(tenant, everything, 'READ_ONLY_ADMINISTRATOR'),
    await narrow(tenant, everything, 'BASIC_USER'),
    await narrow(tenant, everything, 'READ_ONLY_SYSTEM_LOGS'),
  ];
  return { cast, world };
}
