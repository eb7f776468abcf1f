/** Plans of look-ups of acts, made while nobody had acted: they stay for as long as a connection lives. */
import { expect, it } from 'vitest';
import type { Context } from '../../context.ts';
import { type Sql, sql } from '../../lib/sql.ts';
import { genericPlanOf } from '../../../test/support/plans.ts';
import { useTaskPeople } from '../../../test/support/task-people.ts';
import { listActionRows } from './store-actions.ts';
import { tableEvidence } from './store-evidence.ts';

const { caller } = useTaskPeople();

/** The plan of the one statement that a look-up asks. */
async function planWithoutStatistics(lookUp: (context: Context) => unknown): Promise<string> {
  const context = caller('super');
  const asked: Sql[] = [];
  const rows = async (statement: Sql): Promise<never[]> => {
    asked.push(statement);
    return [];
  };
  await lookUp({ ...context, db: { ...context.db, rows } as typeof context.db });
  expect(asked).toHaveLength(1);
  return genericPlanOf(context, asked[0] ?? '');
}

const [, evidence] = tableEvidence;

it('acts are found by their events', async () => {
  const plan = await planWithoutStatistics((context) => listActionRows(context, ['one', 'two']));
  expect(plan).toMatch(/using task_actions_by_event .*\n.*Index Cond: .*event_id = /);
  expect(plan).not.toContain('task_actions_pkey');
});

it('events of acts, and acts without one, are read from their indexes', async () => {
  expect(evidence?.table).toBe('task_actions');
  expect(await planWithoutStatistics((context) => evidence?.listEventIds(context, '', 10))).toMatch(
    /using task_actions_by_event .*\n.*Index Cond: .*event_id > /,
  );
  expect(await planWithoutStatistics((context) => evidence?.listStray(context, new Date(), 10))).toContain(
    'using task_actions_without_event',
  );
});

const ofTask = sql`x.tenant_id = ${'tenant'} AND x.task_id = `;

it.each([
  ['of a task that is named', sql`SELECT count(*) FROM task_actions x WHERE ${ofTask}${'task'} AND x.kind <> 'COMMENTED'`],
  [
    'of each task of some',
    sql`SELECT x.kind FROM unnest(${['task']}::text[]) AS t (id) CROSS JOIN LATERAL (SELECT x.kind FROM task_actions x WHERE ${ofTask}t.id OFFSET 0) x`,
  ],
])('acts are found by their key: %s', async (_, statement) => {
  expect(await genericPlanOf(caller('super'), statement)).toMatch(/using task_actions_pkey .*\n.*Index Cond: .*task_id = /);
});

it.each([
  ['a review that is named', sql`SELECT count(*) FROM task_actions x WHERE x.tenant_id = ${'tenant'} AND x.review_id = ${'review'}`],
  [
    'each of some reviews',
    sql`SELECT x.n FROM unnest(${['review']}::text[]) AS r (id)
      CROSS JOIN LATERAL (SELECT count(*) AS n FROM task_actions x WHERE x.tenant_id = ${'tenant'} AND x.review_id = r.id) x`,
  ],
])('acts are found by their review: %s', async (_, statement) => {
  expect(await genericPlanOf(caller('super'), statement)).toMatch(/using task_actions_by_review .*\n.*Index Cond: .*review_id = /);
});
