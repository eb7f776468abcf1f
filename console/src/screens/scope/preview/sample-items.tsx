/** A few items of a draft: whose access, to what, and since when. */
import { When } from '~/parts/words/when.tsx';
import type { Preview } from '~/data/reviews/review.ts';
import { besideApp } from '~/text/join-names.ts';
import { text } from '~/text/text.ts';
import styles from './preview.module.css';

type Item = NonNullable<Preview['sampleItems']>[number];

export function SampleItems({ items }: { items: readonly Item[] }) {
  return (
    <ul className={styles.samples}>
      {items.map((item) => (
        <li key={`${item.appUserId}${item.principalResourceId}/${item.appEntitlementId}`}>
          <strong>{item.displayName}</strong>
          <span>
            {text('scope.sampleWhat', {
              app: item.appDisplayName ?? '',
              entitlement: besideApp(item.appDisplayName, item.entitlementDisplayName ?? ''),
            })}
          </span>
          <small>{item.grantedAt === undefined ? null : <When at={item.grantedAt} prefix={text('scope.since')} />}</small>
        </li>
      ))}
    </ul>
  );
}
