/** What the server has of a review in the end, item by item, beside what its reviewer meant: nothing more, nothing less, and by the true time. */
import { expect } from 'vitest';
import type { Loose } from './api.ts';
import type { QueueStory } from './queue-story.ts';
import type { Meant } from './reviewer-acts.ts';

/** One thing that somebody did to an item. */
interface Happened {
  readonly kind: string;
  readonly by: string;
  readonly words: string;
  readonly to: string;
}

/** What is compared. */
export interface RecordOf {
  readonly story: QueueStory;
  /** The tasks in the order of the list. */
  readonly ids: readonly string[];
  readonly meant: readonly Meant[];
  /** When the reviewer began, by the clock of the server. */
  readonly since: number;
  /** The last second of a day where the reviewer is. */
  readonly endOf: (day: string) => string;
}

const kinds: Readonly<Record<string, string>> = { TASK_ACTION_TYPE_APPROVE: 'certified', TASK_ACTION_TYPE_DENY: 'denied' };
const outcomes: Readonly<Record<Meant['decision'], string>> = {
  certified: 'CERTIFY_OUTCOME_CERTIFIED',
  denied: 'CERTIFY_OUTCOME_DECERTIFIED',
  passed: 'CERTIFY_OUTCOME_UNSPECIFIED',
  nothing: 'CERTIFY_OUTCOME_UNSPECIFIED',
};

/** Everything that people did to a task, in its order, and when. */
async function readHappened(story: QueueStory, taskId: string): Promise<{ happened: Happened[]; times: string[] }> {
  const { list } = await story.call('POST', '/api/v1/task/audits', { taskId, pageSize: 100 });
  const happened: Happened[] = [];
  const actions: string[] = [];
  const own = (list as Loose[]).filter(({ userId }) => userId !== '');
  for (const { id, userId: by, actionSubmitted, approvalReassigned, comment } of own) {
    const [action] = (id as string).split('-');
    const isOf = actions.at(-1) === action;
    if (actionSubmitted !== undefined) {
      happened.push({ kind: kinds[actionSubmitted.action.actionType] ?? actionSubmitted.action.actionType, by, words: '', to: '' });
    } else if (approvalReassigned !== undefined) {
      happened.push({ kind: 'passed', by, words: '', to: approvalReassigned.newUsers.join() });
    } else if (comment !== undefined && isOf) {
      happened.push({ ...(happened.pop() as Happened), words: comment.comment });
    } else if (comment !== undefined) {
      happened.push({ kind: 'comment', by, words: comment.comment, to: '' });
    }
    actions.push(action ?? '');
  }
  return { happened, times: own.map(({ created }) => created) };
}

/** What is to have happened. A comment is sent at once, a decision with the submission. */
function happensBy({ decision, words, comments }: Meant, { elif: by, farid }: QueueStory): Happened[] {
  const said = comments.map((comment) => ({ kind: 'comment', by, words: comment, to: '' }));
  const last = { kind: decision, by, words, to: decision === 'passed' ? farid : '' };
  return decision === 'nothing' ? said : [...said, last];
}

/** Fails where the server has anything else than what was meant. */
export async function expectRecord({ story, ids, meant, since, endOf }: RecordOf): Promise<void> {
  const tasks = await Promise.all(ids.map(async (id) => (await story.call('GET', `/api/v1/tasks/${id}`)).taskView.task as Loose));
  const read = await Promise.all(ids.map((id) => readHappened(story, id)));
  const shown = tasks.map(({ type, data }, at) => ({
    outcome: type.certify.outcome,
    until: data.certifyUntil ?? '',
    happened: read[at]?.happened,
  }));
  const wanted = meant.map((one) => ({
    outcome: outcomes[one.decision],
    until: one.day === '' ? '' : endOf(one.day),
    happened: happensBy(one, story),
  }));
  expect(shown.map((one) => ({ ...one, until: one.until === '' ? '' : new Date(one.until).toISOString() }))).toEqual(wanted);
  const times = [...read.flatMap((one) => one.times), ...tasks.flatMap(({ type }) => type.certify.outcomeTime ?? [])];
  expect(times.filter((at) => Date.parse(at) < since - 1000 || Date.parse(at) > Date.now() + 1000)).toEqual([]);
  await expectEvents(story, meant);
}

/** The log has one event for each comment, each item passed on, and one submission of the rest. */
async function expectEvents(story: QueueStory, meant: readonly Meant[]): Promise<void> {
  const { list } = await story.call('POST', '/api/v1/systemlog/events', { pageSize: 100, sortDirection: 'SORT_DIRECTION_DESC' });
  const own = (list as Loose[])
    .map(({ unmapped }) => unmapped)
    .filter(({ actor_id, data }) => actor_id === story.elif && data?.reviewId === story.reviewId);
  const submissions = (list as Loose[])
    .map(({ unmapped }) => unmapped)
    .filter(({ kind, target_id }) => kind === 'review.submitted' && target_id === story.reviewId);
  const count = (wanted: (one: Meant) => number): number => meant.reduce((sum, one) => sum + wanted(one), 0);
  const counted = (kind: string): number => own.filter((one) => one.kind === kind).length;
  expect([counted('task.commented'), counted('task.reassigned')]).toEqual([
    count(({ comments }) => comments.length),
    count(({ decision }) => (decision === 'passed' ? 1 : 0)),
  ]);
  expect(submissions.map(({ actor_id, data }) => [actor_id, data.certified, data.denied])).toEqual([
    [story.elif, count(({ decision }) => (decision === 'certified' ? 1 : 0)), count(({ decision }) => (decision === 'denied' ? 1 : 0))],
  ]);
}
