/** The list as a grid for the keyboard and for screen readers: only the rows in sight are drawn, and the current one always. */
// biome-ignore-all lint/a11y/useSemanticElements: rows that are drawn only in sight stand where they are put, which a table's do not
// biome-ignore-all lint/a11y/useFocusableInteractive: the grid is one stop of the keyboard; its current row has the focus, not its cells
import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useLayoutEffect, useRef } from 'react';
import { Empty } from '../../parts/empty.tsx';
import { Failed } from '../../parts/failed.tsx';
import { Skeleton } from '../../parts/skeleton.tsx';
import { text } from '../../text/text.ts';
import type { QueueActions } from './actions.ts';
import styles from './grid.module.css';
import { HeadRow } from './head-row.tsx';
import type { QueueModel } from './model.ts';
import { Row } from './row.tsx';
import { useRem } from './use-rem.ts';

interface GridProps {
  readonly model: QueueModel;
  readonly actions: QueueActions;
  readonly onOpen: () => void;
}

export function Grid({ model, actions, onOpen }: GridProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const { rem, isNarrow } = useRem();
  const { items, places, current, view } = model;
  const place = places.get(current) ?? 0;
  const heights = {
    row: (isNarrow ? 5.75 : 3.25) * rem,
    gap: (isNarrow ? 5.75 : 3.25) * rem,
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
  useEffect(() => {
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
  const { version } = model.rows;
  // biome-ignore lint/correctness/useExhaustiveDependencies: rows that came may be too few for what is in sight
  useEffect(() => model.rows.want(Math.max(last, place)), [model, last, place, version]);
  if (!model.isReady) {
    return <Skeleton rows={12} />;
  }
  if (items.length === 0) {
    return <Nothing model={model} />;
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
        aria-busy={model.rows.state === 'more' || undefined}
      >
        <div className={styles.all} style={{ height: virtual.getTotalSize() }} role="rowgroup">
          {lines.map(({ index, key, start, size }) => {
            const item = items[index];
            const style = { transform: `translateY(${start}px)`, height: size };
            if (item === undefined || item.kind === 'gap') {
              return (
                <div key={key} role="row" aria-rowindex={index + 1} className={styles.gap} style={style}>
                  <span role="gridcell">{text('queue.loadingRow')}</span>
                </div>
              );
            }
            if (item.kind === 'head') {
              return <HeadRow key={key} item={item} index={index} style={style} model={model} actions={actions} />;
            }
            const row = model.row(item.key);
            return row === undefined ? null : (
              <Row
                key={key}
                row={row}
                draft={model.box.drafts.get(item.key)}
                standing={model.standing(row)}
                passedTo={model.passed.get(item.key)}
                isSaved={!(model.box.saving.state === 'device' || model.box.saving.state === 'fault')}
                by={view.by}
                withApp={(view.by === 'app' && view.group === '') || view.by === 'list'}
                index={index}
                place={model.ranks.get(item.key) ?? 0}
                all={model.count}
                top={start}
                height={size}
                isCurrent={item.key === current}
                isSelected={model.selected.has(item.key)}
                isSelecting={model.selected.size > 0}
                actions={actions}
                onOpen={onOpen}
              />
            );
          })}
        </div>
      </div>
      {model.rows.state === 'failed' ? <Failed error={model.rows.error} retry={() => void model.rows.read()} /> : null}
    </div>
  );
}

function Nothing({ model: { view, rows } }: { model: QueueModel }) {
  const isFiltered = view.q !== '' || view.group !== '';
  if (rows.counts.total === 0) {
    return <Empty icon="inbox" title={text('queue.emptyNone')} />;
  }
  return (
    <Empty icon="check" title={text(isFiltered ? 'queue.emptyFilter' : view.show === 'todo' ? 'queue.emptyTodo' : 'queue.emptyShow')}>
      {text(view.show === 'todo' && !isFiltered ? 'queue.emptyTodoNext' : 'queue.emptyNext')}
    </Empty>
  );
}
