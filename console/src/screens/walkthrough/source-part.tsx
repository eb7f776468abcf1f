/** Origin of an item: the row of a file, and the files that first and last reported it before the snapshot. */
import { count } from '~/data/count.ts';
import type { NameAt } from '~/data/names-at.ts';
import type { ReplyOf } from '~/data/query.ts';
import { Facts } from '~/parts/words/facts.tsx';
import { Name } from '~/parts/words/name.tsx';
import { exactTime, number } from '~/text/format.ts';
import { text } from '~/text/text.ts';
import { SyncFacts } from './sync-facts.tsx';
import styles from './walkthrough.module.css';

export type WalkedItem = ReplyOf<'WalkthroughService.Get'>;

export function SourcePart({ item, nameAt }: { item: WalkedItem; nameAt: NameAt }) {
  const { grant } = item;
  if (grant === undefined) {
    return (
      <li>
        <h3>{text('walkthrough.source')}</h3>
        <p className={styles.quiet}>{text('walkthrough.noGrant')}</p>
      </li>
    );
  }
  const { row = {}, addedBy, heldBy } = grant;
  const isSame = addedBy?.id === heldBy?.id;
  return (
    <li>
      <h3>{text('walkthrough.source')}</h3>
      {addedBy === undefined ? (
        <p className={styles.quiet}>
          {text('walkthrough.manual', { name: nameAt(grant.appearedByUserId, grant.appearedAt) || text('events.countersign') })}
        </p>
      ) : (
        <>
          <p className={styles.quiet}>{text('walkthrough.rowWhat')}</p>
          <pre className={styles.row}>
            {[row.account, row.resourceType, row.resource, row.entitlement].filter((cell) => (cell ?? '') !== '').join(',')}
          </pre>
          <SyncFacts sync={addedBy} title={text(isSame ? 'walkthrough.onlyFile' : 'walkthrough.firstFile')} />
        </>
      )}
      {heldBy === undefined || isSame ? null : <SyncFacts sync={heldBy} title={text('walkthrough.heldFile')} />}
      <h4>{text('walkthrough.grant')}</h4>
      <Facts
        rows={[
          { term: text('walkthrough.appeared'), children: grant.appearedAt ? exactTime(grant.appearedAt) : undefined },
          { term: text('walkthrough.revision'), children: number(count(grant.addedRevision)) },
          { term: text('walkthrough.granted'), children: grant.grantedAt ? exactTime(grant.grantedAt) : undefined },
          { term: text('walkthrough.account'), children: <Name>{row.account || item.account}</Name> },
        ]}
      />
    </li>
  );
}
