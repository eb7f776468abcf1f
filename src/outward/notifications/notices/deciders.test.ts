/** Who is to decide: over random delegations, what mails count, what the queue and the badge count and what a decision accepts are the same items. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { tenant, useTaskPeople } from '../../../../test/support/task-people.ts';
import { addAssignment, addPerson, addTask, addTasksOf, askUsers, scopeOf, testNow } from '../../../../test/support/tasks.ts';
import type { Context } from '../../../context.ts';
import { sql } from '../../../lib/sql.ts';
import { listDelegatorsSql } from '../../../foundation/directory/index.ts';
import { listMyReviews } from '../../../governance/reviews/lists/my-reviews.ts';
import { findTask, refuseDecider } from '../../../governance/tasks/task/index.ts';
import { readQueue } from '../../../governance/tasks/queue/queue.ts';
import { listAsked } from './store-facts.ts';
import { insertNoticesForAsked } from './store-notices.ts';

const { db } = useTaskPeople();
const size = 5;

interface World {
  /** Who is enabled. */
  readonly there: readonly boolean[];
  /** To whom each delegates; out of range for nobody. */
  readonly delegates: readonly { readonly to: number; readonly when: 'now' | 'later' | 'over' }[];
  readonly steps: readonly { readonly allowDelegation: boolean; readonly allowSelfApproval: boolean }[];
  readonly tasks: readonly { readonly asked: readonly number[]; readonly subject: number; readonly step: number }[];
}

const person = fc.nat({ max: size - 1 });
const worlds: fc.Arbitrary<World> = fc.record({
  there: fc.array(fc.oneof({ weight: 5, arbitrary: fc.constant(true) }, fc.constant(false)), { minLength: size, maxLength: size }),
  delegates: fc.array(
    fc.record({
      to: fc.nat({ max: size }),
      when: fc.constantFrom('now' as const, 'now' as const, 'now' as const, 'later' as const, 'over' as const),
    }),
    { minLength: size, maxLength: size },
  ),
  steps: fc.array(
    fc.record({
      allowDelegation: fc.oneof({ weight: 4, arbitrary: fc.constant(true) }, fc.constant(false)),
      allowSelfApproval: fc.boolean(),
    }),
    { minLength: 2, maxLength: 2 },
  ),
  tasks: fc.array(
    fc.record({ asked: fc.uniqueArray(person, { minLength: 1, maxLength: 3 }), subject: fc.nat({ max: size }), step: fc.nat({ max: 1 }) }),
    { minLength: 1, maxLength: 6 },
  ),
});

/** The delegate of somebody, where they have one now who is there. */
function delegateOf({ there, delegates }: World, one: number): number | undefined {
  const { to = size, when = 'over' } = delegates[one] ?? {};
  return to !== one && when === 'now' && there[to] === true ? to : undefined;
}

/** The reviewer of a task and whoever stands for them, one after the other. */
function chainOf(world: World, one: number, { step }: World['tasks'][number]): number[] {
  const chain = [one];
  if (world.steps[step]?.allowDelegation !== true) {
    return chain;
  }
  for (let next = delegateOf(world, one); next !== undefined && !chain.includes(next); next = delegateOf(world, next)) {
    chain.push(next);
  }
  return chain;
}

/** True if somebody may decide a task as one of those asked, or in the place of one. */
function mayDecide({ steps }: World, one: number, task: World['tasks'][number]): boolean {
  const isOwn = task.asked.includes(one);
  const { allowSelfApproval = false, allowDelegation = false } = steps[task.step] ?? {};
  return one === task.subject ? isOwn && allowSelfApproval : isOwn || allowDelegation;
}

/** Those who get a task in their mail: of each chain the last who is there and may decide. */
function mailed(world: World, task: World['tasks'][number]): Set<number> {
  const last = task.asked.map((one) => {
    const chain = chainOf(world, one, task).filter((member) => world.there[member] === true && mayDecide(world, member, task));
    return chain.at(-1);
  });
  return new Set(last.filter((one) => one !== undefined));
}

/** Those who may decide a task: everybody in a chain who may. */
function deciders(world: World, task: World['tasks'][number]): Set<number> {
  return new Set(task.asked.flatMap((one) => chainOf(world, one, task)).filter((one) => mayDecide(world, one, task)));
}

