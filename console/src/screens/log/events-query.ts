/** The events that the search of the log asks for. */
import { readPages, type RequestOf } from '~/data/query.ts';
import type { LogSearch } from './route.tsx';

/** The beginning of a day where the browser is, or of the day after. */
function startOf(day: string, later = 0): string {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  return new Date(year, month - 1, date + later).toISOString();
}

/** The request, without its pages: a file of the same events asks by it, too. */
export function eventsRequest({ since, until, actor, of, object }: LogSearch): RequestOf<'SystemLogService.ListEvents'> {
  return {
    sortDirection: 'SORT_DIRECTION_DESC',
    ...(since === undefined ? {} : { since: startOf(since) }),
    ...(until === undefined ? {} : { until: startOf(until, 1) }),
    ...(actor === undefined ? {} : { actorId: actor }),
    ...(of === undefined ? {} : { eventKinds: [`${of}.`] }),
    ...(object === undefined ? {} : { targetId: object }),
  };
}

/** The events in pages. */
export const eventsQuery = (search: LogSearch) => readPages('SystemLogService.ListEvents', { ...eventsRequest(search), pageSize: 100 });
