/**
 * Relation of a decider to the person and the access: found out when the decision is made, noted on it, and refused where the review blocks it.
 * What that is in the data is in store-relations.ts.
 */
import type { Context } from '../../../context.ts';
import { type Refusal, listStandings, type Relation } from '../task/index.ts';

/** A relation as a sentence goes on about it. */
const words: Readonly<Record<Relation, string>> = {
  SELF: 'it is your own access',
  MANAGER: 'you are the manager of the person',
  REPORT: 'the person is your manager',
  GRANTER: 'you gave this access',
  APP_OWNER: 'you own the app',
  APP_ADMINISTRATOR: 'you administer the app',
  ISSUED_CREDENTIAL: 'somebody else issued the credential you use',
  RECIPROCAL: 'the person decided about your access in this review',
};

/** Notes on a decision, or why it is refused. */
export interface Standing {
  readonly relations: readonly Relation[];
  readonly refusal: Refusal | undefined;
}

const nothing: Standing = { relations: [], refusal: undefined };

/** Finds the actor's relations to these tasks, in one statement; a task that is not named stands in no relation. */
export async function findStandings(context: Context, reviewId: string, taskIds: readonly string[]): Promise<(taskId: string) => Standing> {
  if (taskIds.length === 0) {
    return () => nothing;
  }
  const rows = await listStandings(context, reviewId, taskIds);
  const standings = new Map(
    rows.map(({ taskId, relations, blocked }) => {
      const barred = relations.filter((relation) => blocked.includes(relation));
      const why = barred.map((relation) => words[relation]).join(', and ');
      const message = `This review keeps you from deciding here: ${why}. Somebody independent has to; its owners can reassign the task.`;
      return [taskId, { relations, refusal: barred.length === 0 ? undefined : { code: 'PERMISSION_DENIED', message } } satisfies Standing];
    }),
  );
  return (taskId) => standings.get(taskId) ?? nothing;
}
