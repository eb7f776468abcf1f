/**
 * Authority: every operation of the contract by everybody there is, over HTTP, compared with the matrix that docs/authority.md shows. An operation
 * that does not say who may, or has no sample, fails. The usual suite asks everybody with a role, and of the other kinds of actors some in turn;
 * the long suite asks all.
 */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { authorityPage, listAuthorities } from '../../scripts/list-authority.js';
import { type ListedOperation, renderAuthority } from '../../src/foundation/authority/matrix.ts';
import { contractRoute } from '../../src/http/route-of.ts';
import { type Character, expectedFor, makeCast } from '../support/cast.ts';
import { listOperations, sampleOf, send } from '../support/operations.ts';
import { isLong, sampled } from '../support/runs.ts';
import type { TestServer } from '../support/server.ts';
import type { World } from '../support/world.ts';
import { startWorld } from '../support/world-server.ts';

const operations = await listOperations();
const byName = operations.map((operation, index) => [operation.name, operation, index] as const);
const authorities = new Map((await listAuthorities()).map((one) => [one.name, one as ListedOperation]));
const statuses = { yes: 200, no: 403, hidden: 404, unknown: 401 } as const;
const codes: Readonly<Record<number, number>> = { 400: 9, 401: 16, 403: 7, 404: 5 };

/** Operations that no state allows here: whoever may is answered 400. */
const neverAllowed: readonly string[] = [
  'SignatureService.stepUp',
  'SignatureService.sign',
  'StepUpProviderService.test',
  'SecondReviewService.draw', // There is one for each review.
  'TaskActionsService.approveWithStepUp',
  'TaskActionsService.escalateToEmergencyAccess',
  'TaskActionsService.retryProvisioning',
  'TaskActionsService.updateGrantDuration',
  'TaskActionsService.updateRequestData',
];

/** Operations that one call keeps all others from for a while: whoever may and comes later is answered 400. */
const onceInAWhile: readonly string[] = ['ReviewActionsService.remind'];

/** A service principal may, and never has a session to end. */
const nothingForPrograms = 'SessionService.delete';

/** Number of characters without a role of their own asked each operation in the usual suite. */
const inTurn = 2;

describe('docs/authority.md', () => {
  it('shows the contract as it is now (npm run generate)', () => {
    const page = readFileSync(authorityPage, 'utf8');
    expect(page).toBe(renderAuthority([...authorities.values()]));
  });
});

