/** The end of an item: its removal and the file that proves it, or that it is still held. */
import { Link } from '@tanstack/react-router';
import type { NameAt } from '~/data/names-at.ts';
import { RemovalState } from '~/app/removals/removal-state.tsx';
import { Facts } from '~/parts/words/facts.tsx';
import { exactTime } from '~/text/format.ts';
import { text } from '~/text/text.ts';
import type { WalkedItem } from './source-part.tsx';
import { SyncFacts } from './sync-facts.tsx';
import styles from './walkthrough.module.css';

export function RemovalPart({ item, nameAt }: { item: WalkedItem; nameAt: NameAt }) {
  const { removal, grant } = item;
  const proof = removal?.seenIn ?? grant?.endedBy;
  const endedBy = nameAt(grant?.endedByUserId, grant?.endedAt);
  return (
    <li>
      <h3>{text('walkthrough.removal')}</h3>
      {removal === undefined ? (
        <p className={styles.quiet}>{text(grant?.endedAt ? 'walkthrough.endedWithout' : 'walkthrough.stillHeld')}</p>
      ) : (
        <>
          <p>
            <RemovalState state={removal.state} />{' '}
            <Link to="/revocations" search={{ one: removal.id }}>
              {text('item.toRemoval')}
            </Link>
          </p>
          <Facts
            rows={[
              { term: text('walkthrough.requested'), children: removal.requestedAt ? exactTime(removal.requestedAt) : undefined },
              { term: text('review.dueDate'), children: removal.dueAt ? exactTime(removal.dueAt) : undefined },
              { term: text('walkthrough.since'), children: removal.stateAt ? exactTime(removal.stateAt) : undefined },
            ]}
          />
        </>
      )}
      {grant?.endedAt ? (
        <Facts
          rows={[
            { term: text('walkthrough.goneAt'), children: exactTime(grant.endedAt) },
            ...(endedBy === '' ? [] : [{ term: text('walkthrough.goneBy'), children: endedBy }]),
          ]}
        />
      ) : null}
      {proof === undefined ? null : (
        <SyncFacts sync={proof} title={text(grant?.endedAt ? 'walkthrough.proofFile' : 'walkthrough.seenFile')} />
      )}
    </li>
  );
}
