/**
 * Hands in the database: each is made by a superuser with the triggers off, and the check of the log names what was changed, removed, added or put
 * elsewhere.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { recordOccurrence } from '../../../test/support/any-event.ts';
import { sampled } from '../../../test/support/runs.ts';
import { submit } from '../../../test/support/task-people.ts';
import { addAssignment, addTask, addTasksOf, askUsers } from '../../../test/support/tasks.ts';
import { type TwoTenants, useTwoTenants } from '../../../test/support/tenants.ts';
import { type Context, inTransaction } from '../../context.ts';
import { signCheckpoint } from '../../lib/log/checkpoint.ts';
import { hashLeaf } from '../../lib/log/merkle.ts';
import { findSigners, listEntries, listEpochs, makeLeaf, recordEvents, sealLog } from '../audit/index.ts';
import { commentOnTask } from '../../governance/tasks/decisions/comment.ts';
import { decideTask } from '../../governance/tasks/decisions/decide.ts';
import { checkLog, readOutsideCheckpoint } from './check/index.ts';
import { findEpoch, findHead, restartLog, signHead } from './tree/index.ts';

interface Stage {
  readonly two: TwoTenants;
  readonly ours: Context;
  readonly taskIds: readonly string[];
  readonly reviewId: string;
}

let first: Stage;

/** A tenant with a review in which three items were decided and one commented on, 300 more events, and two checkpoints. */
async function setStage(): Promise<Stage> {
  const two = await useTwoTenants();
  const { system: ours, basicId, basic, adminId } = two.ours;
  const { db, tenantId } = ours;
  const steps = [askUsers([basicId])];
  const reviewId = await addTasksOf(db, tenantId, { managerIds: [adminId], steps });
  const assignmentId = await addAssignment(db, tenantId, reviewId, [basicId]);
  const taskIds: string[] = [];
  for (let n = 0; n < 4; n++) {
    taskIds.push(await addTask(db, tenantId, { reviewId, assignmentId, userId: adminId }));
  }
  const [a = '', b = '', c = '', d = ''] = taskIds;
  await decideTask(basic, { taskId: a, decision: 'APPROVE', comment: 'Payroll', policyStepId: '' });
  await sign(ours);
  const ticks = Array.from({ length: 300 }, (_, n) => ({ kind: 'tick', data: { n } }));
  await inTransaction(ours, (inside) => recordEvents(inside, ticks as never));
  const decisions = [b, c].map((taskId) => ({ taskId, decision: 'DENY' as const, comment: 'Has left', policyStepId: '' }));
  await submit(basic, reviewId, decisions);
  await commentOnTask(basic, d, 'Who is this?');
  await sign(ours);
  return { two, ours, taskIds, reviewId };
}

async function sign(context: Context): Promise<{ size: number; note: string }> {
  await sealLog(context, { forMs: 10_000, waitsForLock: true });
  return signHead(context, await findEpoch(context, 0));
}

/** Runs statements of a superuser with the triggers off. */
async function tamper({ two, ours }: Stage, statement: string, values: readonly unknown[] = []): Promise<void> {
  await two.admin('SET session_replication_role = replica');
  try {
    await two.admin(statement, [ours.tenantId, ...values]);
  } finally {
    await two.admin('SET session_replication_role = origin');
  }
}

const check = async ({ ours }: Stage, since = 0) => (await checkLog(ours, { outside: [] }, since)).sentences;

async function findEvent({ ours }: Stage, kind: string): Promise<{ id: string; position: number }> {
  return ours.db.one(
    `SELECT e.id, l.position FROM events e JOIN log_leaves l ON l.tenant_id = $1 AND l.event_id = e.id
     WHERE e.tenant_id = $1 AND e.kind = $2 ORDER BY l.position LIMIT 1`,
    [ours.tenantId, kind],
  );
}

beforeAll(async () => {
  first = await setStage();
});
afterAll(() => first.two.close());

it('a log that nobody touched holds, from its beginning and from the middle', async () => {
  const state = await checkLog(first.ours, { outside: [] });
  expect(state).toMatchObject({ findings: 0, sentences: [], uncoded: 0, unjudged: 0, checkpoints: 2 });
  expect(state.events).toBeGreaterThan(300);
  expect(state.rows).toBe(5);
  expect(await check(first, 150)).toEqual([]);
});