async function build(world: World) {
  const people: string[] = [];
  for (const [at, there] of world.there.entries()) {
    people.push(await addPerson(db(), tenant, `P${at}`, there ? 'ENABLED' : 'DISABLED'));
  }
  const day = 86_400_000;
  for (const [at, { to, when }] of world.delegates.entries()) {
    if (to < size && to !== at) {
      const [startsAt, expiresAt] = { now: [-1, 1], later: [1, 2], over: [-2, -1] }[when];
      await db().run(
        `INSERT INTO delegations (tenant_id, user_id, delegated_user_id, starts_at, expires_at, created_at, updated_at)
         VALUES ($1, $2, $3, $4, $5, now(), now())`,
        [
          tenant,
          people[at],
          people[to],
          new Date(testNow.getTime() + (startsAt ?? 0) * day),
          new Date(testNow.getTime() + (expiresAt ?? 0) * day),
        ],
      );
    }
  }
  const steps = world.steps.map(({ allowDelegation, ...approver }) => askUsers([], { allowDelegation }, approver));
  const reviewId = await addTasksOf(db(), tenant, { steps });
  const ids: string[] = [];
  const sets = new Map<string, string>();
  for (const { asked, subject, step } of world.tasks) {
    const key = asked.join();
    const assignmentId =
      sets.get(key) ??
      (await addAssignment(
        db(),
        tenant,
        reviewId,
        asked.map((at) => people[at] ?? ''),
      ));
    sets.set(key, assignmentId);
    const id = await addTask(db(), tenant, { reviewId, assignmentId, userId: people[subject] ?? null });
    await db().run('UPDATE tasks SET step = $3 WHERE tenant_id = $1 AND id = $2', [tenant, id, step]);
    ids.push(id);
  }
  return { people, reviewId, ids };
}

/** Somebody as the caller, with those in whose place they decide as each request finds them. */
async function actAs(userId: string): Promise<Context> {
  const base = scopeOf(db(), tenant, userId);
  const row = await db().one<{ ids: string[] }>(sql`SELECT ${listDelegatorsSql(sql`${tenant}`, sql`${userId}::text`, testNow)} AS ids`);
  return { ...base, actor: { ...base.actor, delegatorIds: row.ids } };
}

describe('who is to decide', () => {
  it('is the same to mails, the queue, the badge and a decision, and each item counts once', async () => {
    await fc.assert(
      fc.asyncProperty(worlds, async (world) => {
        const { people, reviewId, ids } = await build(world);
        const system = scopeOf(db(), tenant, '');
        const notice = { kind: 'KICKOFF', subjectId: reviewId, slot: '', reviewId, data: {}, dueAt: testNow } as const;
        await insertNoticesForAsked(system, notice);
        const told = await db().rows<{ id: string; place: string }>(
          'SELECT person_id AS id, on_behalf_id AS place FROM mail_outbox WHERE tenant_id = $1 AND review_id = $2',
          [tenant, reviewId],
        );
        for (const [at, userId] of people.entries()) {
          const inMail = world.tasks.flatMap((task, place) => (mailed(world, task).has(at) ? [ids[place] ?? ''] : [])).sort();
          const asked = await listAsked(system, userId, [reviewId], ids);
          expect(asked.map(({ taskId }) => taskId).sort()).toEqual(inMail);
          expect(
            told
              .filter(({ id }) => id === userId)
              .map(({ place }) => place)
              .sort(),
          ).toEqual([...new Set(asked.map(({ onBehalfId }) => onBehalfId))].sort());
          if (world.there[at] !== true) {
            continue;
          }
          const context = await actAs(userId);
          const accepted = world.tasks.flatMap((task, place) => (deciders(world, task).has(at) ? [ids[place] ?? ''] : [])).sort();
          const queue = await readQueue(
            context,
            reviewId,
            { show: 'OPEN', by: 'APP', group: undefined, query: undefined, order: 'ATTENTION' },
            { limit: 100, after: undefined },
          ).catch(() => undefined);
          expect((queue?.items ?? []).map(({ id }) => id).sort()).toEqual(accepted);
          expect(queue?.items.every(({ actions }) => actions.includes('APPROVE')) ?? true).toBe(true);
          expect(queue?.counts?.todo ?? 0).toBe(accepted.length);
          expect((await listMyReviews(context, undefined, 100)).totals?.decidable).toBe(accepted.length);
          for (const id of ids) {
            const task = await findTask(context, id);
            expect(task !== undefined && refuseDecider(context.actor, task) === undefined).toBe(accepted.includes(id));
          }
          // Whoever is not away has in their queue what their mail counts.
          if (delegateOf(world, at) === undefined) {
            expect(inMail).toEqual(accepted);
          }
        }
      }),
      { numRuns: 60 },
    );
  }, 120_000);
});
