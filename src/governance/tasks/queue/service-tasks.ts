/** The contract's methods that read tasks: each calls one rule and shapes the reply. */
import { TaskService } from '../../../gen/c1/api/task/v1/task_service_pb.js';
import { type BoundService, implementPart } from '../../../wire/service.ts';
import { resolveTaskId } from '../task/index.ts';
import { viewOne, viewTasks } from '../views/index.ts';
import { listAudits } from './audits.ts';
import { searchTasks } from './search.ts';

/** Reading, searching and the history of tasks. */
export const taskService: BoundService = implementPart(TaskService, {
  async get(context, request, call) {
    return viewOne(context, call, await resolveTaskId(context, request.id), undefined);
  },
  async search(context, request, call) {
    const { tasks, nextKey } = await searchTasks(context, request, call.page);
    const { views, expanded } = await viewTasks(context, call, tasks, request.expandMask?.paths);
    return { list: views, expanded, nextPageToken: call.nextPageToken(nextKey) };
  },
  async list(context, request, call) {
    const { commentsOnly, newestFirst } = request;
    const taskId = await resolveTaskId(context, request.taskId);
    const { audits, nextKey } = await listAudits(
      context,
      { taskId, commentsOnly, newestFirst, refs: request.refs.map((ref) => ref.id) },
      call.page,
    );
    return { list: audits, nextPageToken: call.nextPageToken(nextKey) };
  },
});
