/** Selection: what it has in common, what stands out of it, what is not part of it, and one comment for all. */
import { listSignals } from '~/app/reviews/signals.ts';
import type { QueueRow } from '~/data/queue/queue-rows.ts';
import { isDecided } from '~/data/queue/state/read-state.ts';
import type { QueueState } from '~/data/queue/state/state.ts';
import { Button } from '~/parts/controls/button.tsx';
import { Icon } from '~/parts/words/icon.tsx';
import { TextArea } from '~/parts/fields/text-area.tsx';
import { text } from '~/text/text.ts';
import { useQueue, useQueueState } from '~/screens/queue/use-queue.ts';
import { OpenForm } from '~/screens/queue/question/open-form.tsx';
import styles from './bulk.module.css';
import { holderOf, reasonAlone, rightOf } from '~/data/queue/state/standing.ts';
import { freeTargets } from '~/data/queue/state/targets.ts';
import { LeftOut } from './left-out.tsx';

/** More of them are in the list. */
const most = 8;

export function SelectionPane({ onDone }: { readonly onDone: () => void }) {
  const { store, actions } = useQueue();
  const state = useQueueState((all) => all);
  const rows = freeTargets(state).flatMap((id) => state.rows.byId.get(id) ?? []);
  const loud = rows.filter((row) => listSignals(row).length > 0);
  const alone = notPart(state);
  return (
    <>
      <div className={styles.head}>
        <h2>{text('queue.selected', { count: state.selected.size })}</h2>
        <Button variant="quiet" keys="escape" onClick={() => store.dispatch({ kind: 'clearSelection' })}>
          {text('queue.clear')}
        </Button>
      </div>
      <div className={styles.body}>
        <LeftOut />
        {rows.length === 0 ? null : (
          <>
            <h3>{text('queue.inCommon')}</h3>
            <ul className={styles.common}>
              {commonOf(rows).map(({ icon, words }) => (
                <li key={words}>
                  <Icon name={icon} />
                  <span>{words}</span>
                </li>
              ))}
            </ul>
          </>
        )}
        {loud.length === 0 ? null : (
          <>
            <h3>{text('queue.whatStandsOut')}</h3>
            <ul className={styles.loud}>
              {loud.slice(0, most).map((row) => (
                <li key={row.taskId}>
                  <span>
                    <strong>{rightOf(row)}</strong>
                    <small>{[holderOf(row), ...listSignals(row).map(({ label }) => label)].join(', ')}</small>
                  </span>
                  <button type="button" className={styles.link} onClick={() => store.dispatch({ kind: 'toggle', id: row.taskId })}>
                    {text('queue.leaveOut')}
                  </button>
                </li>
              ))}
            </ul>
            {loud.length > most ? <p className={styles.faint}>{text('queue.andMore', { count: loud.length - most })}</p> : null}
          </>
        )}
        {alone.length === 0 ? null : (
          <>
            <h3>{text('queue.notPart')}</h3>
            {alone.slice(0, most).map((row) => (
              <p key={row.taskId} className={styles.faint}>
                {text(reasonAlone(row) === 'conflict' ? 'queue.aloneConflict' : 'queue.aloneForbidden', {
                  what: rightOf(row),
                  who: holderOf(row),
                })}
              </p>
            ))}
          </>
        )}
        {state.mode === 'free' && rows.length > 0 ? (
          <>
            <TextArea
              label={text('queue.oneComment', { count: rows.length })}
              hint={text('queue.optional')}
              placeholder={text('queue.oneCommentHint')}
              value={state.shared}
              onChange={(comment) => store.dispatch({ kind: 'share', comment })}
              maxLength={10_000}
            />
            <p className={styles.faint}>{text('queue.together')}</p>
            <div className={styles.two}>
              <Button
                icon="check"
                onClick={() => {
                  actions.decide({ choice: 'certify' });
                  onDone();
                }}
              >
                {text('queue.certifyMany', { count: rows.length })}
              </Button>
              <Button
                icon="cross"
                onClick={() => {
                  actions.decide({ choice: 'deny' });
                  onDone();
                }}
              >
                {text('queue.denyMany', { count: rows.length })}
              </Button>
            </div>
          </>
        ) : state.mode === 'free' ? (
          <p className={styles.faint}>{text('queue.noneFree')}</p>
        ) : (
          <OpenForm onDone={onDone} />
        )}
      </div>
    </>
  );
}

/** Rows that stand between those that are chosen and could not be. */
function notPart(state: QueueState): QueueRow[] {
  const { items, places: all } = state.lines;
  const places = [...state.selected].map((id) => all.get(id) ?? -1).filter((place) => place >= 0);
  if (places.length === 0) {
    return [];
  }
  const head = items.slice(0, Math.min(...places) + 1).findLastIndex((item) => item.kind === 'head');
  const behind = items.findIndex((item, place) => place > Math.max(...places) && item.kind === 'head');
  return items.slice(Math.max(0, head), behind < 0 ? undefined : behind).flatMap((item) => {
    const row = item.kind === 'row' ? state.rows.byId.get(item.key) : undefined;
    return row !== undefined && reasonAlone(row) !== undefined && !isDecided(state, row.taskId) ? [row] : [];
  });
}

function commonOf(rows: readonly QueueRow[]): { icon: 'people' | 'grid' | 'key' | 'check'; words: string }[] {
  const people = new Set(rows.map(holderOf));
  const apps = new Set(rows.map(({ appDisplayName }) => appDisplayName ?? ''));
  const rights = new Set(rows.map(({ appEntitlementId }) => appEntitlementId ?? ''));
  const unchanged = rows.filter(({ section }) => section === 'REVIEW_QUEUE_SECTION_UNCHANGED').length;
  const [first] = rows;
  return [
    {
      icon: 'people',
      words:
        people.size === 1 && first !== undefined
          ? text('queue.allOf', { name: holderOf(first) })
          : text('queue.ofPeople', { count: people.size }),
    },
    {
      icon: 'grid',
      words: apps.size === 1 ? text('queue.allIn', { name: [...apps][0] ?? '' }) : text('queue.inApps', { count: apps.size }),
    },
    ...(rights.size === 1 && first !== undefined && rows.length > 1
      ? [{ icon: 'key' as const, words: text('queue.sameRight', { name: rightOf(first) }) }]
      : []),
    ...(unchanged === rows.length && rows.length > 1 ? [{ icon: 'check' as const, words: text('queue.allUnchanged') }] : []),
  ];
}