it('an event that was written while a check ran is nothing wrong', async () => {
  const stage = await setStage();
  await sign(stage.ours);
  await recordOccurrence(stage.ours, { kind: 'tick' });
  expect(await check(stage)).toEqual([]);
});

describe('a hand in the database', () => {
  const sealed = 'is not what was sealed';
  it.each(
    sampled<[string, string, (stage: Stage) => Promise<string | RegExp>]>(
      [
        [
          'that changes the data of an event',
          `UPDATE events SET data = data || '{"denied": 0}' WHERE tenant_id = $1 AND kind = 'review.submitted'`,
          async (stage) => {
            const { id, position } = await findEvent(stage, 'review.submitted');
            return new RegExp(
              `^Event ${id} \\(position ${position}, review\\.submitted, 2026-03-01T12:00:00\\.000Z\\) ${sealed}: data\\.$`,
            );
          },
        ],
        [
          'that says somebody else did it',
          `UPDATE events SET actor_id = 'somebody' WHERE tenant_id = $1 AND kind = 'review.submitted'`,
          async () => new RegExp(`${sealed}: who, what or when\\.$`),
        ],
        [
          'that empties an event without its commitment',
          `UPDATE events SET data = '{}', salt = NULL WHERE tenant_id = $1 AND kind = 'review.submitted'`,
          async () => new RegExp(`${sealed}: data\\.$`),
        ],
        [
          'that removes an event',
          `DELETE FROM events WHERE tenant_id = $1 AND kind = 'task.commented'`,
          async (stage) => `Position ${(await findEvent(stage, 'task.commented')).position}: its event is gone.`,
        ],
        [
          'that exchanges a leaf',
          `UPDATE log_leaves SET leaf_hash = sha256('x') WHERE tenant_id = $1 AND position = 100`,
          async (stage) => {
            const sizes = await stage.ours.db.rows<{ size: number }>(
              'SELECT size FROM log_checkpoints WHERE tenant_id = $1 ORDER BY size',
              [stage.ours.tenantId],
            );
            const [before, after] = sizes.map(({ size }) => size);
            return `The tree at ${before}..${(after ?? 0) - 1} does not lead to checkpoint ${after}.`;
          },
        ],
        [
          'that exchanges a node of the tree',
          `UPDATE log_nodes SET hash = sha256('x') WHERE tenant_id = $1 AND level = 1 AND index = 0`,
          async () => /^The tree at 0\.\.255 does not lead to checkpoint \d+\.$/,
        ],
        [
          'that exchanges the root of the log',
          `UPDATE logs SET root = sha256('x') WHERE tenant_id = $1`,
          async () => /does not lead to the head of the log\.$/,
        ],
        [
          'that signs a checkpoint itself',
          `UPDATE log_checkpoints SET note = replace(note, E'\\n\\n', E'1\\n\\n') WHERE tenant_id = $1 AND size = (SELECT max(size) FROM log_checkpoints WHERE tenant_id = $1)`,
          async () => /^Checkpoint \d+: signature\.$/,
        ],
        [
          'that takes a leaf away',
          `DELETE FROM log_leaves WHERE tenant_id = $1 AND position = 100`,
          async () => 'Positions 100..100: their leaves are gone.',
        ],
        [
          'that changes a row of evidence',
          `UPDATE task_actions SET comment = 'Still needed' WHERE tenant_id = $1 AND comment = 'Payroll'`,
          async (stage) => {
            const [row] = await stage.two.admin(
              `SELECT id, event_id, task_id FROM task_actions WHERE tenant_id = $1 AND comment = 'Payroll'`,
              [stage.ours.tenantId],
            );
            return `task_actions ${String(row?.['id'])} of task ${String(row?.['task_id'])}: is not what event ${String(row?.['event_id'])} recorded.`;
          },
        ],
        [
          'that changes a submission',
          `UPDATE submissions SET certified = 2, denied = 0 WHERE tenant_id = $1`,
          async () => /^submissions \w{27}: is not what event \w{27} recorded\.$/,
        ],
        [
          'that removes a row of evidence',
          `DELETE FROM task_actions WHERE tenant_id = $1 AND comment = 'Has left' AND id = (SELECT max(id) FROM task_actions WHERE tenant_id = $1 AND comment = 'Has left')`,
          async () => /^task_actions: 1 of the 2 rows that event \w{27} recorded is gone\.$/,
        ],
        [
          'that adds a row of evidence without an event',
          `INSERT INTO task_actions (tenant_id, task_id, id, review_id, kind, step, step_generation, created_at)
       SELECT $1, task_id, 'added', review_id, 'COMMENTED', 0, 0, now() FROM task_actions WHERE tenant_id = $1 LIMIT 1`,
          async () => 'task_actions added: belongs to no event.',
        ],
        [
          'that adds one to an event that recorded none',
          `INSERT INTO task_actions (tenant_id, task_id, id, review_id, kind, step, step_generation, created_at, event_id)
       SELECT $1, 'task', 'added', 'review', 'COMMENTED', 0, 0, now(), id FROM events WHERE tenant_id = $1 AND kind = 'tick' LIMIT 1`,
          async () => 'task_actions added: belongs to no event.',
        ],
        [
          'that adds one to an event that never was',
          `INSERT INTO task_actions (tenant_id, task_id, id, review_id, kind, step, step_generation, created_at, event_id)
       VALUES ($1, 'task', 'added', 'review', 'COMMENTED', 0, 0, now(), 'nothing')`,
          async () => 'task_actions added: belongs to no event.',
        ],
        [
          'that adds one and dates it back to before rows had events',
          `INSERT INTO task_actions (tenant_id, task_id, id, review_id, kind, step, step_generation, created_at, event_id)
       VALUES ($1, 'task', 'added', 'review', 'COMMENTED', 0, 0, now(), '')`,
          async () => 'task_actions added: belongs to no event.',
        ],
        [
          'that changes the outcome of a task',
          `UPDATE tasks SET outcome = 'CERTIFIED' WHERE tenant_id = $1 AND outcome = 'DECERTIFIED' AND id = (SELECT min(id) FROM tasks WHERE tenant_id = $1 AND outcome = 'DECERTIFIED')`,
          async ({ taskIds }) => `Task ${taskIds[1]}: its outcome is not that of its actions.`,
        ],
        [
          'that opens a task again',
          `UPDATE tasks SET state = 'OPEN', outcome = '', end_reason = '', ended_at = NULL WHERE tenant_id = $1 AND outcome = 'CERTIFIED'`,
          async ({ taskIds }) => `Task ${taskIds[0]}: its outcome is not that of its actions.`,
        ],
      ],
      3,
    ),
  )('%s is named', async (_, statement, wanted) => {
    const stage = await setStage();
    const sentence = await wanted(stage);
    await tamper(stage, statement);
    expect(await check(stage)).toContainEqual(typeof sentence === 'string' ? sentence : expect.stringMatching(sentence));
    await sign(stage.two.theirs.system);
    expect(await checkLog(stage.two.theirs.system, { outside: [] })).toMatchObject({ findings: 0 });
  });

  it('that adds an event is named, although the log sealed it', async () => {
    const stage = await setStage();
    await tamper(
      stage,
      `INSERT INTO events (tenant_id, id, occurred_at, kind, actor_kind, data) VALUES ($1, 'forged', now(), 'review.closed', 'user', '{}')`,
    );
    await sign(stage.ours);
    expect(await check(stage)).toEqual(['Event forged was not written by this service.']);
  });

  it('that adds an event past every seal is named', async () => {
    const stage = await setStage();
    await tamper(
      stage,
      `INSERT INTO events (tenant_id, id, occurred_at, kind, actor_kind, data, xact) VALUES ($1, 'forged', now(), 'tick', 'user', '{}', '3')`,
    );
    expect(await check(stage)).toEqual(['Event forged has no position, although everything is sealed.']);
  });

  it('that copies the code of another event onto one is named', async () => {
    const stage = await setStage();
    await tamper(
      stage,
      `INSERT INTO events (tenant_id, id, occurred_at, kind, actor_kind, data, mac, mac_generation)
       SELECT $1, 'forged', occurred_at, kind, actor_kind, data, mac, mac_generation FROM events WHERE tenant_id = $1 AND kind = 'tick' LIMIT 1`,
    );
    await sign(stage.ours);
    expect(await check(stage)).toEqual(['Event forged was not written by this service.']);
  });

  it('that exchanges the events of two positions is named at both', async () => {
    const stage = await setStage();
    const ids = (await listEntries(stage.ours, 20, 11)).map(({ eventId }) => eventId);
    const put = (position: number, eventId: string | undefined) =>
      tamper(stage, 'UPDATE log_leaves SET event_id = $3 WHERE tenant_id = $1 AND position = $2', [position, eventId]);
    await put(20, 'nothing');
    await put(30, ids[0]);
    await put(20, ids[10]);
    expect(await check(stage)).toEqual([
      'Position 20 holds another event than was sealed there.',
      'Position 30 holds another event than was sealed there.',
    ]);
  });

  it('that changes an event with its leaf and the whole tree is caught by the checkpoints', async () => {
    const stage = await setStage();
    await tamper(stage, `UPDATE events SET data = '{"n": 1000}' WHERE tenant_id = $1 AND kind = 'tick' AND data = '{"n": 7}'`);
    const entries = await listEntries(stage.ours, 0, 1_000);
    for (const row of entries) {
      const { reviewNumber: number, reviewPrevious: previous, reviewId } = row;
      const place = number === null || previous === null ? undefined : { id: reviewId, number, previous };
      const hash = hashLeaf(Buffer.from(makeLeaf(stage.ours.tenantId, { ...row, id: row.eventId }, place)));
      await tamper(stage, 'UPDATE log_leaves SET leaf_hash = $3 WHERE tenant_id = $1 AND position = $2', [row.position, hash]);
    }
    const sentences = await check(stage);
    expect(sentences).toContainEqual(expect.stringMatching(/^The tree at \d+\.\.\d+ does not lead to checkpoint \d+\.$/));
    expect(sentences).toContainEqual(expect.stringMatching(/was not written by this service\.$/));
  });

  it('that writes the log anew, with checkpoints of its own, is caught by what others hold', async () => {
    const stage = await setStage();
    const { epoch, size, root } = (await findHead(stage.ours, 0, undefined)).checkpoint;
    await stage.ours.db.run(
      `INSERT INTO log_anchors (tenant_id, id, kind, place, created_at, anchored_at, epoch, size, root)
       VALUES ($1, 'held', 'TIME_STAMP', 'https://stamps.example.com', now(), '2026-03-01T13:00:00Z', $2, $3, $4)`,
      [stage.ours.tenantId, epoch, size, root],
    );
    expect(await check(stage)).toEqual([]);
    await tamper(stage, `UPDATE log_leaves SET leaf_hash = sha256('x') WHERE tenant_id = $1 AND position = 280`);
    await tamper(stage, 'DELETE FROM log_checkpoints WHERE tenant_id = $1');
    expect(await check(stage)).toContain(
      `The tree at 0..${size - 1} does not lead to the checkpoint of ${size} that https://stamps.example.com holds since 2026-03-01T13:00:00.000Z.`,
    );
  });

  it('that signs two checkpoints of one size is caught by whoever holds the other', async () => {
    const stage = await setStage();
    const { epoch, checkpoint } = await findHead(stage.ours, 0, undefined);
    const other = { origin: epoch.origin, size: checkpoint.size, root: Buffer.alloc(32, 7) };
    const note = signCheckpoint(await findSigners(stage.ours, epoch.origin), other);
    const file = await readOutsideCheckpoint(stage.ours, 'shown-to-an-auditor.txt', Buffer.from(note));
    const { sentences } = await checkLog(stage.ours, { outside: typeof file === 'string' ? [] : [file] });
    expect(sentences).toEqual([
      expect.stringMatching(
        `^The tree at \\d+\\.\\.${checkpoint.size - 1} does not lead to the checkpoint of ${checkpoint.size} in shown-to-an-auditor.txt\\.$`,
      ),
    ]);
  });

  it('that cuts the tail is caught by a checkpoint, kept inside or outside, and the log signs nothing more', async () => {
    const stage = await setStage();
    const { ours } = stage;
    const outside = await sign(ours);
    const size = outside.size - 3;
    const { checkpoint } = await findHead(ours, 0, size);
    await tamper(
      stage,
      'DELETE FROM events e USING log_leaves l WHERE e.tenant_id = $1 AND l.tenant_id = $1 AND l.event_id = e.id AND l.position >= $2',
      [size],
    );
    await tamper(stage, 'DELETE FROM log_leaves WHERE tenant_id = $1 AND position >= $2', [size]);
    await tamper(stage, 'UPDATE logs SET size = $2, root = $3 WHERE tenant_id = $1', [size, checkpoint.root]);
    expect(await check(stage)).toContain(`The log has ${size} events; it signed a checkpoint of ${outside.size}.`);
    const file = await readOutsideCheckpoint(ours, 'kept.txt', Buffer.from(outside.note));
    await tamper(stage, 'DELETE FROM log_checkpoints WHERE tenant_id = $1 AND size > $2', [size]);
    const { sentences } = await checkLog(ours, { outside: typeof file === 'string' ? [] : [file] });
    expect(sentences).toContain(`The log has ${size} events; kept.txt holds a checkpoint of ${outside.size}.`);
  });
});

