/** Differences of an app grouped by right: who gets, loses or keeps it otherwise. */
import { Name } from '~/parts/words/name.tsx';
import { When } from '~/parts/words/when.tsx';
import { number } from '~/text/format.ts';
import { joinRight } from '~/text/join-names.ts';
import { text } from '~/text/text.ts';
import styles from './difference-list.module.css';
import type { Difference } from './sync-difference.tsx';

export function DifferenceList({ rows, app }: { rows: readonly Difference[]; app: string | undefined }) {
  const groups = Map.groupBy(rows, (row) => {
    const right = (row.after ?? row.before)?.entitlement;
    return joinRight(app, right?.resource, right?.entitlement);
  });
  return groups.size === 0 ? (
    <p className={styles.quiet}>{text('diff.none')}</p>
  ) : (
    <div className={styles.groups}>
      {[...groups].map(([right, members], index) => (
        <details key={right} open={index < 2}>
          <summary>
            <Name strong>{right}</Name>
            <span className={styles.quiet}>{number(members.length)}</span>
          </summary>
          <ul>
            {members.map((member) => {
              const grant = member.after ?? member.before;
              return (
                <li key={`${grant?.account} ${grant?.entitlement?.appEntitlementId}`}>
                  <Name>{grant?.account}</Name>
                  <span className={styles.quiet}>
                    <Name>{grant?.email}</Name>
                  </span>
                  {grant?.lastUsedAt === undefined ? null : (
                    <span className={styles.quiet}>
                      <When at={grant.lastUsedAt} prefix={text('diff.lastUsed')} />
                    </span>
                  )}
                </li>
              );
            })}
          </ul>
        </details>
      ))}
    </div>
  );
}
