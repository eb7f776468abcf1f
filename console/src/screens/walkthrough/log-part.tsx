/** Events of the log that an item rests on, with their positions, and the proofs that they are in it as one file. */
import { useState } from 'react';
import { sayEvent } from '~/app/events/event-words.ts';
import { LogFindings } from '~/app/reviews/log-findings.tsx';
import { errorMessage } from '~/data/act.ts';
import { count } from '~/data/count.ts';
import { useEventNames } from '~/data/log/event-names.ts';
import { call, type ReplyOf } from '~/data/query.ts';
import { saveFile } from '~/data/save-file.ts';
import { Button } from '~/parts/controls/button.tsx';
import { Note } from '~/parts/states/note.tsx';
import { toast } from '~/parts/over/toast.tsx';
import { exactTime, number } from '~/text/format.ts';
import { text } from '~/text/text.ts';
import styles from './walkthrough.module.css';

type Item = ReplyOf<'WalkthroughService.Get'>;
type WalkedEvent = NonNullable<Item['events']>[number];

/** An event as sentences take it: nothing is known here of what was recorded. */
function eventOf({ eventUid = '', position, kind = '', at = '', actorUserId = '' }: WalkedEvent) {
  return {
    id: eventUid,
    at,
    kind,
    position: count(position),
    actorKind: actorUserId === '' ? 'system' : 'user',
    actorId: actorUserId,
    actorName: '',
    actorEmail: '',
    actorEmployeeId: '',
    sourceIp: '',
    requestId: '',
    targetType: '',
    targetId: '',
    data: {},
  };
}

export function LogPart({ item }: { item: Item }) {
  const { events = [], logCheck, taskId = '', accessReviewId = '' } = item;
  const wrong = logCheck?.sentences ?? [];
  const names = useEventNames(events.map(eventOf));
  const [isBusy, setBusy] = useState(false);
  const fetchProofs = async (): Promise<void> => {
    setBusy(true);
    try {
      const proofs = await call('EventLogService.Prove', { eventUids: events.map(({ eventUid = '' }) => eventUid) });
      saveFile(`${taskId}-proofs.json`, new Blob([JSON.stringify(proofs, null, 2)], { type: 'application/json' }));
    } catch (error) {
      toast(errorMessage(error as Error));
    }
    setBusy(false);
  };
  return (
    <li>
      <h3>{text('walkthrough.log')}</h3>
      <p className={styles.quiet}>{text('walkthrough.logWhat')}</p>
      {wrong.length > 0 ? (
        <LogFindings reviewId={accessReviewId} sentences={wrong} />
      ) : (
        <Note kind="ok">{text('walkthrough.asLogged', { events: count(logCheck?.events), rows: count(logCheck?.rows) })}</Note>
      )}
      <ol className={styles.events}>
        {events.map((event) => (
          <li key={event.eventUid}>
            <span>{sayEvent(eventOf(event), names)}</span>
            <small>
              {text('walkthrough.position', { position: number(count(event.position)) })} · {exactTime(event.at ?? '')}
            </small>
            <code>{event.eventUid}</code>
          </li>
        ))}
      </ol>
      <div className={styles.actions}>
        <Button icon="download" busy={isBusy} onClick={() => void fetchProofs()}>
          {text('walkthrough.proofs')}
        </Button>
      </div>
    </li>
  );
}
