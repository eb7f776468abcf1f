/**
 * A storm of random actors over all operations: a random somebody asks a random operation of a random thing, of their own review, of a review of
 * strangers, or of another tenant, in no order; and each answer is compared with the matrix that docs/authority.md shows. Everybody asking
 * everything of their own in order is roles.test.ts.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listAuthorities } from '../../scripts/list-authority.js';
import type { Authority, Expected, ObjectRule, Standing } from '../../src/foundation/authority/objects.ts';
import { contractRoute } from '../../src/http/route-of.ts';
import { type Character, expectedFor, makeCast } from '../support/cast.ts';
import { listOperations, type Operation, sampleOf, send } from '../support/operations.ts';
import { createRandom } from '../support/random.ts';
import { seedOfRun } from '../support/seed.ts';
import { type ServedTenant, startTestServer, type TestServer } from '../support/server.ts';
import { until } from '../support/until.ts';
import { makeWorld, type World } from '../support/world.ts';

type Place = 'own' | 'strange' | 'foreign';

/** Rules on strangers' reviews for those who own or decide another one. */
const ofReviews: readonly ObjectRule[] = [
  ...(['REVIEW_SEEN', 'REVIEW_READ', 'REVIEW_MANAGED', 'STARTED_REVIEW_READ', 'STARTED_REVIEW_MANAGED', 'EVIDENCE_READ'] as const),
  ...(['TASK_SEEN', 'TASK_ASKED', 'TASK_ASKED_ALONE', 'TASK_MANAGED', 'TASK_CANCELLED'] as const),
];
/** Standing in strangers' reviews of those who have a part in others. */
const elsewhere: Readonly<Partial<Record<Standing, Standing>>> = {
  OWNER: 'OTHER',
  REVIEWER: 'OTHER',
  DELEGATE: 'OTHER',
  ACKNOWLEDGER: 'OTHER',
  CREATOR: 'CAMPAIGN',
};
/** Of these the kind of actor says it all, whatever thing is named. */
const ofKinds: readonly ObjectRule[] = ['SESSION_ALONE', 'OWN'];
/** Operations on what is the same in every tenant. */
const everywhere = new Set([
  ...['RoleService.get', 'RoleService.update', 'AttributeService.listAttributeValues'],
  ...['ProfileAttributeService.set', 'ProfileAttributeService.delete'],
]);
/** Operations whose samples name what was made once for the whole tenant, so that they know no review of strangers. */
const madeOnce = new Set([
  ...['RollForwardService.get', 'RollForwardService.listLines', 'EvidenceService.generate', 'EvidenceService.list'],
  ...['SignatureService.get', 'SignatureService.stepUp', 'SignatureService.sign', 'StepUpTransactionService.get'],
]);
const statuses: Readonly<Record<Expected, readonly number[]>> = { yes: [200, 400, 409], no: [403], hidden: [404], unknown: [401] };
/** Requests with each setting. */
const draws = 1_200;

const operations = await listOperations();
const authorities = new Map((await listAuthorities()).map((one) => [one.name, one as Authority]));

function expectedAt(place: Place, authority: Authority, character: Character): Expected {
  if (place === 'foreign') {
    const object = ofKinds.includes(authority.object) ? authority.object : 'ANY';
    const asKind = expectedFor({ ...authority, object }, character);
    return asKind === 'yes' ? 'hidden' : asKind;
  }
  const { standing } = character;
  return expectedFor(authority, character, place === 'strange' ? (elsewhere[standing] ?? standing) : standing);
}

