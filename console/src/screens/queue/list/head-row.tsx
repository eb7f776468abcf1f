/** The head of a section, or of a person: a row of the grid, which takes part in nothing but its own button. */
// biome-ignore-all lint/a11y/useSemanticElements: rows that are drawn only in sight stand where they are put, which a table's do not
// biome-ignore-all lint/a11y/useFocusableInteractive: the grid is one stop of the keyboard; its current row has the focus, not its cells
import type { CSSProperties } from 'react';
import type { Item } from '~/data/queue/state/layout.ts';
import { isDecided, plainOf } from '~/data/queue/state/read-state.ts';
import { Initials } from '~/parts/words/initials.tsx';
import { number } from '~/text/format.ts';
import { text } from '~/text/text.ts';
import { useQueue, useQueueState } from '~/screens/queue/use-queue.ts';
import styles from './grid.module.css';
import { sectionName } from './words.ts';

interface HeadRowProps {
  readonly item: Extract<Item, { kind: 'head' }>;
  readonly index: number;
  readonly style: CSSProperties;
}

export function HeadRow({ item, index, style }: HeadRowProps) {
  const { actions } = useQueue();
  const { section, ids, total } = item;
  const first = useQueueState(({ rows }) => rows.byId.get(ids[0] ?? ''));
  const left = useQueueState((state) => ids.filter((id) => !isDecided(state, id)).length);
  const plain = useQueueState((state) => (section === 'UNCHANGED' ? plainOf(state, ids).length : 0));
  return (
    <div role="row" aria-rowindex={index + 1} className={styles.head} style={style} data-person={section === undefined || undefined}>
      <span role="gridcell" className={styles.headCell}>
        {section === undefined ? (
          <>
            <Initials name={item.name} size={32} />
            <span className={styles.headPerson}>
              <span>
                <strong>{item.name}</strong> <small>{text('queue.leftOf', { left, total })}</small>
              </span>
              <small>{first?.identityUserId ? [first.jobTitle, first.department].filter(Boolean).join(', ') : text('queue.unowned')}</small>
            </span>
          </>
        ) : (
          <>
            <strong>{sectionName(section)}</strong>
            <small>{number(total)}</small>
          </>
        )}
      </span>
      {plain > 0 ? (
        <span role="gridcell">
          <button type="button" tabIndex={-1} className={styles.link} onClick={() => actions.selectPlain(ids)}>
            {text('queue.selectPlain', { count: plain })}
          </button>
        </span>
      ) : null}
    </div>
  );
}
