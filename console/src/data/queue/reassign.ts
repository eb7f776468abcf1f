/** Passing tasks on: whom the policy allows, and doing it. */
import { actOnEach, type Outcome } from '~/data/act-on-each.ts';
import { call, forget } from '~/data/query.ts';

/** Somebody whom a task may go to. */
export interface Candidate {
  readonly id: string;
  readonly label: string;
  readonly hint: string;
}

/** People whom a task may go to, by parts of a name or mail address. */
export async function searchPeople(taskId: string, query: string, signal: AbortSignal): Promise<Candidate[]> {
  const { list } = await call('CertifyTaskService.SearchReassignees', { taskId, query, pageSize: 20 }, { signal });
  return (list ?? []).map(({ reassignee }) => ({
    id: reassignee?.userId ?? '',
    label: reassignee?.displayName || reassignee?.email || '',
    hint: [reassignee?.jobTitle, reassignee?.department, reassignee?.email].filter(Boolean).join(', '),
  }));
}

/** Passes tasks on, one after the other. */
export async function passOn(taskIds: readonly string[], userId: string, comment: string): Promise<Outcome<string>> {
  try {
    return await actOnEach(taskIds, (taskId) => call('TaskActionsService.Reassign', { taskId, newStepUserIds: [userId], comment }));
  } finally {
    void forget('MyReviewService.List');
  }
}

/** Adds a comment to tasks. */
export function addComment(taskIds: readonly string[], comment: string): Promise<Outcome<string>> {
  return actOnEach(taskIds, (taskId) => call('TaskActionsService.Comment', { taskId, comment }));
}
