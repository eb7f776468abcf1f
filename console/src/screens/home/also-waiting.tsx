/** What waits for me beside the reviews: denied access to be removed, and items of others that I am asked a second opinion on. */
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { read } from '../../data/query.ts';
import { ButtonLink } from '../../parts/button-link.tsx';
import { Icon, type IconName } from '../../parts/icon.tsx';
import { Rich } from '../../text/rich.tsx';
import { text } from '../../text/text.ts';
import styles from './home.module.css';

const waits: readonly unknown[] = [
  'REVOCATION_STATE_REQUESTED',
  'REVOCATION_STATE_IN_PROGRESS',
  'REVOCATION_STATE_STILL_PRESENT',
  'REVOCATION_STATE_REAPPEARED',
];

export function AlsoWaiting() {
  const removals = useQuery(read('RevocationService.Count', { asksMe: true }));
  const opinions = useQuery(read('SecondReviewService.ListMine', { pageSize: 20 }));
  const count = (removals.data?.list ?? [])
    .filter(({ state }) => waits.includes(state))
    .reduce((sum, one) => sum + Number(one.total ?? 0), 0);
  const asked = (opinions.data?.list ?? []).map((one) => ({ ...one, left: Number(one.asked ?? 0) - Number(one.answered ?? 0) }));
  const open = asked.filter(({ left }) => left > 0);
  if (count === 0 && open.length === 0) {
    return null;
  }
  return (
    <section className={styles.part} aria-labelledby="also">
      <h2 id="also">{text('home.also')}</h2>
      <ul>
        {count === 0 ? null : (
          <Row icon="minus" to="/my/removals">
            <Rich id="home.removals" values={{ count }} />
          </Row>
        )}
        {open.map(({ accessReviewId = '', displayName = '', left }) => (
          <Row key={accessReviewId} icon="people" to={`/second-opinions/${accessReviewId}`}>
            <Rich id="home.secondOpinion" values={{ count: left, name: displayName }} />
          </Row>
        ))}
      </ul>
    </section>
  );
}

function Row({ icon, to, children }: { icon: IconName; to: string; children: ReactNode }) {
  return (
    <li className={styles.line}>
      <span className={styles.icon}>
        <Icon name={icon} />
      </span>
      <p>{children}</p>
      <ButtonLink to={to}>{text('home.lookAtThem')}</ButtonLink>
    </li>
  );
}
