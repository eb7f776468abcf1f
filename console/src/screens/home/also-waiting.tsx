/**
 * Work for me beside the reviews: denied access to be removed, items of others that I am asked a second opinion on, claims on
 * people, and requests that take a second person.
 */
import { linkOptions, type LinkOptions } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { ButtonLink } from '~/parts/controls/button-link.tsx';
import { Icon, type IconName } from '~/parts/words/icon.tsx';
import { Rich } from '~/text/rich.tsx';
import { text } from '~/text/text.ts';
import styles from './home.module.css';
import { useAlsoWaiting } from './use-also-waiting.ts';

export function AlsoWaiting() {
  const { count, open, claims, disputed, toConfirm, isAsked } = useAlsoWaiting();
  if (!isAsked) {
    return null;
  }
  return (
    <section className={styles.part} aria-labelledby="also">
      <h2 id="also">{text('home.also')}</h2>
      <ul>
        {count === 0 ? null : (
          <Row icon="minus" link={linkOptions({ to: '/my/removals' })}>
            <Rich id="home.removals" values={{ count }} />
          </Row>
        )}
        {open.map(({ accessReviewId = '', displayName = '', left }) => (
          <Row
            key={accessReviewId}
            icon="people"
            link={linkOptions({ to: '/second-opinions/$review', params: { review: accessReviewId } })}
          >
            <Rich id="home.secondOpinion" values={{ count: left, name: displayName }} />
          </Row>
        ))}
        {claims === 0 ? null : (
          <Row icon="sync" link={linkOptions({ to: '/sources' })}>
            <Rich id="home.claims" values={{ count: claims }} />
          </Row>
        )}
        {disputed === 0 ? null : (
          <Row icon="flag" link={linkOptions({ to: '/quality/$tab', params: { tab: 'disputed' } })}>
            <Rich id="home.disputed" values={{ count: disputed }} />
          </Row>
        )}
        {toConfirm === 0 ? null : (
          <Row icon="lock" link={linkOptions({ to: '/settings/tenant/retention' })}>
            <Rich id="home.secondPerson" values={{ count: toConfirm }} />
          </Row>
        )}
      </ul>
    </section>
  );
}

function Row({ icon, link, children }: { icon: IconName; link: LinkOptions; children: ReactNode }) {
  return (
    <li className={styles.line}>
      <span className={styles.icon}>
        <Icon name={icon} />
      </span>
      <p>{children}</p>
      <ButtonLink {...link}>{text('home.lookAtThem')}</ButtonLink>
    </li>
  );
}
