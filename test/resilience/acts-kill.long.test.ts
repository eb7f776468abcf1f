/**
 * Random acts of several people on a few tasks in several processes at once, each killed with kill -9 at a moment by chance: what was answered as done
 * is there once, what was refused is not there, and what is there, read in its order, is what the table of actions allows.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { createRandom } from '../support/random.ts';
import { type RunningProcess, runProcess } from '../support/run-process.ts';
import { useTaskPeople, tenant } from '../support/task-people.ts';
import { askUsers } from '../support/tasks.ts';
import type { ActPlan } from '../support/act-process.ts';

const kills = Number(process.env['COUNTERSIGN_KILLS'] ?? 6);
const seed = Number(process.env['COUNTERSIGN_KILL_SEED'] ?? Date.now() % 1_000_000);
const file = `${import.meta.dirname}/../support/act-process.ts`;
const { db, url, id, makeTask } = useTaskPeople();

interface Act {
  readonly kind: 'APPROVED' | 'DENIED' | 'SKIPPED' | 'RESTARTED' | 'ENDED';
  readonly generation: number;
  readonly actor: string;
  readonly comment: string;
  readonly data: { readonly reason?: string };
}
interface Standing {
  readonly state: string;
  readonly step: number;
  readonly generation: number;
  readonly outcome: string;
  readonly endReason: string;
  readonly decider: string | null;
}
const begun: Standing = { state: 'OPEN', step: 0, generation: 0, outcome: '', endReason: '', decider: null };

/** Applies an act to a task of two steps, by the table; undefined where the table refuses it. */
function apply(from: Standing, act: Act, asked: readonly (readonly string[])[], approvers: readonly string[]): Standing | undefined {
  const isManager = [id('super'), id('owner')].includes(act.actor);
  if (act.generation !== from.generation) {
    return undefined;
  }
  if (act.kind === 'RESTARTED') {
    return isManager ? { ...begun, generation: from.generation + 1 } : undefined;
  }
  if (from.state !== 'OPEN') {
    return undefined;
  }
  const ended = (outcome: string, endReason: string, decider: string | null): Standing => ({
    ...from,
    state: 'CLOSED',
    outcome,
    endReason,
    decider,
  });
  const next = (): Standing => ({ ...from, step: from.step + 1, generation: from.generation + 1 });
  const isLast = from.step + 1 === asked.length;
  switch (act.kind) {
    case 'APPROVED':
    case 'DENIED': {
      const may = isManager || (asked[from.step] ?? []).includes(act.actor);
      const decided =
        act.kind === 'DENIED' ? ended('DECERTIFIED', 'DECIDED', act.actor) : isLast ? ended('CERTIFIED', 'DECIDED', act.actor) : next();
      return may ? decided : undefined;
    }
    case 'SKIPPED': {
      const approver = approvers.at(-1);
      const behind = approver === undefined ? ended('CANCELLED', 'STEP_SKIPPED', null) : ended('CERTIFIED', 'DECIDED', approver);
      return isManager ? (isLast ? behind : next()) : undefined;
    }
    case 'ENDED':
      return act.actor === id('super') && act.data.reason === 'CANCELLED' ? ended('CANCELLED', 'CANCELLED', null) : undefined;
  }
}

it(`random acts in several processes leave what the table allows, through ${kills} kills (seed ${seed})`, {
  timeout: 400_000,
}, async () => {
  const asked = [
    ['ann', 'ben'],
    ['target', 'ann'],
  ].map((names) => names.map((name) => id(name)));
  const made = await Promise.all(
    Array.from({ length: 6 }, () => makeTask({ steps: asked.map((ids) => askUsers(ids)), assignees: ['ann', 'ben'] })),
  );
  const plan: ActPlan = {
    tenantId: tenant,
    taskIds: made.map(({ taskId }) => taskId),
    people: ['super', 'owner', 'ann', 'ben', 'target', 'subject', 'stranger'].map((name) => ({
      name,
      id: id(name),
      roles: name === 'super' ? ['SUPER_ADMINISTRATOR'] : [],
    })),
  };
  const random = createRandom(seed);
  const all: RunningProcess[] = [];
  const start = async (): Promise<RunningProcess> => {
    const started = runProcess(file, [url(), String(seed + all.length), JSON.stringify(plan)]);
    all.push(started);
    await started.line(/^ready$/);
    return started;
  };
  const running = [await start(), await start(), await start()];
  for (let kill = 0; kill < kills; kill++) {
    await delay(200 + random() * 600);
    await running[kill % 3]?.end('SIGKILL');
    running[kill % 3] = await start();
  }
  await delay(500);
  await Promise.all(running.map((one) => one.end('SIGKILL')));
  // What PostgreSQL was in the middle of ends with its connection.
  await delay(1_000);

  const answers = all.flatMap(({ lines }) =>
    lines.filter((line) => /^(done|refused|failed) \w+ \S+$/.test(line)).map((line) => line.split(' ')),
  );
  const rows = await db().rows<Act & { taskId: string }>(
    `SELECT x.task_id AS "taskId", x.kind, x.step_generation AS generation, x.actor_id AS actor, x.comment, x.data FROM task_actions x
     WHERE x.tenant_id = $1 ORDER BY x.step_generation, x.kind = 'RESTARTED', x.id`,
    [tenant],
  );
  const written = Map.groupBy(
    rows.filter(({ comment }) => comment !== ''),
    ({ comment }) => comment,
  );
  for (const [answer, name = '', comment = ''] of answers) {
    const found = written.get(comment)?.length ?? 0;
    expect([answer, name, comment, found <= 1]).toEqual([answer, name, comment, true]);
    expect([answer, name, comment, answer !== 'refused' || found === 0]).toEqual([answer, name, comment, true]);
    // Somebody's same decision again, and a second close, hold and write nothing; these do not.
    const isLost = answer === 'done' && (name === 'restart' || name === 'skip') && found === 0;
    expect([answer, name, comment, isLost]).toEqual([answer, name, comment, false]);
  }
  for (const { taskId } of made) {
    const acts = rows.filter((row) => row.taskId === taskId && row.actor !== '');
    let standing = begun;
    let approvers: string[] = [];
    for (const act of acts) {
      const next = apply(standing, act, asked, approvers);
      expect(next === undefined ? { standing, act } : undefined).toBeUndefined();
      approvers = act.kind === 'RESTARTED' ? [] : act.kind === 'APPROVED' ? [...approvers, act.actor] : approvers;
      standing = next ?? standing;
    }
    const [now] = await db().rows<Standing>(
      `SELECT t.state, t.step, t.step_generation AS generation, t.outcome, t.end_reason AS "endReason", t.decided_by_id AS decider FROM tasks t
       WHERE t.tenant_id = $1 AND t.id = $2`,
      [tenant, taskId],
    );
    expect(now).toEqual(standing);
  }
  const events = await db().rows<{ events: number }>(
    `SELECT count(*)::int AS events FROM events e WHERE e.tenant_id = $1 AND e.kind IN ('task.approved', 'task.denied', 'task.restarted', 'task.step_skipped', 'task.cancelled')`,
    [tenant],
  );
  expect(events).toEqual([{ events: rows.filter(({ actor }) => actor !== '').length }]);
  console.log(`seed ${seed}: ${answers.length} acts were answered, ${rows.length} done, ${kills} kills`);
});
