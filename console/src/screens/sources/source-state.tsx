/** State of a source in words, and what comes first in a list. */
import type { Source } from '~/data/inventory/inventory.ts';
import { Chip } from '~/parts/words/chip.tsx';
import { text } from '~/text/text.ts';
import styles from './sources.module.css';

const isHeld = ({ heldFetchId = '' }: Source): boolean => heldFetchId !== '';
const isFailing = ({ fetchState }: Source): boolean => fetchState === 'FETCH_STATE_FAILED';
const isStale = ({ staleSince }: Source): boolean => staleSince !== undefined;

/** True if a source fetches by itself. */
export function isFetching({ kind }: Source): boolean {
  return kind !== 'SOURCE_KIND_FILE' && kind !== 'SOURCE_KIND_SCIM';
}

/** Those that somebody has to look at first, else as they were. */
export function urgentFirst(sources: readonly Source[]): Source[] {
  const urgency = (source: Source): number => (isHeld(source) || isFailing(source) ? 2 : isStale(source) ? 1 : 0);
  return sources.toSorted((a, b) => urgency(b) - urgency(a));
}

export function SourceState({ source }: { source: Source }) {
  const isBusy = ['FETCH_STATE_RUNNING', 'FETCH_STATE_READING'].includes(source.fetchState ?? '');
  return (
    <span className={styles.kind}>
      {isHeld(source) ? <Chip kind="no">{text('fetch.held')}</Chip> : null}
      {isFailing(source) ? <Chip kind="no">{text('fetch.failing')}</Chip> : null}
      {isStale(source) ? <Chip kind="warn">{text('fetch.stale')}</Chip> : null}
      {(source.disputed ?? 0) === 0 ? null : <Chip kind="warn">{text('source.disputed', { count: source.disputed ?? 0 })}</Chip>}
      {isBusy ? <Chip kind="info">{text('fetch.running')}</Chip> : null}
    </span>
  );
}
