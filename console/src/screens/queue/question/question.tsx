/** The task as a question, with what the right is for. */
import { Rich } from '~/text/rich.tsx';
import { text } from '~/text/text.ts';
import styles from './detail.module.css';
import type { QueueRow } from '~/data/queue/queue-rows.ts';
import { holderOf, nameOf, phraseOf } from '~/data/queue/state/standing.ts';

export function Question({ row }: { row: QueueRow }) {
  const phrase = phraseOf(row);
  const values = { who: holderOf(row), right: phrase ?? nameOf(row), app: row.appDisplayName ?? '' };
  const isOwned = Boolean(row.identityUserId);
  return (
    <>
      <h2 className={styles.question} tabIndex={-1} data-question="">
        <Rich
          id={phrase === undefined ? (isOwned ? 'queue.ask' : 'queue.askAccount') : isOwned ? 'queue.askTo' : 'queue.askAccountTo'}
          values={values}
        />
      </h2>
      <p className={styles.description}>{phrase === undefined ? row.entitlementDescription || text('queue.noDescription') : nameOf(row)}</p>
    </>
  );
}
