/**
 * How the database answered what a piece of code asked: the plans of its statements, with what each step really read.
 */
import type { Context } from '../../src/context.ts';
import { fixed, type Sql, sql as piece } from '../../src/lib/sql.ts';

/** A step of a plan as EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) writes it, and those below it. */
export interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly 'Shared Hit Blocks': number;
  readonly 'Shared Read Blocks': number;
  readonly Plans?: readonly PlanNode[];
}

/** The step and all below it. */
export const nodesOf = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)];

/** The pages of the database that these plans touched. */
export const buffersOf = (plans: readonly PlanNode[]): number =>
  plans.reduce((sum, plan) => sum + plan['Shared Hit Blocks'] + plan['Shared Read Blocks'], 0);

/** The plan of a statement, which is run for it. */
export async function planOf(context: Context, sql: Sql | string, values?: readonly unknown[]): Promise<PlanNode> {
  const explain = 'EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ';
  const { 'QUERY PLAN': parts } = await context.db.one<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(
    typeof sql === 'string' ? explain + sql : piece`${fixed(explain)}${sql}`,
    values,
  );
  return parts[0].Plan;
}

/** A context that notes the plan of each statement that asks for rows, and answers it as ever. */
export function watchPlans(context: Context): { context: Context; plans: PlanNode[] } {
  const plans: PlanNode[] = [];
  const rows = async <T>(sql: Sql | string, values?: readonly unknown[]): Promise<T[]> => {
    plans.push(await planOf(context, sql, values));
    return context.db.rows<T>(sql, values);
  };
  return { context: { ...context, db: { ...context.db, rows } }, plans };
}
