/**
 * The contract's system log service.
 */
import { timestampDate } from '@bufbuild/protobuf/wkt';
import {
  SortDirection,
  SystemLogService,
  SystemLogServiceListEventsResponseSchema,
} from '../../gen/c1/api/systemlog/v1/system_log_service_pb.js';
import { shape } from '../../wire/reply.ts';
import { implement } from '../../wire/service.ts';
import { listEvents } from './list-events.ts';
import { shapeEvent } from './view.ts';

const systemLog = implement(SystemLogService, {
  listEvents: async (scope, request, call) => {
    const query = {
      since: request.since === undefined ? undefined : timestampDate(request.since),
      until: request.until === undefined ? undefined : timestampDate(request.until),
      sinceEventUid: request.sinceEventUid,
      untilEventUid: request.untilEventUid,
      descending: request.sortDirection === SortDirection.DESC,
    };
    const rows = await listEvents(scope, query, call.page.after?.[0], call.page.size + 1);
    const page = rows.slice(0, call.page.size);
    const last = page.at(-1);
    return shape(SystemLogServiceListEventsResponseSchema, {
      // A Struct is any JSON object.
      list: page.map((row) => shapeEvent(row) as never),
      nextPageToken: call.nextPageToken(rows.length > page.length && last ? [last.id] : undefined),
    });
  },
});

/** What the audit room serves. */
export const services = [systemLog];
