/**
 * Steps that wait: whether what they wait for has come, and when to look again. What becomes of the task is advance.ts and timers.ts.
 */
import type { Context } from '../../../context.ts';
import { nextDailyTime } from '../../../lib/wall-time.ts';
import { holdForTasks } from './evaluate.ts';
import type { WaitStep, Task } from '../task/index.ts';

/** Time between looks at a condition. */
const lookMs = 600_000;

const later = (moment: Date, milliseconds: number): Date => new Date(moment.getTime() + milliseconds);

/** A task and the step that it waits at. */
export interface Waiting {
  readonly task: Task;
  readonly step: WaitStep;
}

/** True if what tasks wait for is the case now, in their order; false for those that wait for a date. Each condition is evaluated once for all. */
async function holdAll(context: Context, waiting: readonly Waiting[]): Promise<boolean[]> {
  const holds = waiting.map(() => false);
  const byCondition = Map.groupBy(waiting.keys(), (at) => {
    const until = waiting[at]?.step.until;
    return until !== undefined && 'condition' in until ? until.condition : undefined;
  });
  for (const [condition, places] of byCondition) {
    if (condition !== undefined) {
      const tasks = places.flatMap((at) => waiting[at]?.task ?? []);
      const results = await holdForTasks(context, tasks, condition);
      for (const [at, place] of places.entries()) {
        holds[place] = results[at] === true;
      }
    }
  }
  return holds;
}

/** Times to look next at waits that begin now, in their order; undefined where there is nothing to wait for. */
export async function beginWaits(context: Context, waiting: readonly Waiting[]): Promise<(Date | undefined)[]> {
  const holds = await holdAll(context, waiting);
  return waiting.map(({ step: { until, timeoutSeconds } }, at) => {
    if ('condition' in until) {
      return holds[at] === true ? undefined : later(context.now, Math.min(lookMs, timeoutSeconds * 1000));
    }
    return 'seconds' in until
      ? later(context.now, until.seconds * 1000)
      : nextDailyTime(context.now, { hour: until.hours, minute: until.minutes }, until.timeZone);
  });
}

/** Outcomes of waits, in their order: over, over without what they waited for, or when to look again. */
export async function judgeWaits(context: Context, waiting: readonly Waiting[]): Promise<('over' | 'timed out' | Date)[]> {
  const holds = await holdAll(context, waiting);
  return waiting.map(({ task, step: { until, timeoutSeconds } }, at) => {
    const enteredAt = task.enteredAt ?? context.now;
    if (!('condition' in until)) {
      const end =
        'seconds' in until
          ? later(enteredAt, until.seconds * 1000)
          : nextDailyTime(enteredAt, { hour: until.hours, minute: until.minutes }, until.timeZone);
      return context.now >= end ? 'over' : end;
    }
    if (holds[at] === true) {
      return 'over';
    }
    const end = later(enteredAt, timeoutSeconds * 1000);
    const look = new Date(Math.min(end.getTime(), context.now.getTime() + lookMs));
    return context.now >= end ? 'timed out' : look;
  });
}
