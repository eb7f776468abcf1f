/** One task in the list: who, what they can do, what stands out, last use; or what became of it. */
// biome-ignore-all lint/a11y/useSemanticElements: rows that are drawn only in sight stand where they are put, which a table's do not
// biome-ignore-all lint/a11y/useFocusableInteractive: the grid is one stop of the keyboard; its current row has the focus, not its cells
import { signalsOf } from '../../app/signals.ts';
import { memo } from 'react';
import { Dot } from '../../parts/dot.tsx';
import { Icon } from '../../parts/icon.tsx';
import { Mark } from '../../parts/mark.tsx';
import type { Draft } from '../../data/drafts.ts';
import type { QueueRow } from '../../data/queue-rows.ts';
import { date } from '../../text/format.ts';
import { text } from '../../text/text.ts';
import type { QueueActions } from './actions.ts';
import type { By } from './address.ts';
import styles from './grid.module.css';
import { holderOf, placeOf, rightOf, type Standing } from './standing.ts';
import { nameRow, usedOf, wordOf } from './words.ts';

interface RowProps {
  readonly row: QueueRow;
  readonly draft: Draft | undefined;
  readonly standing: Standing;
  readonly passedTo: string | undefined;
  readonly isSaved: boolean;
  readonly by: By;
  readonly withApp: boolean;
  readonly index: number;
  readonly place: number;
  readonly all: number;
  readonly top: number;
  readonly height: number;
  readonly isCurrent: boolean;
  readonly isSelected: boolean;
  readonly isSelecting: boolean;
  readonly actions: QueueActions;
  readonly onOpen: () => void;
}

function isSame(left: RowProps, right: RowProps): boolean {
  return (Object.keys(left) as (keyof RowProps)[]).every((key) =>
    key === 'standing'
      ? left.standing.kind === right.standing.kind && left.standing.mark === right.standing.mark
      : key === 'onOpen' || left[key] === right[key],
  );
}

export const Row = memo(function Row(props: RowProps) {
  const { row, standing, by, index, top, height, isCurrent, isSelected, isSelecting, actions, onOpen } = props;
  const { model } = actions;
  const id = row.taskId;
  const second = [props.withApp ? row.appDisplayName : '', placeOf(row)].filter(Boolean).join(' · ');
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the keys of the grid are heard around it
    <div
      role="row"
      aria-rowindex={index + 1}
      aria-label={nameRow(row, standing.mark, props.place, props.all)}
      aria-selected={isSelected}
      tabIndex={isCurrent ? 0 : -1}
      className={styles.row}
      style={{ transform: `translateY(${top}px)`, height }}
      data-id={id}
      data-current={isCurrent || undefined}
      data-selected={isSelected || undefined}
      data-decided={standing.isDecided || undefined}
      onClick={(event) => {
        if (event.shiftKey) {
          model.selectTo(id);
        } else if (event.ctrlKey || event.metaKey || isSelecting) {
          model.toggle(id);
        } else {
          model.go(id);
          onOpen();
        }
      }}
      onFocus={() => model.go(id)}
    >
      <span role="gridcell" className={styles.mark}>
        {isSelecting && !standing.isDecided ? (
          <span className={styles.box} data-checked={isSelected || undefined} aria-hidden="true">
            {isSelected ? <Icon name="check" size={12} /> : null}
          </span>
        ) : (
          <button
            type="button"
            tabIndex={-1}
            className={styles.markButton}
            aria-label={text('queue.selectRow', { who: holderOf(row) })}
            onClick={(event) => {
              event.stopPropagation();
              if (event.shiftKey) {
                model.selectTo(id);
              } else {
                model.toggle(id);
              }
            }}
          >
            <Mark state={standing.mark} label={wordOf(standing.mark)} />
          </button>
        )}
      </span>
      <span role="gridcell" className={styles.who}>
        <span>{by === 'person' ? row.appDisplayName : holderOf(row)}</span>
        <small>
          {by === 'person' ? row.account : row.identityUserId ? row.jobTitle || row.department || row.account : text('queue.unowned')}
        </small>
      </span>
      <span role="gridcell" className={styles.what}>
        <span>{rightOf(row)}</span>
        <small>{second}</small>
      </span>
      <Outcome {...props} />
    </div>
  );
}, isSame);

/** What stands out and the last use; of what was decided, how. */
function Outcome({ row, draft, standing, passedTo, isSaved, actions }: RowProps) {
  const { kind } = standing;
  const said =
    kind === 'conflict' || kind === 'others'
      ? text('queue.othersFirst', { name: row.decidedBy || text('queue.somebody') })
      : kind === 'gone'
        ? text('queue.goneNow')
        : kind === 'reassigned'
          ? text('queue.passedTo', { name: passedTo ?? '' })
          : '';
  if (said !== '') {
    return (
      <span role="gridcell" className={styles.said} data-kind={kind}>
        {said}
      </span>
    );
  }
  if (kind === 'draft' && draft !== undefined) {
    const isHere = !isSaved && draft.savedAt !== draft.at;
    const parts = [
      draft.until === '' ? (isHere ? wordOf(standing.mark) : '') : text('queue.untilDate', { date: date(draft.until) }),
      draft.comment === '' ? '' : text('queue.quoted', { words: draft.comment }),
      isHere ? text('queue.onDevice') : '',
    ];
    return (
      <span role="gridcell" className={styles.said}>
        <span>{parts.filter(Boolean).join(', ') || usedOf(row)}</span>
        <button
          type="button"
          tabIndex={-1}
          className={styles.link}
          onClick={(event) => {
            event.stopPropagation();
            actions.undoThis(row.taskId);
          }}
        >
          {text('queue.undo')}
        </button>
      </span>
    );
  }
  const signals = signalsOf(row);
  return (
    <>
      <span role="gridcell" className={styles.signals}>
        {signals.slice(0, 2).map(({ term, kind: signal, label }) => (
          <Dot key={term} kind={signal}>
            {label}
          </Dot>
        ))}
        {signals.length > 2 ? <small>{text('queue.moreSignals', { count: signals.length - 2 })}</small> : null}
      </span>
      <span role="gridcell" className={styles.used} data-old={(row.terms ?? []).includes('DORMANT') || undefined}>
        {usedOf(row)}
      </span>
    </>
  );
}