describe('a storm of random actors over all operations', () => {
  let server: TestServer;
  let world: World;
  let strange: World;
  let foreign: World;
  let cast: readonly Character[];
  /** Owners at the beginning, by the path that lists them. */
  const owned = new Map<string, readonly string[]>();
  const random = createRandom(seedOfRun);
  const pick = <T>(all: readonly T[]): T => all[Math.floor(random() * all.length)] as T;

  beforeAll(async () => {
    server = await startTestServer();
    const theirs: ServedTenant = await server.makeTenant('theirs.example');
    world = await makeWorld(server);
    foreign = await makeWorld(theirs);
    strange = await makeStrange(server, world);
    ({ cast, world } = await makeCast(server, world));
    const app = `/api/v1/apps/${world.appId}`;
    for (const path of [
      `${app}/owners`,
      `${app}/entitlements/${world.entitlementId}/owners`,
      `${app}/resource_types/${world.resourceTypeId}/resource/${world.resourceId}/owners`,
    ]) {
      const { list } = (await world.call(server.admin, 'GET', `${path}?page_size=100`)).body;
      owned.set(
        path,
        list.map((owner: { id?: string; user?: { id: string } }) => owner.id ?? owner.user?.id),
      );
    }
  }, 300_000);
  afterAll(() => server.stop());

  function placesOf({ name, desc }: Operation, { object }: Authority): readonly Place[] {
    const isNamed = contractRoute(desc).parameters.length > 0 && !everywhere.has(name);
    const hasStrange = isNamed && ofReviews.includes(object) && !madeOnce.has(name);
    return ['own', ...(hasStrange ? (['strange'] as const) : []), ...(isNamed ? (['foreign'] as const) : [])];
  }

  /** Takes back what random operations gave: some of them make people owners, and whoever owns something reads it. */
  async function restore(): Promise<void> {
    for (const [path, userIds] of owned) {
      await world.call(server.admin, 'PUT', path, { userIds });
    }
    const app = `/api/v2/apps/${world.appId}`;
    for (const path of [
      app,
      `${app}/entitlements/${world.entitlementId}`,
      `${app}/resource_types/${world.resourceTypeId}/resources/${world.resourceId}`,
      `${app}/users/${world.accountId}`,
    ]) {
      for (const roleSlug of ['steward', 'other', 'set']) {
        await world.call(server.admin, 'PUT', `${path}/owners`, { roleSlug, userRefs: [], appEntitlementRefs: [] });
      }
    }
  }

  async function ask(operation: Operation, place: Place, character: Character): Promise<readonly unknown[] | undefined> {
    const authority = authorities.get(operation.name) as Authority;
    const person = await character.enter();
    const there = { own: world, strange, foreign }[place];
    const taskIds = [...there.taskIds];
    const asker = place === 'foreign' ? there.tenant.admin : person;
    const sample = await sampleOf(operation, there, asker);
    const { status } = await send(server, person, operation, sample);
    if (status !== 200) {
      there.taskIds.splice(0, there.taskIds.length, ...taskIds);
    }
    const expected = expectedAt(place, authority, character);
    // A program has nothing of what is a person's alone: it may, and there is nothing.
    const isEmpty = character.kind === 'service_principal' && expected === 'yes' && status === 404;
    return statuses[expected].includes(status) || isEmpty ? undefined : [operation.name, place, character.title, expected, status];
  }

  async function askOnce(): Promise<readonly unknown[] | undefined> {
    const operation = pick(operations);
    const place = pick(placesOf(operation, authorities.get(operation.name) as Authority));
    const character = pick(cast);
    const found = await ask(operation, place, character);
    if (found === undefined) {
      return undefined;
    }
    await restore();
    return ask(operation, place, character);
  }

  it.each([
    ['what was issued answers nothing', 'NEVER', false],
    ['what was issued answers', 'ALWAYS', true],
  ] as const)('finds no answer that differs from the matrix (%s)', async (_name, setting, issuedMayAnswer) => {
    await server.system().db.run('UPDATE tenants SET issued_answers = $2 WHERE tenant_id = $1', [server.id, setting]);
    cast = cast.map((one) => (one.issuedMayAnswer === undefined ? one : { ...one, issuedMayAnswer }));
    const issued = cast.find(({ kind }) => kind === 'issued_credential') as Character;
    const approve = `/api/v1/tasks/${'0'.repeat(27)}/action/approve`;
    // What stands behind a credential is remembered for some seconds.
    await until(async () => expect((await world.call(await issued.enter(), 'POST', approve, {})).status).toBe(issuedMayAnswer ? 404 : 403));
    const differing: unknown[] = [];
    for (let count = 0; count < draws; count++) {
      const found = await askOnce();
      if (found !== undefined) {
        differing.push(found);
      }
    }
    expect(differing).toEqual([]);
  });
});

/** The same company with reviews that are nothing to the owner and the reviewer of the world: a stranger owns them, and another one decides. */
async function makeStrange(server: TestServer, world: World): Promise<World> {
  const owner = await server.makePerson('stranger@world.example');
  const assignee = await server.makePerson('strange-reviewer@world.example');
  const admin = async (method: string, path: string, body: object) => (await world.call(server.admin, method, path, body)).body;
  const { policy } = await admin('POST', '/api/v1/policies', {
    displayName: 'Strangers decide',
    policyType: 'POLICY_TYPE_CERTIFY',
    policySteps: { certify: { steps: [{ approval: { users: { userIds: [assignee.id] } } }] } },
  });
  const makeDraft = (body: object = {}): Promise<string> => world.makeDraft({ ownerIds: [owner.id], policyId: policy.id, ...body });
  const openReview = async (): Promise<string> => {
    const id = await makeDraft();
    await admin('POST', `/api/v1/access_review/${id}/action/prepare`, {});
    await world.until(id, 'REVIEW');
    await admin('POST', `/api/v1/access_review/${id}/action/start`, {});
    await world.until(id, 'OPEN');
    return id;
  };
  const makeReviewIn = async (state: string): Promise<string> => {
    const id = await makeDraft();
    await server.system().db.run('UPDATE reviews SET state = $3 WHERE tenant_id = $1 AND id = $2', [server.id, id, state]);
    return id;
  };
  const openId = await openReview();
  const open = { accessReviewIds: [openId], taskStates: ['TASK_STATE_OPEN'], pageSize: 100 };
  const { list } = (await world.call(assignee, 'POST', '/api/v1/search/tasks', open)).body;
  const taskIds = list.map(({ task }: { task: { id: string } }) => task.id);
  return { ...world, owner, assignee, draftId: await makeDraft(), openId, taskIds, makeDraft, openReview, makeReviewIn };
}
