/** Events of the system log as sentences, each with its time, its position, and the facts of it behind a press. */
import { useEventNames } from '~/data/log/event-names.ts';
import type { LogEvent } from '~/data/log/events.ts';
import { exactTime } from '~/text/format.ts';
import { text } from '~/text/text.ts';
import { Name } from '~/parts/words/name.tsx';
import { When } from '~/parts/words/when.tsx';
import { sayEvent } from './event-words.ts';
import { ProofButton } from './proof-button.tsx';
import styles from './event-list.module.css';

export function EventList({ events }: { events: readonly LogEvent[] }) {
  const names = useEventNames(events);
  return (
    <ol className={styles.list}>
      {events.map((event) => (
        <li key={event.id}>
          <details>
            <summary>
              <span className={styles.when}>
                <When at={event.at} />
              </span>
              <Name>{sayEvent(event, names)}</Name>
              <code className={styles.who}>{event.kind}</code>
              <span className={styles.position}>{event.position}</span>
            </summary>
            <dl>
              <div>
                <dt>{text('events.time')}</dt>
                <dd>{exactTime(event.at)}</dd>
              </div>
              <div>
                <dt>{text('events.position')}</dt>
                <dd>
                  {text('events.sealed', { position: event.position })} <ProofButton eventId={event.id} />
                </dd>
              </div>
              <div>
                <dt>{text('events.target')}</dt>
                <dd>
                  {event.targetType} <code>{event.targetId}</code>
                </dd>
              </div>
              {event.sourceIp === '' ? null : (
                <div>
                  <dt>{text('events.address')}</dt>
                  <dd>{event.sourceIp}</dd>
                </div>
              )}
              <div>
                <dt>{text('events.request')}</dt>
                <dd>
                  <code>{event.requestId}</code>
                </dd>
              </div>
              <div>
                <dt>{text('events.data')}</dt>
                <dd>
                  <pre>{showJson(event.data)}</pre>
                </dd>
              </div>
            </dl>
          </details>
        </li>
      ))}
    </ol>
  );
}

/** The facts as JSON, whose marks of direction are spelled out: what was recorded is read, and turns nothing around. */
function showJson(data: unknown): string {
  const spell = (mark: string): string => `\\u${mark.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return JSON.stringify(data, null, 2).replace(/[\u061C\u200B-\u200F\u202A-\u202E\u2066-\u2069\uFEFF]/g, spell);
}
