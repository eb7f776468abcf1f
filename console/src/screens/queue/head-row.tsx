/** The head of a section, or of a person: a row of the grid, which takes part in nothing but its own button. */
// biome-ignore-all lint/a11y/useSemanticElements: rows that are drawn only in sight stand where they are put, which a table's do not
// biome-ignore-all lint/a11y/useFocusableInteractive: the grid is one stop of the keyboard; its current row has the focus, not its cells
import type { CSSProperties } from 'react';
import { Initials } from '../../parts/initials.tsx';
import { number } from '../../text/format.ts';
import { text } from '../../text/text.ts';
import type { QueueActions } from './actions.ts';
import styles from './grid.module.css';
import type { Item } from './layout.ts';
import type { QueueModel } from './model.ts';
import { sectionName } from './words.ts';

interface HeadRowProps {
  readonly item: Extract<Item, { kind: 'head' }>;
  readonly index: number;
  readonly style: CSSProperties;
  readonly model: QueueModel;
  readonly actions: QueueActions;
}

export function HeadRow({ item, index, style, model, actions }: HeadRowProps) {
  const { section, ids, total } = item;
  const first = model.row(ids[0] ?? '');
  const left = ids.filter((id) => !model.isDecided(id)).length;
  const plain = section === 'UNCHANGED' ? model.plain(ids).length : 0;
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
