/** Database's answers to what a piece of code asked: the plans of its statements, with what each step really read. */
import type { Context } from '../../src/context.ts';
import { fixed, renderSql, type Sql, sql as piece } from '../../src/lib/sql.ts';

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

/** The statement that explains another. */
const explain = (sql: Sql | string, options: string): Sql | string =>
  typeof sql === 'string' ? `EXPLAIN (${options}) ${sql}` : piece`EXPLAIN (${fixed(options)}) ${sql}`;

/** The plan of a statement, which is run for it. */
export async function planOf(context: Context, sql: Sql | string, values?: readonly unknown[]): Promise<PlanNode> {
  const { 'QUERY PLAN': parts } = await context.db.one<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(
    explain(sql, 'ANALYZE, BUFFERS, FORMAT JSON'),
    values,
  );
  return parts[0].Plan;
}

/** The plan of a statement as lines of text; with the options of EXPLAIN. */
export async function textPlanOf(context: Context, options: string, sql: Sql | string, values?: readonly unknown[]): Promise<string> {
  const rows = await context.db.rows<{ 'QUERY PLAN': string }>(explain(sql, options), values);
  return rows.map((row) => row['QUERY PLAN']).join('\n');
}

/** The plan that holds for all values, which is used from the sixth time on; for servers from version 16. */
export async function genericPlanOf(context: Context, sql: Sql | string): Promise<string> {
  const text = typeof sql === 'string' ? sql : renderSql(sql).text;
  const rows = await context.db.rows<{ 'QUERY PLAN': string }>(`EXPLAIN (GENERIC_PLAN) ${text}`);
  return rows.map((row) => row['QUERY PLAN']).join('\n');
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
