/** Passing tasks on: whom the policy allows, and doing it. */
import { call, ClientError, forget } from '~/data/query.ts';

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

/** Passes tasks on, one after the other; those before a refusal are passed. */
export async function passOn(
  taskIds: readonly string[],
  userId: string,
  comment: string,
): Promise<{ passed: string[]; refused: string | undefined }> {
  const passed: string[] = [];
  try {
    for (const taskId of taskIds) {
      await call('TaskActionsService.Reassign', { taskId, newStepUserIds: [userId], comment });
      passed.push(taskId);
    }
    return { passed, refused: undefined };
  } catch (error) {
    return { passed, refused: error instanceof ClientError ? (error.violations[0]?.description ?? error.message) : String(error) };
  } finally {
    void forget('MyReviewService.List');
  }
}

/** Adds a comment to tasks; undefined, or why not. */
export async function addComment(taskIds: readonly string[], comment: string): Promise<string | undefined> {
  try {
    for (const taskId of taskIds) {
      await call('TaskActionsService.Comment', { taskId, comment });
    }
    return undefined;
  } catch (error) {
    return error instanceof ClientError ? (error.violations[0]?.description ?? error.message) : String(error);
  }
}
