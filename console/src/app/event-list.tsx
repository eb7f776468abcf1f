/** Events of the system log as a table: when, who, what, and the facts of each behind a press. */
import { useNames } from '../data/names.ts';
import type { LogEvent } from '../data/events.ts';
import { exactTime } from '../text/format.ts';
import { text } from '../text/text.ts';
import { When } from '../parts/when.tsx';
import styles from './event-list.module.css';

export function EventList({ events }: { events: readonly LogEvent[] }) {
  const names = useNames(events.map(({ actorKind, actorId }) => (actorKind === 'user' ? actorId : undefined)));
  return (
    <ol className={styles.list}>
      {events.map((event) => (
        <li key={event.id}>
          <details>
            <summary>
              <span className={styles.when}>
                <When at={event.at} />
              </span>
              <code>{event.kind}</code>
              <span className={styles.who}>{event.actorKind === 'user' ? (names.get(event.actorId) ?? '') : text('events.system')}</span>
              <span className={styles.position}>{event.position}</span>
            </summary>
            <dl>
              <div>
                <dt>{text('events.time')}</dt>
                <dd>{exactTime(event.at)}</dd>
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
