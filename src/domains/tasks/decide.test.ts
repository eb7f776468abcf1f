/** Every action on a task, by every kind of caller, in every state of the batch and the task; then what single rules add. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isAppError } from '../../errors.ts';
import type { Scope } from '../../scope.ts';
import { openTestDatabase, type TestDatabase } from '../../../test/support/database.ts';
import { addAssignment, addBatch, addPerson, addTask, askUsers, scopeOf, setBatchState } from '../../../test/support/tasks.ts';
import { listAudits } from './audits.ts';
import { commentOnTask } from './comment.ts';
import { type Decision, decideTask } from './decide.ts';
import { getTask } from './get-task.ts';
import { allowedActions } from './permit.ts';
import { reassignTask } from './reassign.ts';
import { restartTask } from './restart.ts';

const tenant = 'TenantA';
let test: TestDatabase;
const people: Record<string, string> = {};

beforeAll(async () => {
  test = await openTestDatabase({ poolSize: 8 });
  const db = test.database.tenant(tenant);
  for (const name of ['super', 'reader', 'owner', 'ann', 'ben', 'subject', 'stranger', 'target', 'decider']) {
    people[name] = await addPerson(db, tenant, name);
  }
  people.disabled = await addPerson(db, tenant, 'disabled', 'DISABLED');
});
afterAll(() => test.close());

const id = (name: string) => people[name] ?? '';
const db = () => test.database.tenant(tenant);

function caller(name: string): Scope {
  switch (name) {
    case 'super':
      return scopeOf(db(), tenant, id('super'), { roles: ['SUPER_ADMINISTRATOR'] });
    case 'reader':
      return scopeOf(db(), tenant, id('reader'), { roles: ['READ_ONLY_ADMINISTRATOR'] });
    case 'issued':
      return scopeOf(db(), tenant, id('ann'), { issuerId: id('subject') });
    case 'super as issued':
      return scopeOf(db(), tenant, id('super'), { roles: ['SUPER_ADMINISTRATOR'], issuerId: id('subject') });
    case 'subject as super':
      return scopeOf(db(), tenant, id('subject'), { roles: ['SUPER_ADMINISTRATOR'] });
    case 'foreign super':
      return scopeOf(test.database.tenant('TenantB'), 'TenantB', id('super'), { roles: ['SUPER_ADMINISTRATOR'] });
    default:
      return scopeOf(db(), tenant, id(name));
  }
}

async function makeTask(options: { steps?: object[]; assignees?: string[]; batchState?: string; task?: object } = {}) {
  const { steps = [askUsers([id('ann'), id('subject')])], assignees = ['ann', 'subject'], task = {} } = options;
  const batchId = await addBatch(db(), tenant, { managerIds: [id('owner')], steps });
  const assignmentId = await addAssignment(db(), tenant, batchId, assignees.map(id));
  const taskId = await addTask(db(), tenant, { batchId, assignmentId, userId: id('subject'), ...task });
  if (options.batchState !== undefined) {
    await setBatchState(db(), tenant, batchId, options.batchState);
  }
  return { batchId, taskId, assignmentId };
}

async function statusOf(work: Promise<unknown>): Promise<number> {
  try {
    await work;
    return 200;
  } catch (error) {
    return isAppError(error) ? error.status : Promise.reject(error);
  }
}

async function messageOf(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => 'nothing was refused',
    (error: Error) => error.message,
  );
}

function decision(taskId: string, what: Decision['decision'], more: Partial<Decision> = {}): Decision {
  return { taskId, decision: what, comment: '', policyStepId: '', ...more };
}

const actions = ['get', 'approve', 'deny', 'comment', 'reassign', 'restart'] as const;
function act(action: (typeof actions)[number], scope: Scope, taskId: string): Promise<unknown> {
  switch (action) {
    case 'get':
      return getTask(scope, taskId);
    case 'approve':
      return decideTask(scope, decision(taskId, 'APPROVE'));
    case 'deny':
      return decideTask(scope, decision(taskId, 'DENY'));
    case 'comment':
      return commentOnTask(scope, taskId, 'Looks odd.');
    case 'reassign':
      return reassignTask(scope, { taskId, newUserIds: [id('target')], comment: '', policyStepId: '' });
    case 'restart':
      return restartTask(scope, { taskId, comment: '', policyStepId: '' });
  }
}

const callers = [
  'super',
  'reader',
  'owner',
  'ann',
  'subject',
  'issued',
  'super as issued',
  'subject as super',
  'stranger',
  'foreign super',
] as const;
type Row = Record<(typeof callers)[number], number[]>;
const unseen = [404, 404, 404, 404, 404, 404];
const nothing = { stranger: unseen, 'foreign super': unseen };

// Columns: get, approve, deny, comment, reassign, restart.
const open: Row = {
  super: [200, 200, 200, 200, 200, 200],
  owner: [200, 200, 200, 200, 200, 200],
  ann: [200, 200, 200, 200, 403, 403],
  reader: [200, 403, 403, 403, 403, 403],
  subject: [200, 403, 403, 200, 403, 403],
  issued: [200, 403, 403, 200, 403, 403],
  'super as issued': [200, 403, 403, 200, 403, 403],
  'subject as super': [200, 403, 403, 200, 403, 403],
  ...nothing,
};
const decided: Row = {
  ...open,
  super: [200, 409, 409, 200, 409, 200],
  owner: [200, 409, 409, 200, 409, 200],
  ann: [200, 409, 409, 200, 403, 403],
};
const gone: Row = { ...decided, super: [200, 409, 409, 200, 409, 400], owner: [200, 409, 409, 200, 409, 400] };
const over: Row = {
  ...open,
  super: [200, 400, 400, 400, 400, 400],
  owner: [200, 400, 400, 400, 400, 400],
  ann: [200, 400, 400, 400, 403, 403],
  subject: [200, 403, 403, 400, 403, 403],
  issued: [200, 403, 403, 400, 403, 403],
  'super as issued': [200, 403, 403, 400, 403, 403],
  'subject as super': [200, 403, 403, 400, 403, 403],
};
const hidden = Object.fromEntries(callers.map((name) => [name, unseen])) as Row;

const closedBy = (endReason: string, outcome: string) => ({ state: 'CLOSED', endReason, outcome, decidedById: null });
const cases: readonly [string, string, object, Row][] = [
  ['open in an open batch', 'OPEN', {}, open],
  ['decided in an open batch', 'OPEN', { state: 'CLOSED', endReason: 'DECIDED', outcome: 'CERTIFIED', decidedById: 'decider' }, decided],
  ['ended because the access was gone', 'OPEN', closedBy('GRANT_GONE', 'CANCELLED'), gone],
  ['open in a hidden batch', 'HIDDEN', {}, hidden],
  ['open in a closing batch', 'CLOSING', {}, over],
  ['skipped in a closed batch', 'CLOSED', closedBy('SKIPPED_AT_CLOSE', 'CANCELLED'), over],
  ['revoked in a closed batch', 'CLOSED', closedBy('REVOKED_AT_CLOSE', 'DECERTIFIED'), over],
  ['without outcome in a closed batch', 'CLOSED', closedBy('NO_ACTION_AT_CLOSE', ''), over],
  ['decided in a closed batch', 'CLOSED', { state: 'CLOSED', endReason: 'DECIDED', outcome: 'DECERTIFIED', decidedById: 'decider' }, over],
  ['cancelled with its review', 'CANCELLED', closedBy('DELETED', 'CANCELLED'), over],
];

describe.each(cases)('a task %s', (_name, batchState, task, expected) => {
  it.each(callers)('as %s', async (name) => {
    const found: number[] = [];
    const said: string[][] = [];
    for (const action of actions) {
      const own = 'decidedById' in task && task.decidedById === 'decider' ? { ...task, decidedById: id('decider') } : task;
      const { taskId } = await makeTask({ batchState, task: own });
      const scope = caller(name);
      const row = await getTask(scope, taskId).catch(() => undefined);
      said.push(row === undefined ? [] : allowedActions(scope.actor, row).map((one) => one.toLowerCase()));
      found.push(await statusOf(act(action, scope, taskId)));
    }
    expect(found).toEqual(expected[name]);
    // What Task.actions promises is what the rules do.
    actions.forEach((action, index) => {
      if (action !== 'get') {
        expect([action, said[index]?.includes(action)]).toEqual([action, expected[name][index] === 200]);
      }
    });
  });
});

describe('a decision', () => {
  it('is written once with its action and its event', async () => {
    const { taskId, batchId } = await makeTask();
    const { actionId } = await decideTask(caller('ann'), decision(taskId, 'APPROVE', { comment: 'Needed.' }));
    const task = await getTask(caller('ann'), taskId);
    expect(task).toMatchObject({ state: 'CLOSED', outcome: 'CERTIFIED', endReason: 'DECIDED', decidedById: id('ann'), commentCount: 1 });
    const events = await db().rows('SELECT kind, actor_id, target_id, data FROM events WHERE tenant_id = $1 AND target_id = $2', [
      tenant,
      taskId,
    ]);
    expect(events).toMatchObject([
      { kind: 'task.approved', actor_id: id('ann'), data: { reviewId: batchId, actionId, outcome: 'CERTIFIED' } },
    ]);
  });

  it('holds when the same person says the same again, and after the review is closed', async () => {
    const { taskId, batchId } = await makeTask();
    const first = await decideTask(caller('ann'), decision(taskId, 'DENY'));
    expect(await decideTask(caller('ann'), decision(taskId, 'DENY'))).toEqual({ actionId: first.actionId, repeated: true });
    await setBatchState(db(), tenant, batchId, 'CLOSED');
    expect((await decideTask(caller('ann'), decision(taskId, 'DENY'))).repeated).toBe(true);
    expect((await getTask(caller('ann'), taskId)).history).toHaveLength(1);
  });

  it('is refused to the second person with the name of the first, and to the first who changes their mind', async () => {
    const { taskId } = await makeTask();
    await decideTask(caller('ann'), decision(taskId, 'APPROVE'));
    expect(await messageOf(decideTask(caller('owner'), decision(taskId, 'APPROVE')))).toBe('This task was already certified by ann.');
    expect(await statusOf(decideTask(caller('ann'), decision(taskId, 'DENY')))).toBe(409);
  });

  it('keeps who issued the credential it was made with', async () => {
    const { taskId } = await makeTask();
    await decideTask(scopeOf(db(), tenant, id('ann'), { issuerId: id('super') }), decision(taskId, 'DENY'));
    const row = await db().one('SELECT decided_by_id, decided_issuer_id FROM tasks WHERE tenant_id = $1 AND id = $2', [tenant, taskId]);
    expect(row).toEqual({ decided_by_id: id('ann'), decided_issuer_id: id('super') });
  });

  it('says in a clear sentence why one may not decide', async () => {
    const { taskId } = await makeTask();
    expect(await messageOf(decideTask(caller('subject'), decision(taskId, 'APPROVE')))).toMatch(
      /your own access.*does not allow self-review/,
    );
    expect(await messageOf(decideTask(caller('issued'), decision(taskId, 'APPROVE')))).toMatch(
      /issued by the person whose access is reviewed/,
    );
  });

  it('may be about oneself where the policy allows it, but never through a credential one issued', async () => {
    const steps = [askUsers([id('ann')], {}, { allowSelfApproval: true })];
    const own = await makeTask({ steps });
    expect(await statusOf(decideTask(caller('subject'), decision(own.taskId, 'APPROVE')))).toBe(200);
    const other = await makeTask({ steps });
    expect(await statusOf(decideTask(caller('issued'), decision(other.taskId, 'APPROVE')))).toBe(403);
  });

  it('needs the reason the policy wants, naming the field', async () => {
    const steps = [askUsers([id('ann')], { requireApprovalReason: true, requireDenialReason: true })];
    for (const what of ['APPROVE', 'DENY'] as const) {
      const { taskId } = await makeTask({ steps });
      await expect(decideTask(caller('ann'), decision(taskId, what, { comment: ' ' }))).rejects.toMatchObject({
        status: 400,
        violations: [{ field: 'comment' }],
      });
      expect(await statusOf(decideTask(caller('ann'), decision(taskId, what, { comment: 'Because.' })))).toBe(200);
    }
  });

  it('about another step than the current one is refused with the current one', async () => {
    const { taskId } = await makeTask();
    expect(await messageOf(decideTask(caller('ann'), decision(taskId, 'APPROVE', { policyStepId: `${taskId}-7` })))).toContain(
      `'${taskId}-0'`,
    );
    expect(await statusOf(decideTask(caller('ann'), decision(taskId, 'APPROVE', { policyStepId: `${taskId}-0` })))).toBe(200);
  });

  it('is won by exactly one of two who come at once', async () => {
    for (let round = 0; round < 10; round++) {
      const { taskId } = await makeTask({ assignees: ['ann', 'ben'] });
      const results = await Promise.all([
        statusOf(decideTask(caller('ann'), decision(taskId, 'APPROVE'))),
        statusOf(decideTask(caller('ben'), decision(taskId, 'DENY'))),
        statusOf(decideTask(caller('owner'), decision(taskId, 'DENY'))),
      ]);
      expect(results.toSorted()).toEqual([200, 409, 409]);
      expect((await getTask(caller('super'), taskId)).history).toHaveLength(1);
    }
  });
});

describe('a policy of several steps', () => {
  const twoSteps = () => [askUsers([id('ann')]), askUsers([id('ben')])];

  it('asks the next people after an approval and ends with the last one', async () => {
    const { taskId } = await makeTask({ steps: twoSteps(), assignees: ['ann'] });
    await decideTask(caller('ann'), decision(taskId, 'APPROVE'));
    expect(await getTask(caller('ben'), taskId)).toMatchObject({
      state: 'OPEN',
      step: 1,
      stepGeneration: 1,
      assigneeIds: [id('ben')],
      outcome: '',
    });
    expect((await decideTask(caller('ann'), decision(taskId, 'APPROVE'))).repeated).toBe(true);
    expect(await statusOf(decideTask(caller('ann'), decision(taskId, 'DENY')))).toBe(403);
    await decideTask(caller('ben'), decision(taskId, 'APPROVE'));
    expect(await getTask(caller('ben'), taskId)).toMatchObject({ state: 'CLOSED', outcome: 'CERTIFIED', decidedById: id('ben') });
  });

  it('ends with the first denial', async () => {
    const { taskId } = await makeTask({ steps: twoSteps(), assignees: ['ann'] });
    await decideTask(caller('ann'), decision(taskId, 'DENY'));
    expect(await getTask(caller('ann'), taskId)).toMatchObject({ state: 'CLOSED', outcome: 'DECERTIFIED', step: 0 });
    expect(await statusOf(getTask(caller('ben'), taskId))).toBe(404);
  });

  it('tells somebody of an earlier step who decided it', async () => {
    const { taskId } = await makeTask({ steps: [askUsers([]), askUsers([id('target')])], assignees: ['ann', 'ben'] });
    await decideTask(caller('ann'), decision(taskId, 'APPROVE'));
    expect(await messageOf(decideTask(caller('ben'), decision(taskId, 'APPROVE')))).toBe(
      'The step you were asked to decide was already decided by ann.',
    );
    expect(await statusOf(getTask(caller('ben'), taskId))).toBe(404);
  });

  it('is approved once where two people of one step come at once', async () => {
    const { taskId } = await makeTask({ steps: [askUsers([]), askUsers([id('target')])], assignees: ['ann', 'ben'] });
    const results = await Promise.all(['ann', 'ben'].map((name) => statusOf(decideTask(caller(name), decision(taskId, 'APPROVE')))));
    expect(results.toSorted()).toEqual([200, 409]);
    expect(await getTask(caller('target'), taskId)).toMatchObject({ step: 1, stepGeneration: 1, state: 'OPEN' });
  });

  it('can want different people', async () => {
    const steps = [askUsers([id('ann')]), askUsers([id('ann'), id('ben')], {}, { requireDistinctApprovers: true })];
    const { taskId } = await makeTask({ steps, assignees: ['ann'] });
    await decideTask(caller('ann'), decision(taskId, 'APPROVE'));
    expect(await statusOf(decideTask(caller('ann'), decision(taskId, 'APPROVE')))).toBe(403);
    expect(await statusOf(decideTask(caller('ben'), decision(taskId, 'APPROVE')))).toBe(200);
  });

  it.each([
    ['accept', { accept: { acceptMessage: 'Fine.' } }, 'CERTIFIED', 'ann'],
    ['reject', { reject: { rejectMessage: 'Never.' } }, 'DECERTIFIED', null],
  ] as const)('ends by itself at a step of kind %s', async (_kind, step, outcome, decider) => {
    const { taskId } = await makeTask({ steps: [askUsers([id('ann')]), step], assignees: ['ann'] });
    await decideTask(caller('ann'), decision(taskId, 'APPROVE'));
    const task = await getTask(caller('ann'), taskId);
    expect(task).toMatchObject({ state: 'CLOSED', outcome, endReason: 'DECIDED', decidedById: decider === null ? null : id(decider) });
    expect(task.history.map((action) => action.kind)).toEqual(['APPROVED', 'ENDED']);
  });

  it('asks the owners where nobody else is found for a step, with an event', async () => {
    const { taskId } = await makeTask({ steps: [askUsers([id('ann')]), askUsers([])], assignees: ['ann'] });
    await decideTask(caller('ann'), decision(taskId, 'APPROVE'));
    expect(await getTask(caller('owner'), taskId)).toMatchObject({ state: 'OPEN', assigneeIds: [id('owner')], isFallback: true });
    const events = await db().rows('SELECT kind FROM events WHERE tenant_id = $1 AND target_id = $2 ORDER BY id', [tenant, taskId]);
    expect(events).toContainEqual({ kind: 'task.reviewer_fallback' });
  });

  it('refuses an approval before a step it cannot carry out', async () => {
    const { taskId } = await makeTask({ steps: [askUsers([id('ann')]), { wait: { name: 'later' } }], assignees: ['ann'] });
    expect(await statusOf(decideTask(caller('ann'), decision(taskId, 'APPROVE')))).toBe(400);
    expect(await statusOf(decideTask(caller('ann'), decision(taskId, 'DENY')))).toBe(200);
  });
});

describe('a reassignment', () => {
  it.each([
    ['an unknown person', ['nobody'], /newStepUserIds\[0\]: there is no person/],
    ['a disabled person', ['target', 'disabled'], /newStepUserIds\[1\]: this person is disabled/],
    ['the person reviewed', ['subject'], /newStepUserIds\[0\]: this is the person whose access is reviewed/],
    ['nobody', [], /newStepUserIds: must name 1 to 100 people/],
  ])('goes never to %s', async (_name, names, message) => {
    const { taskId } = await makeTask();
    const asked = { taskId, newUserIds: names.map((name) => people[name] ?? 'x'), comment: '', policyStepId: '' };
    expect(await messageOf(reassignTask(caller('owner'), asked))).toMatch(message);
  });

  it('follows the policy: who may, to whom, with a reason', async () => {
    const rules = { allowReassignment: true, allowedReassignees: [id('target')], requireReassignmentReason: true };
    const { taskId } = await makeTask({ steps: [askUsers([id('ann')], rules)] });
    const asked = { taskId, newUserIds: [id('target')], comment: '', policyStepId: '' };
    await expect(reassignTask(caller('ann'), asked)).rejects.toMatchObject({ status: 400, violations: [{ field: 'comment' }] });
    expect(await messageOf(reassignTask(caller('owner'), { ...asked, newUserIds: [id('ben')], comment: 'x' }))).toMatch(/not among them/);
    await reassignTask(caller('ann'), { ...asked, comment: 'Closer to it.' });
    const task = await getTask(caller('target'), taskId);
    expect(task).toMatchObject({ assigneeIds: [id('target')], stepGeneration: 1, step: 0, assignmentReason: 'REASSIGNED' });
    expect(await statusOf(decideTask(caller('ann'), decision(taskId, 'APPROVE')))).toBe(403);
    expect(await statusOf(decideTask(caller('target'), decision(taskId, 'APPROVE', { policyStepId: `${taskId}-0` })))).toBe(409);
    expect(await statusOf(decideTask(caller('target'), decision(taskId, 'APPROVE')))).toBe(200);
  });

  it('may go to the person reviewed where self-review is on', async () => {
    const { taskId } = await makeTask({ steps: [askUsers([id('ann')], {}, { allowSelfApproval: true })] });
    expect(await statusOf(reassignTask(caller('owner'), { taskId, newUserIds: [id('subject')], comment: '', policyStepId: '' }))).toBe(200);
  });

  it('and a decision at once: one of them wins, and no task is lost', async () => {
    for (let round = 0; round < 10; round++) {
      const { taskId } = await makeTask();
      const [reassigned, decidedStatus] = await Promise.all([
        statusOf(reassignTask(caller('owner'), { taskId, newUserIds: [id('target')], comment: '', policyStepId: '' })),
        statusOf(decideTask(caller('ann'), decision(taskId, 'APPROVE'))),
      ]);
      const task = await getTask(caller('super'), taskId);
      expect([reassigned, decidedStatus, task.state]).toEqual(
        task.state === 'CLOSED' ? [409, 200, 'CLOSED'] : [200, decidedStatus, 'OPEN'],
      );
      expect([200, 403, 404, 409]).toContain(decidedStatus);
    }
  });
});

describe('a restart', () => {
  it('asks the first step again and keeps what was decided in history', async () => {
    const { taskId } = await makeTask({ steps: [askUsers([id('ann')]), askUsers([id('ben')])], assignees: ['ann'] });
    await decideTask(caller('ann'), decision(taskId, 'APPROVE'));
    await decideTask(caller('ben'), decision(taskId, 'DENY', { comment: 'No.' }));
    await restartTask(caller('owner'), { taskId, comment: 'A mistake.', policyStepId: '' });
    const task = await getTask(caller('ann'), taskId);
    expect(task).toMatchObject({ state: 'OPEN', outcome: '', decidedById: null, step: 0, stepGeneration: 2, assigneeIds: [id('ann')] });
    expect(task.history.map((action) => action.kind)).toEqual(['APPROVED', 'DENIED', 'RESTARTED']);
    // What was said before the restart does not count any more.
    expect((await decideTask(caller('ann'), decision(taskId, 'APPROVE'))).repeated).toBe(false);
    expect(await getTask(caller('ben'), taskId)).toMatchObject({ step: 1, stepGeneration: 3 });
  });

  it('leaves an audit of everything, in pages, either way round', async () => {
    const { taskId } = await makeTask({ assignees: ['ann'], steps: [askUsers([id('ann')])] });
    for (let count = 0; count < 12; count++) {
      await commentOnTask(caller('ann'), taskId, `Comment ${count}`);
    }
    await decideTask(caller('ann'), decision(taskId, 'DENY', { comment: 'Not needed.' }));
    await restartTask(caller('owner'), { taskId, comment: '', policyStepId: '' });
    const read = async (newestFirst: boolean, commentsOnly: boolean) => {
      const ids: string[] = [];
      const kinds: string[] = [];
      let after: readonly string[] | undefined;
      do {
        const { audits, nextKey } = await listAudits(caller('ann'), { taskId, refs: [], newestFirst, commentsOnly }, { size: 4, after });
        expect(audits.length).toBeGreaterThan(0);
        ids.push(...audits.map((audit) => audit.id ?? ''));
        kinds.push(
          ...audits.map(
            (audit) => Object.keys(audit).find((key) => typeof audit[key as 'comment'] === 'object' && key !== 'metadata') ?? '',
          ),
        );
        after = nextKey;
      } while (after !== undefined);
      return { ids, kinds };
    };
    const oldest = await read(false, false);
    expect(oldest.kinds).toEqual([
      'taskCreated',
      ...Array<string>(12).fill('comment'),
      'actionSubmitted',
      'comment',
      'certifyOutcome',
      'stateChange',
      'taskRestarted',
      'stateChange',
    ]);
    expect(new Set(oldest.ids).size).toBe(oldest.ids.length);
    expect((await read(true, false)).ids).toEqual(oldest.ids.toReversed());
    expect((await read(false, true)).kinds).toEqual(Array<string>(13).fill('comment'));
    const refs = [oldest.ids[3] ?? ''];
    const found = await listAudits(
      caller('ann'),
      { taskId, refs, newestFirst: false, commentsOnly: false },
      { size: 10, after: undefined },
    );
    expect(found.audits.map((audit) => audit.id)).toEqual(refs);
  });

  it.each([
    ['SKIPPED_AT_CLOSE', 'CANCELLED', /closed: skipped/],
    ['REVOKED_AT_CLOSE', 'DECERTIFIED', /closed: revoked/],
    ['NO_ACTION_AT_CLOSE', '', /no outcome was set/],
    ['GRANT_GONE', 'CANCELLED', /access was gone/],
    ['DELETED', 'CANCELLED', /review was deleted/],
  ])('audits say why a task ended without a person: %s', async (endReason, outcome, sentence) => {
    const { taskId } = await makeTask({ task: { state: 'CLOSED', endReason, outcome } });
    const { audits } = await listAudits(
      caller('ann'),
      { taskId, refs: [], newestFirst: false, commentsOnly: false },
      { size: 10, after: undefined },
    );
    expect(audits.map((audit) => audit.policyEvaluationStep?.stepComment ?? '').join('')).toMatch(sentence);
    expect(audits.at(-1)?.stateChange).toBeDefined();
  });
});
