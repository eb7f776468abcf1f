/**
 * The contract's system log service.
 */
import { timestampDate } from '@bufbuild/protobuf/wkt';
import { SortDirection, SystemLogService } from '../../gen/c1/api/systemlog/v1/system_log_service_pb.js';
import { pageByKey } from '../../wire/page.ts';
import { implement } from '../../wire/service.ts';
import { isOfSubject, listEvents } from './list-events.ts';
import { auditSlot } from './slots.ts';
import { shapeEvent } from './view.ts';

const systemLog = implement(SystemLogService, {
  listEvents: async (context, request, call) => {
    const query = {
      since: request.since === undefined ? undefined : timestampDate(request.since),
      until: request.until === undefined ? undefined : timestampDate(request.until),
      sinceEventUid: request.sinceEventUid,
      untilEventUid: request.untilEventUid,
      descending: request.sortDirection === SortDirection.DESC,
      actorId: request.actorId,
      reviewId: request.accessReviewId,
      kinds: request.eventKinds,
      targetId: request.targetId,
    };
    let origin = '';
    const { rows, nextPageToken } = await pageByKey(
      call,
      async (after, limit) => {
        const page = await listEvents(context, query, after?.[0], limit);
        origin = page.origin;
        return page.events;
      },
      (row) => [isOfSubject(query) ? row.id : String(row.position)],
    );
    const actors = await auditSlot.get().listWordsAt(
      context,
      rows.map(({ actorId, occurredAt }) => ({ id: actorId, at: occurredAt })),
    );
    return { list: rows.map((row, index) => shapeEvent(row, origin, actors[index])), nextPageToken };
  },
});

/** Services of the audit module. */
export const services = [systemLog];