describe('an epoch', () => {
  it('that nobody began by an event is named', async () => {
    const stage = await setStage();
    const { size } = await sign(stage.ours);
    await tamper(stage, `UPDATE logs SET state = 'ENDED' WHERE tenant_id = $1`);
    await tamper(
      stage,
      `INSERT INTO logs SELECT (jsonb_populate_record(l, jsonb_build_object('epoch', 2, 'state', 'OPEN', 'base', l.size, 'size', 0, 'origin',
         left(l.origin, -1) || '2', 'root', '\\x' || encode(sha256(''), 'hex'), 'frontier', '\\x'))).* FROM logs l WHERE l.tenant_id = $1`,
    );
    await recordOccurrence(stage.ours, { kind: 'tick' });
    await sign(stage.ours);
    expect((await findEpoch(stage.ours, 0)).base).toBe(size);
    expect(await check(stage)).toContain('Epoch 2 of the log was begun by no event of this service.');
  });

  it('whose tree was changed behind its end is named', async () => {
    const stage = await setStage();
    await sign(stage.ours);
    await restartLog(stage.ours, 'A disk was restored');
    await sign(stage.ours);
    expect(await check(stage)).toEqual([]);
    await tamper(stage, `UPDATE logs SET root = sha256('x') WHERE tenant_id = $1 AND epoch = 1`);
    expect(await check(stage)).toContain('Epoch 1 of the log is not what it was when epoch 2 began.');
  });
});

