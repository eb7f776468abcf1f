/**
 * Finding the people a task may be handed to: what a reviewer may read of colleagues, which is their name, job, department and mail address alone.
 */
import { invalidField } from '../../../errors.ts';
import type { Context } from '../../../context.ts';
import { listByText } from '../../../foundation/search/index.ts';
import { listBarred } from '../policy-engine/index.ts';
import { getTask, throwRefusal, refuseAction, readApprovalAt } from '../task/index.ts';
import { type ListedReassignee, listReassignees, type ReassigneeRow } from './store-reassignees.ts';

const maxQueryLength = 200;

/** A page of people whom the task may go to now, by name. Refused to those who may not reassign it, as reassigning is. */
export async function searchReassignees(
  context: Context,
  { taskId, query }: { readonly taskId: string; readonly query: string },
  page: { readonly size: number; readonly after: readonly string[] | undefined },
): Promise<{ people: ReassigneeRow[]; nextKey: readonly string[] | undefined }> {
  const task = await getTask(context, taskId);
  throwRefusal(refuseAction('REASSIGN', context.actor, task, context.now));
  if (query.length > maxQueryLength) {
    throw invalidField('query', `must have at most ${maxQueryLength} characters`);
  }
  const allowed = readApprovalAt(task.policyDocument, task.step).allowedReassignees;
  const [barred] = await listBarred(context, [{ task, step: task.step }], allowed);
  const wanted = {
    query: query.trim(),
    among: allowed.length === 0 ? undefined : allowed.map((id) => barred?.byNow(id) ?? id),
    besides: barred === undefined ? [] : [...barred.ownIds, ...barred.former],
  };
  const limit = page.size + 1;
  const search = { kind: 'USER', query: wanted.query, after: undefined, limit, isNarrow: wanted.among !== undefined } as const;
  const rows = await listByText(context, search, (range) => listReassignees(context, { ...wanted, ...range }, page.after, limit));
  const people = rows.slice(0, page.size);
  const last = rows.length > page.size ? people.at(-1) : undefined;
  return { people: people.map(withoutKey), nextKey: last === undefined ? undefined : [last.listKey, last.userId] };
}

const withoutKey = ({ listKey: _key, ...person }: ListedReassignee): ReassigneeRow => person;

const shortestQuery = 2;
const maxDelegates = 10;

/**
 * People whom the caller may let decide in their place, by name: those in whose name or mail address words begin so. Two letters at least and ten people
 * at most, without further pages, so that nobody reads the whole directory at once.
 */
export async function searchDelegates(context: Context, query: string, size: number): Promise<ReassigneeRow[]> {
  const words = query.trim();
  if (words.length < shortestQuery || words.length > maxQueryLength || !/[\p{L}\p{N}]/u.test(words)) {
    throw invalidField('query', `must have ${shortestQuery} to ${maxQueryLength} characters, letters or digits among them`);
  }
  const wanted = { query: words, atBeginning: true, among: undefined, besides: [context.actor.userId] };
  return (await listReassignees(context, wanted, undefined, Math.min(size, maxDelegates))).map(withoutKey);
}
