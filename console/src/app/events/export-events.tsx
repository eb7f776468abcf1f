/** Events of the log as a file, as they are narrowed, read page by page: CSV with the sentence of each beside what was recorded, or JSON as the API lists them. */
import { exportCsv, exportJson } from '~/data/csv.ts';
import { readEvents } from '~/data/log/events.ts';
import { loadEventNames } from '~/data/log/event-names.ts';
import type { RequestOf } from '~/data/query.ts';
import { safeFileName } from '~/data/save-file.ts';
import { text } from '~/text/text.ts';
import { nameActor, nameObject, sayEvent } from './event-words.ts';
import { ExportButton } from '~/app/lists/export-button.tsx';

interface ExportEventsProps {
  /** Name of the file. */
  readonly name: string;
  readonly request: RequestOf<'SystemLogService.ListEvents'>;
}

export function ExportEvents({ name, request }: ExportEventsProps) {
  return (
    <>
      <ExportButton
        format="JSON"
        run={(onRows) =>
          exportJson(
            `${safeFileName(name)}.jsonl`,
            'SystemLogService.ListEvents',
            { ...request, pageSize: 100 },
            ({ list }) => list ?? [],
            onRows,
          )
        }
      />
      <ExportButton
        run={(onRows) =>
          exportCsv(
            `${safeFileName(name)}.csv`,
            'SystemLogService.ListEvents',
            { ...request, pageSize: 100 },
            async (reply) => {
              const events = readEvents(reply);
              const names = await loadEventNames(events);
              return events.map((event) => ({ event, names }));
            },
            [
              { head: text('events.position'), value: ({ event }) => event.position },
              { head: text('events.time'), value: ({ event }) => event.at },
              { head: text('events.who'), value: ({ event, names }) => nameActor(event, names) },
              { head: text('events.what'), value: ({ event, names }) => sayEvent(event, names) },
              { head: text('events.about'), value: ({ event, names }) => nameObject(event, names) },
              { head: text('events.objectKind'), value: ({ event }) => event.targetType },
              { head: text('events.objectId'), value: ({ event }) => event.targetId },
              { head: text('events.kind'), value: ({ event }) => event.kind },
              { head: text('events.address'), value: ({ event }) => event.sourceIp },
              { head: text('events.request'), value: ({ event }) => event.requestId },
              { head: text('events.data'), value: ({ event }) => JSON.stringify(event.data) },
              { head: text('events.whoId'), value: ({ event }) => event.actorId },
              { head: text('events.whoMail'), value: ({ event }) => event.actorEmail },
              { head: text('events.whoEmployeeId'), value: ({ event }) => event.actorEmployeeId },
            ],
            onRows,
          )
        }
      />
    </>
  );
}
