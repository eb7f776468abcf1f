/** One task in the list: who, what they can do, what stands out, last use; or what became of it. */
// biome-ignore-all lint/a11y/useSemanticElements: rows that are drawn only in sight stand where they are put, which a table's do not
// biome-ignore-all lint/a11y/useFocusableInteractive: the grid is one stop of the keyboard; its current row has the focus, not its cells
import { listSignals } from '~/app/reviews/signals.ts';
import { memo } from 'react';
import { CutName } from '~/parts/words/cut-name.tsx';
import { Dot } from '~/parts/words/dot.tsx';
import { Icon } from '~/parts/words/icon.tsx';
import { Mark } from '~/parts/words/mark.tsx';
import type { QueueRow } from '~/data/queue/queue-rows.ts';
import { isUnsaved } from '~/data/queue/known.ts';
import { draftMark, holderOf, placeOf, rightOf, type Standing, standingOf } from '~/data/queue/state/standing.ts';
import { date } from '~/text/format.ts';
import { nameBy } from '~/text/name-by.ts';
import { joinNames } from '~/text/join-names.ts';
import { text } from '~/text/text.ts';
import { useQueue, useQueueState } from '~/screens/queue/use-queue.ts';
import { chosenLine } from './columns.ts';
import styles from './grid.module.css';
import { nameRow, lastUsedWords, markWord } from './words.ts';

interface RowProps {
  readonly row: QueueRow;
  /** The columns that the review chose for its reviewers. */
  readonly columns: readonly string[];
  readonly index: number;
  readonly top: number;
  readonly height: number;
  readonly onOpen: () => void;
}

/** Keeps what a row opens the same whenever it is drawn. */
const isSame = (left: RowProps, right: RowProps): boolean =>
  (Object.keys(left) as (keyof RowProps)[]).every((key) => key === 'onOpen' || left[key] === right[key]);

export const Row = memo(function Row({ row, columns, index, top, height, onOpen }: RowProps) {
  const id = row.taskId;
  const {
    store: { dispatch },
  } = useQueue();
  const standing = useStanding(row);
  const by = useQueueState(({ view }) => view.by);
  const withApp = useQueueState(({ view }) => (view.by === 'app' && view.group === '') || view.by === 'list');
  const place = useQueueState(({ lines }) => lines.ranks.get(id) ?? 0);
  const all = useQueueState(({ lines }) => lines.count);
  const isCurrent = useQueueState(({ current }) => current === id);
  const isSelected = useQueueState(({ selected }) => selected.has(id));
  const isSelecting = useQueueState(({ selected }) => selected.size > 0);
  const who = by === 'person' ? (row.appDisplayName ?? '') : holderOf(row);
  const whoBeside =
    chosenLine(columns, row, 'who') ??
    (by === 'person' ? row.account : row.identityUserId ? row.jobTitle || row.department || row.account : text('queue.unowned'));
  const whatBeside = chosenLine(columns, row, 'what') ?? joinNames(withApp ? row.appDisplayName : '', placeOf(row));
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the keys of the grid are heard around it
    <div
      role="row"
      aria-rowindex={index + 1}
      aria-label={nameRow(row, standing.mark, place, all)}
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
          dispatch({ kind: 'selectTo', id });
        } else if (event.ctrlKey || event.metaKey || isSelecting) {
          dispatch({ kind: 'toggle', id });
        } else {
          dispatch({ kind: 'go', id });
          onOpen();
        }
      }}
      onFocus={() => dispatch({ kind: 'go', id })}
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
                dispatch({ kind: 'selectTo', id });
              } else {
                dispatch({ kind: 'toggle', id });
              }
            }}
          >
            <Mark state={standing.mark} label={markWord(standing.mark)} />
          </button>
        )}
      </span>
      <span role="gridcell" className={styles.who}>
        <CutName>{who}</CutName>
        <small>{whoBeside}</small>
      </span>
      <span role="gridcell" className={styles.what}>
        <CutName>{rightOf(row)}</CutName>
        <small title={whatBeside}>{whatBeside}</small>
      </span>
      <Outcome row={row} standing={standing} />
    </div>
  );
}, isSame);

function useStanding(row: QueueRow): Standing {
  const draft = useQueueState(({ drafts }) => drafts.get(row.taskId));
  const passedTo = useQueueState(({ passed }) => passed.get(row.taskId));
  return standingOf(row, draft, useQueue().store.state.me, passedTo);
}

/** Signals and the last use; of what was decided, how. */
function Outcome({ row, standing }: { readonly row: QueueRow; readonly standing: Standing }) {
  const { store, actions } = useQueue();
  const draft = useQueueState(({ drafts }) => drafts.get(row.taskId));
  const passedTo = useQueueState(({ passed }) => passed.get(row.taskId));
  const isAway = useQueueState(({ saving: { phase } }) => phase === 'device' || phase === 'fault');
  const { kind, mark } = standing;
  const said =
    kind === 'conflict' && row.state !== 'CLOSED'
      ? text('queue.notYoursNow')
      : mark === 'gone'
        ? text('queue.goneNow')
        : kind === 'conflict' && draft?.amend
          ? text('queue.notRecorded')
          : kind === 'conflict' || kind === 'others'
            ? text('queue.othersFirst', { name: nameBy(row.decidedBy, row.decidedIssuer) || text('queue.somebody') })
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
    const isHere = isAway && isUnsaved(draft, store.state.known);
    const parts = [
      draft.until === '' ? (isHere ? markWord(standing.mark) : '') : text('queue.untilDate', { date: date(draft.until) }),
      draft.comment === '' ? '' : text('queue.quoted', { words: draft.comment }),
      isHere ? text('queue.onDevice') : '',
      draft.instead === undefined ? '' : text('queue.insteadOf', { outcome: markWord(draftMark({ choice: draft.instead, until: '' })) }),
    ];
    return (
      <span role="gridcell" className={styles.said}>
        <span>{parts.filter(Boolean).join(', ') || lastUsedWords(row)}</span>
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
  const signals = listSignals(row);
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
        {lastUsedWords(row)}
      </span>
    </>
  );
}
