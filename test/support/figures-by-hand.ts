/** The items of a review counted one by one, for tests that hold what is shown against it. */
import type { Loose } from './api.ts';
import type { ServedTenant } from './server.ts';

/** Counts of items by what they are. */
export type Counts = Readonly<Record<string, number>>;

const isDecided = (task: Loose): boolean => task.end_reason === 'DECIDED' && task.has_decider;
const isDenied = (task: Loose): boolean => isDecided(task) && task.outcome === 'DECERTIFIED';

/** Counts all items of a review, and those that ask each person. */
export async function countByHand(
  tenant: ServedTenant,
  id: string,
): Promise<{ readonly whole: Counts; readonly people: Readonly<Record<string, Counts>> }> {
  const tasks: Loose[] = await tenant.system().db.rows(
    `SELECT t.state, t.outcome, t.end_reason, t.decided_by_id IS NOT NULL AS has_decider, coalesce(s.user_ids, '{}') AS user_ids FROM tasks t
     LEFT JOIN task_assignments s ON s.tenant_id = $1 AND s.id = t.assignment_id WHERE t.tenant_id = $1 AND t.review_id = $2`,
    [tenant.id, id],
  );
  const count = (holds: (task: Loose) => boolean, of: readonly Loose[] = tasks): number => of.filter(holds).length;
  const ended = (reason: string): number => count(({ end_reason: why }) => why === reason);
  const outcome = (wanted: string): number => count((task) => task.outcome === wanted);
  const isOpen = (task: Loose): boolean => task.state === 'OPEN';
  const whole = {
    total: tasks.length,
    open: count(isOpen),
    unassigned: count((task) => isOpen(task) && task.user_ids.length === 0),
    certified: outcome('CERTIFIED'),
    revoked: outcome('DECERTIFIED'),
    cancelled: outcome('CANCELLED'),
    withoutOutcome: count((task) => !isOpen(task) && task.outcome === ''),
    byPeople: count(isDecided),
    deniedByPeople: count(isDenied),
    byPolicy: count((task) => task.end_reason === 'DECIDED' && !task.has_decider),
    carried: ended('CARRIED'),
    skipped: ended('SKIPPED_AT_CLOSE'),
    revokedAtClose: ended('REVOKED_AT_CLOSE'),
    gone: outcome('CANCELLED') - ended('SKIPPED_AT_CLOSE'),
  };
  const people = [...new Set<string>(tasks.flatMap((task) => task.user_ids))].map((userId): [string, Counts] => {
    const theirs = tasks.filter((task) => task.user_ids.includes(userId));
    const [open, decided] = [count(isOpen, theirs), count(isDecided, theirs)];
    const otherwise = theirs.length - open - decided;
    return [userId, { asked: theirs.length, open, decided, denied: count(isDenied, theirs), otherwise }];
  });
  return { whole, people: Object.fromEntries(people) };
}
