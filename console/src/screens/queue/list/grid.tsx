/** The list as a grid for the keyboard and for screen readers: only the rows in sight are drawn, and the current one always. */
// biome-ignore-all lint/a11y/useSemanticElements: rows that are drawn only in sight stand where they are put, which a table's do not
// biome-ignore-all lint/a11y/useFocusableInteractive: the grid is one stop of the keyboard; its current row has the focus, not its cells
import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useLayoutEffect, useRef } from 'react';
import { Empty } from '~/parts/states/empty.tsx';
import { Failed } from '~/parts/states/failed.tsx';
import { Skeleton } from '~/parts/states/skeleton.tsx';
import { text } from '~/text/text.ts';
import gap from './gap.module.css';
import styles from './grid.module.css';
import { HeadRow } from './head-row.tsx';
import { useColumns } from '~/screens/queue/use-presentation.ts';
import { useQueue, useQueueState } from '~/screens/queue/use-queue.ts';
import { Row } from './row.tsx';
import { useRem } from './use-rem.ts';

export function Grid({ onOpen }: { readonly onOpen: () => void }) {
  const { store, retryRows } = useQueue();
  const scroller = useRef<HTMLDivElement>(null);
  const { rem, isNarrow } = useRem();
  const { items, places } = useQueueState(({ lines }) => lines);
  const current = useQueueState((state) => state.current);
  const view = useQueueState((state) => state.view);
  const isReady = useQueueState((state) => state.isReady);
  const rows = useQueueState((state) => state.rows);
  const columns = useColumns();
  const place = places.get(current) ?? 0;
  const heights = {
    row: (isNarrow ? 6.25 : 3.25) * rem,
    gap: (isNarrow ? 6.25 : 3.25) * rem,
    head: (view.by === 'person' ? 3.5 : 2.125) * rem,
  };
  const virtual = useVirtualizer({
    count: items.length,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => heights[items[index]?.kind ?? 'row'],
    getItemKey: (index) => items[index]?.key ?? index,
    overscan: 8,
    useFlushSync: false,
    rangeExtractor: (range) => {
      const shown = defaultRangeExtractor(range);
      return places.has(current) && (place < (shown[0] ?? 0) || place > (shown.at(-1) ?? 0))
        ? [...shown, place].sort((left, right) => left - right)
        : shown;
    },
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: other lines, other heights
  useLayoutEffect(() => virtual.measure(), [items, rem, isNarrow]);
  const isThere = places.has(current);
  // Rows that come behind the current one move nothing: whoever looks elsewhere in the list stays there.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the lines around the current row are looked at when it moves, and not when they come
  useLayoutEffect(() => {
    if (!isThere) {
      return;
    }
    // The head of its section stays in sight above the first row.
    virtual.scrollToIndex(items[place - 1]?.kind === 'head' ? place - 1 : place, { align: 'auto' });
    if (items[place - 1]?.kind === 'head') {
      virtual.scrollToIndex(place, { align: 'auto' });
    }
    const active = document.activeElement;
    if (active instanceof HTMLElement && active.getAttribute('role') === 'row' && scroller.current?.contains(active)) {
      scroller.current.querySelector<HTMLElement>('[role=row][tabindex="0"]')?.focus({ preventScroll: true });
    }
  }, [current, place, isThere, view, virtual]);
  // Once, when the first rows are there: who came for the queue can press a key at once.
  const isWaiting = useRef(true);
  useLayoutEffect(() => {
    const row = isWaiting.current ? scroller.current?.querySelector<HTMLElement>('[role=row][tabindex="0"]') : undefined;
    if (row) {
      isWaiting.current = false;
      if (document.activeElement === document.body || document.activeElement === null) {
        row.focus({ preventScroll: true });
      }
    }
  });
  const lines = virtual.getVirtualItems();
  const last = lines.at(-1)?.index ?? 0;
  const until = Math.max(last, place);
  const { reading } = rows;
  // biome-ignore lint/correctness/useExhaustiveDependencies: a reading begins with wanting nothing
  useEffect(() => store.dispatch({ kind: 'wantRows', until }), [store, until, reading]);
  if (!isReady) {
    return <Skeleton rows={12} />;
  }
  if (items.length === 0) {
    return <Nothing />;
  }
  return (
    <div className={styles.table}>
      <div className={styles.columns} aria-hidden="true">
        <span>{text(view.by === 'person' ? 'queue.byApp' : 'queue.byPerson')}</span>
        <span>{text('queue.columnWhat')}</span>
        <span>{text('queue.whatStandsOut')}</span>
        <span>{text('queue.factUsed')}</span>
      </div>
      <div
        ref={scroller}
        className={styles.scroller}
        role="grid"
        aria-label={text('queue.list')}
        aria-rowcount={items.length}
        aria-multiselectable="true"
        aria-busy={rows.phase === 'more' || undefined}
      >
        <div className={styles.all} style={{ height: virtual.getTotalSize() }} role="rowgroup">
          {lines.map(({ index, key, start, size }) => {
            const item = items[index];
            const style = { transform: `translateY(${start}px)`, height: size };
            if (item === undefined || item.kind === 'gap') {
              return (
                <div key={key} role="row" aria-rowindex={index + 1} className={styles.gap} style={style}>
                  <span role="gridcell" className={gap.bars}>
                    {text('queue.loadingRow')}
                  </span>
                </div>
              );
            }
            if (item.kind === 'head') {
              return <HeadRow key={key} item={item} index={index} style={style} />;
            }
            const row = rows.byId.get(item.key);
            return row === undefined ? null : (
              <Row key={key} row={row} columns={columns} index={index} top={start} height={size} onOpen={onOpen} />
            );
          })}
        </div>
      </div>
      {rows.phase === 'failed' ? <Failed error={rows.error} retry={retryRows} /> : null}
    </div>
  );
}

function Nothing() {
  const view = useQueueState((state) => state.view);
  const total = useQueueState(({ rows }) => rows.counts.total);
  const isFiltered = view.q !== '' || view.group !== '';
  if (total === 0) {
    return <Empty icon="inbox" title={text('queue.emptyNone')} />;
  }
  return (
    <Empty icon="check" title={text(isFiltered ? 'queue.emptyFilter' : view.show === 'todo' ? 'queue.emptyTodo' : 'queue.emptyShow')}>
      {text(view.show === 'todo' && !isFiltered ? 'queue.emptyTodoNext' : 'queue.emptyNext')}
    </Empty>
  );
}
