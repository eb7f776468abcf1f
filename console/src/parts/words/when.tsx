/** A moment: as long ago as it is up to seven days, then the date. The exact time and its zone come on hover and focus. */
import { useSyncExternalStore } from 'react';
import { exactTime, relative } from '~/text/format.ts';
import { text } from '~/text/text.ts';
import { Tooltip } from '~/parts/over/tooltip.tsx';
import styles from './when.module.css';

interface WhenProps {
  /** The moment as the API writes it; "Not known" where it is absent. */
  readonly at: string | Date | undefined | null;
  /** Up to so many days it is said relatively. */
  readonly most?: number | undefined;
  /** Words before it. */
  readonly prefix?: string | undefined;
}

export function When({ at, most = 7, prefix }: WhenProps) {
  useMinute();
  const moment = at === undefined || at === null || at === '' ? undefined : new Date(at);
  if (moment === undefined || Number.isNaN(moment.getTime())) {
    return <span>{text('parts.notKnown')}</span>;
  }
  return (
    <Tooltip text={exactTime(moment)}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the exact time is also for those who have no pointer */}
      <time dateTime={moment.toISOString()} tabIndex={0} className={styles.when}>
        {prefix === undefined ? '' : `${prefix} `}
        {relative(moment, most)}
      </time>
    </Tooltip>
  );
}

let minute = 0;
const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;

/** Renders again each minute; all moments of a page share one timer. */
function useMinute(): void {
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      timer ??= setInterval(() => {
        minute += 1;
        for (const one of listeners) {
          one();
        }
      }, 60_000);
      return () => {
        listeners.delete(listener);
        if (listeners.size === 0) {
          clearInterval(timer);
          timer = undefined;
        }
      };
    },
    () => minute,
  );
}