describe('each operation by each role', () => {
  let server: TestServer;
  let world: World;
  let cast: readonly Character[];

  beforeAll(async () => {
    const made = await startWorld();
    server = made.server;
    ({ cast, world } = await makeCast(server, made.world));
  });
  afterAll(() => server.stop());

  it('says who may, and has a sample', () => {
    const silent = operations.filter(({ name }) => {
      const one = authorities.get(name);
      return one === undefined || one.act === ('ACT_UNSPECIFIED' as never) || one.object === ('OBJECT_UNSPECIFIED' as never);
    });
    expect(silent.map(({ name }) => name)).toEqual([]);
  });

  it.each(sampled(byName, 10))('%s', async (name, operation, index) => {
    const authority = authorities.get(name);
    if (authority === undefined) {
      throw new Error(`${name} does not say who may`);
    }
    const others = cast.filter(({ isOther }) => isOther);
    const asked = new Set(isLong ? others : Array.from({ length: inTurn }, (_, turn) => others[(index * inTurn + turn) % others.length]));
    const got: Record<string, number> = {};
    const wanted: Record<string, number> = {};
    // Who may do least comes first: what the powerful do may leave nothing to do.
    for (const character of cast.filter((one) => !one.isOther || asked.has(one)).toReversed()) {
      const { title, kind } = character;
      const person = await character.enter();
      const expected = expectedFor(authority, character);
      const isKept = neverAllowed.includes(name) || (onceInAWhile.includes(name) && Object.values(wanted).includes(200));
      wanted[title] = expected === 'yes' && isKept ? 400 : statuses[expected];
      const taskIds = [...world.taskIds];
      const answer = await send(server, person, operation, await sampleOf(operation, world, person));
      got[title] = answer.status;
      // A task that nobody could do anything to is there for the next.
      if (answer.status !== 200) {
        world.taskIds.splice(0, world.taskIds.length, ...taskIds);
      }
      if (kind === 'service_principal' && wanted[title] === 200 && name === nothingForPrograms) {
        wanted[title] = 404;
      }
      if (answer.status !== 200) {
        expect(answer.body).toMatchObject({ code: codes[answer.status], message: expect.any(String), details: expect.any(Array) });
      }
    }
    expect(got).toEqual(wanted);
  });

  // Tokens that were never good are counted, and after some of them an address waits: a few operations are asked with those.
  const some = new Set(operations.filter((_operation, index) => index % 80 === 0).map(({ name }) => name));

  it('needs a token', async () => {
    for (const { name, desc } of operations) {
      const { verb, template } = contractRoute(desc);
      const path = template.replace(/\{[a-z_]+\}/g, 'x'.repeat(27));
      const bad = some.has(name) ? ['Bearer nonsense', 'Basic YTpi', `Bearer ${'a.'.repeat(3000)}`] : [];
      for (const authorization of [undefined, ...bad]) {
        const response = await server.fetch(path, { method: verb, headers: authorization === undefined ? {} : { authorization } });
        expect([name, response.status]).toEqual([name, 401]);
        expect(response.headers.get('www-authenticate')).toMatch(/^Bearer/);
        expect(await response.json()).toMatchObject({ code: 16 });
      }
    }
  });

  it('refuses the decisions of a Read-Only Administrator whom nobody asks, and leaves the task open', async () => {
    const taskId = world.taskIds.at(-1) ?? '';
    const decisions = [{ taskId, decision: 'REVIEW_DECISION_DENY', comment: 'No' }];
    const { status } = await world.call(world.reader, 'POST', `/api/v1/access_review/${world.openId}/submissions`, { decisions });
    expect(status).toBe(403);
    const task = await world.call(server.admin, 'GET', `/api/v1/tasks/${taskId}`);
    expect(task.body.taskView.task.state).toBe('TASK_STATE_OPEN');
  });

  it('says what a caller may do in objectPermissions and in the actions of a task', async () => {
    const seen: Record<string, unknown> = {};
    const taskId = world.taskIds.at(-1) ?? '';
    for (const [name, person] of Object.entries({
      admin: server.admin,
      owner: world.owner,
      assignee: world.assignee,
      reader: world.reader,
    })) {
      const review = await world.call(person, 'GET', `/api/v1/access_review/${world.draftId}`);
      const task = await world.call(person, 'GET', `/api/v1/tasks/${taskId}`);
      seen[name] = [review.body.accessReview?.objectPermissions, [...task.body.taskView.task.actions].sort()];
    }
    const deciding = ['TASK_ACTION_TYPE_APPROVE', 'TASK_ACTION_TYPE_COMMENT', 'TASK_ACTION_TYPE_DENY', 'TASK_ACTION_TYPE_REASSIGN'];
    const running = ['HARD_RESET', 'PROCESS_NOW', 'RESTART', 'SEND_REMINDER', 'SKIP_STEP'].map((name) => `TASK_ACTION_TYPE_${name}`);
    const none = { prepare: false, start: false, close: false, reset: false, remind: false, acknowledge: false, report: false };
    const all = { read: true, edit: true, delete: true, extra: { ...none, prepare: true, duplicateFrom: false } };
    expect(seen).toEqual({
      admin: [{ ...all, extra: { ...all.extra, duplicateFrom: true } }, [...deciding, ...running, 'TASK_ACTION_TYPE_CLOSE'].sort()],
      owner: [all, [...deciding, ...running].sort()],
      assignee: [undefined, deciding],
      reader: [{ read: true, edit: false, delete: false, extra: { ...none, duplicateFrom: false } }, []],
    });
  });
});
