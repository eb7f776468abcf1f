/** Changes a file would make, before it is imported: figures, what the guard would refuse, and every difference by name. */
import { useEffect, useState } from 'react';
import { announce } from '~/app/announce.ts';
import { count, type Sync } from '~/data/inventory/inventory.ts';
import { useFurtherPages } from '~/data/pages.ts';
import { ClientError } from '~/data/query.ts';
import { Failed } from '~/parts/states/failed.tsx';
import { Note } from '~/parts/states/note.tsx';
import { Pages } from '~/parts/tables/pages.tsx';
import { Progress } from '~/parts/drawings/progress.tsx';
import { SearchField } from '~/parts/fields/search-field.tsx';
import { Segments } from '~/parts/controls/segments.tsx';
import { Skeleton } from '~/parts/states/skeleton.tsx';
import { text } from '~/text/text.ts';
import { ChangeList } from './change-list.tsx';
import styles from './changes.module.css';
import { Figures } from './figures.tsx';
import { type ChangeKind, filterChanges, firstKind } from './group-changes.ts';
import { Guarded } from './guarded.tsx';
import { Wrong } from './wrong.tsx';
import type { ImportState } from '~/screens/imports/use-import.ts';

export function Changes({ state }: { state: ImportState }) {
  const { query, sent, isCurrent } = state.changes;
  const first = query.data?.pages[0];
  if (query.error !== null && first === undefined) {
    // What the server says of the rows is corrected in the file or in the columns; anything else is tried again.
    return query.error instanceof ClientError && query.error.violations.length > 0 ? (
      <Wrong error={query.error} />
    ) : (
      <Failed error={query.error} retry={() => void query.refetch()} />
    );
  }
  if (first?.import === undefined) {
    return (
      <>
        {sent > 0 && sent < 1 ? <Progress value={Math.round(sent * 100)} max={100} label={text('imports.sending')} /> : null}
        <Skeleton rows={6} />
        <p className={styles.quiet}>{text('imports.working')}</p>
      </>
    );
  }
  return (
    <div className={styles.changes} aria-busy={!isCurrent}>
      <Figures sync={first.import} />
      {state.tooMuch === undefined ? null : <Guarded state={state} tooMuch={state.tooMuch} />}
      <Listed state={state} sync={first.import} />
    </div>
  );
}

function Listed({ state: { target, changes }, sync }: { state: ImportState; sync: Sync }) {
  const { query, isCurrent } = changes;
  const [chosen, setKind] = useState<ChangeKind | undefined>();
  const [filter, setFilter] = useState('');
  const counts = {
    SYNC_CHANGE_ADDED: count(sync.added),
    SYNC_CHANGE_REMOVED: count(sync.removed),
    SYNC_CHANGE_CHANGED: count(sync.changed),
  };
  const kind = chosen ?? firstKind(sync);
  const all = query.data?.pages.flatMap(({ dryRun }) => dryRun?.differences ?? []) ?? [];
  const rows = filterChanges(all, kind, filter);
  const total = counts.SYNC_CHANGE_ADDED + counts.SYNC_CHANGE_REMOVED + counts.SYNC_CHANGE_CHANGED;
  // Differences come by name, of all kinds together. Each page is a dry run of its own, so few are asked for without being asked.
  useFurtherPages(query, isCurrent && rows.length === 0 && filter === '' && counts[kind] > 0, 5);
  const said = text(target.kind === 'people' ? 'imports.comparedPeople' : 'imports.compared', {
    added: counts.SYNC_CHANGE_ADDED,
    removed: counts.SYNC_CHANGE_REMOVED,
    changed: counts.SYNC_CHANGE_CHANGED,
  });
  useEffect(() => {
    if (isCurrent) {
      announce(said);
    }
  }, [isCurrent, said]);
  if (total === 0 && all.length === 0) {
    return <Note kind="info">{text('imports.nothing')}</Note>;
  }
  const isPeople = target.kind === 'people';
  return (
    <>
      <div className={styles.bar}>
        <Segments
          label={text('diff.kind')}
          value={kind}
          onChange={setKind}
          options={[
            { value: 'SYNC_CHANGE_ADDED', label: text(isPeople ? 'imports.kindNew' : 'diff.added') },
            { value: 'SYNC_CHANGE_REMOVED', label: text(isPeople ? 'imports.kindDisabled' : 'diff.removed') },
            { value: 'SYNC_CHANGE_CHANGED', label: text('diff.changed') },
          ]}
        />
        <SearchField label={text('imports.filter')} placeholder={text('parts.filter')} value={filter} onChange={setFilter} />
      </div>
      {rows.length > 0 ? (
        <ChangeList
          key={`${kind} ${filter === ''}`}
          rows={rows}
          kind={kind}
          isPeople={isPeople}
          isFiltered={filter !== ''}
          app={target.app?.label ?? ''}
        />
      ) : query.isFetchingNextPage ? (
        <Skeleton rows={3} />
      ) : (
        <p className={styles.quiet}>{text(filter === '' ? 'diff.none' : 'imports.nothingFits')}</p>
      )}
      {query.hasNextPage ? <p className={styles.quiet}>{text('imports.listed', { shown: all.length, total })}</p> : null}
      <Pages query={query} />
    </>
  );
}
