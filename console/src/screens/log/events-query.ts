/** The events that the search of the log asks for. */
import { readPages, type RequestOf } from '~/data/query.ts';
import { dayStart } from '~/text/local-time.ts';
import { addDays } from '~/text/whole-date.ts';
import type { LogSearch } from './route.tsx';

/** The request, without its pages: a file of the same events asks by it, too. */
export function eventsRequest({ since, until, actor, of, object }: LogSearch): RequestOf<'SystemLogService.ListEvents'> {
  return {
    sortDirection: 'SORT_DIRECTION_DESC',
    ...(since === undefined ? {} : { since: dayStart(since) }),
    ...(until === undefined ? {} : { until: dayStart(addDays(until, 1)) }),
    ...(actor === undefined ? {} : { actorId: actor }),
    ...(of === undefined ? {} : { eventKinds: [`${of}.`] }),
    ...(object === undefined ? {} : { targetId: object }),
  };
}

/** The events in pages. */
export const eventsQuery = (search: LogSearch) => readPages('SystemLogService.ListEvents', { ...eventsRequest(search), pageSize: 100 });
