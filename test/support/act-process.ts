/**
 * Another process of ours that acts on tasks as several people by chance, several at once, for tests that kill it: `node act-process.ts URL SEED PLAN`.
 * The plan is JSON: tenant, tasks, and people by name, each with an id and roles. Each act has a comment of its own; when it is answered that is
 * printed, with the action, the person, and whether it was done.
 */
import { openDatabase } from '../../src/db/open.ts';
import { isAppError } from '../../src/errors.ts';
import type { Context, RoleName } from '../../src/context.ts';
import { silentLogger } from '../../src/context.ts';
import { cancelTask } from '../../src/governance/tasks/steering/cancel.ts';
import { decideTask } from '../../src/governance/tasks/decisions/decide.ts';
import { restartTask } from '../../src/governance/tasks/steering/restart.ts';
import { skipStep } from '../../src/governance/tasks/steering/skip-step.ts';
import { createRandom } from './random.ts';
import { scopeOf } from './tasks.ts';
import '../../src/slots.ts';

/** Actors and tasks. */
export interface ActPlan {
  readonly tenantId: string;
  readonly taskIds: readonly string[];
  readonly people: readonly { readonly name: string; readonly id: string; readonly roles: readonly RoleName[] }[];
}

const acts = {
  approve: (context: Context, taskId: string, comment: string) =>
    decideTask(context, { taskId, decision: 'APPROVE', comment, policyStepId: '' }),
  deny: (context: Context, taskId: string, comment: string) => decideTask(context, { taskId, decision: 'DENY', comment, policyStepId: '' }),
  restart: (context: Context, taskId: string, comment: string) => restartTask(context, { taskId, comment, policyStepId: '' }),
  skip: (context: Context, taskId: string, comment: string) => skipStep(context, { taskId, comment, policyStepId: '' }),
  close: (context: Context, taskId: string, comment: string) => cancelTask(context, { taskId, comment }),
} as const;

const [databaseUrl, seed, plan] = process.argv.slice(2);
const { tenantId, taskIds, people } = JSON.parse(plan ?? '{}') as ActPlan;
const database = await openDatabase({ databaseUrl, poolSize: 4, log: silentLogger });
const random = createRandom(Number(seed));
const pick = <T>(all: readonly T[]): T => all[Math.floor(random() * all.length)] as T;
// Approvals and restarts are what the others feed on.
const names = ['approve', 'approve', 'approve', 'deny', 'restart', 'restart', 'skip', 'close'] as const;

async function actOn(number: number): Promise<void> {
  const [who, taskId, name, comment] = [pick(people), pick(taskIds), pick(names), `${process.pid}-${number}`];
  const context = scopeOf(database.tenant(tenantId), tenantId, who.id, { roles: [...who.roles], now: new Date() });
  try {
    await acts[name](context, taskId, comment);
    process.stdout.write(`done ${name} ${comment}\n`);
  } catch (error) {
    // What the database cut off is neither done nor refused.
    process.stdout.write(`${isAppError(error) && error.status < 500 ? 'refused' : 'failed'} ${name} ${comment}\n`);
  }
}

process.stdout.write('ready\n');
let number = 0;
await Promise.all(
  Array.from({ length: 4 }, async () => {
    for (;;) {
      number += 1;
      await actOn(number);
    }
  }),
);