describe('a log that is behind', () => {
  it('seals and signs nothing until it is restarted, and then goes on in a tree of its own', async () => {
    const stage = await setStage();
    const { ours } = stage;
    const { size, note } = await sign(ours);
    await tamper(stage, `UPDATE log_leaves SET leaf_hash = sha256('x') WHERE tenant_id = $1 AND position = 280`);
    await recordOccurrence(ours, { kind: 'tick' });
    await expect(sign(ours)).rejects.toMatchObject({ code: 'FAILED_PRECONDITION', message: expect.stringContaining('log restart') });
    await recordOccurrence(ours, { kind: 'late' });
    await sealLog(ours, { forMs: 1_000, waitsForLock: true });
    expect((await findEpoch(ours, 0)).size).toBe(size + 1);
    await expect(restartLog(ours, ' ')).rejects.toMatchObject({ violations: [{ field: 'reason' }] });
    expect(await restartLog(ours, 'A disk was restored')).toMatchObject({ epoch: 2 });
    const again = await sign(ours);
    expect(again.note.split('\n')[0]).toMatch(/\/2$/);
    expect((await listEpochs(ours)).map(({ epoch, state, base }) => [epoch, state, base])).toEqual([
      [1, 'ENDED', 0],
      [2, 'OPEN', size + 1],
    ]);
    const [restarted] = await stage.two.admin(`SELECT data FROM events WHERE tenant_id = $1 AND kind = 'log.restarted'`, [ours.tenantId]);
    expect(restarted?.['data']).toMatchObject({
      reason: 'A disk was restored',
      former: { size: size + 1 },
      checkpointSize: size,
      epoch: 2,
    });
    const sentences = await check(stage);
    expect(sentences.every((one) => !one.includes('not written') && !one.includes('gone'))).toBe(true);
    expect(note.split('\n')[1]).toBe(String(size));
  });
});
