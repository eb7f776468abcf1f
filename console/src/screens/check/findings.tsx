/** What deserves a look before a review starts: each in a line, with the way to set it right. */
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Icon } from '../../parts/icon.tsx';
import { linkTo } from '../../parts/link-to.ts';
import { count } from '../../data/count.ts';
import type { Preview, Review } from '../../data/review.ts';
import { daysUntil } from '../../text/format.ts';
import { Rich } from '../../text/rich.tsx';
import { text } from '../../text/text.ts';
import styles from './check.module.css';

interface FindingProps {
  readonly kind: 'no' | 'warn' | 'ok';
  readonly children: ReactNode;
  /** Where it is set right, and what the link says. */
  readonly to?: string;
  readonly way?: string;
}

function Finding({ kind, children, to, way }: FindingProps) {
  return (
    <li className={styles[kind]}>
      <Icon name={kind === 'no' ? 'cross' : kind === 'warn' ? 'warning' : 'check'} />
      <span>{children}</span>
      {to === undefined ? null : <Link {...linkTo(to)}>{way}</Link>}
    </li>
  );
}

export function Findings({ reviewId, preview, review }: { reviewId: string; preview: Preview; review: Review }) {
  const edit = `/reviews/${reviewId}/edit`;
  const unassigned = count(preview.unassignedItems);
  const names = (preview.unassigned ?? []).slice(0, 3).map(({ displayName }) => displayName ?? '');
  const [accepted, rejected, waiting] = [count(preview.acceptedItems), count(preview.rejectedItems), count(preview.waitingItems)];
  return (
    <ul className={styles.findings}>
      {count(preview.items) === 0 ? (
        <Finding kind="no" to={`${edit}/scope`} way={text('check.changeScope')}>
          <Rich id="check.nothing" />
        </Finding>
      ) : null}
      {review.completionDate !== undefined && Date.parse(review.completionDate) < Date.now() ? (
        <Finding kind="no" to={`${edit}/dates`} way={text('check.changeDates')}>
          <Rich id="check.duePast" />
        </Finding>
      ) : null}
      {unassigned > 0 ? (
        <Finding kind="no" to={`${edit}/policy`} way={text('check.chooseReviewer')}>
          <Rich id="check.nobody" values={{ count: unassigned, names: names.join(', ') }} />
        </Finding>
      ) : (
        <Finding kind="ok">
          <Rich id="check.everybody" values={{ count: count(preview.reviewerCount) }} />
        </Finding>
      )}
      {(preview.staleSources ?? []).map((source) => {
        const named = { app: source.appDisplayName ?? '', source: source.displayName ?? '' };
        return (
          <Finding
            key={source.connectorId}
            kind="warn"
            to={`/import?app=${source.appId ?? ''}&source=${source.connectorId ?? ''}`}
            way={text('check.importNew')}
          >
            {source.lastDoneAt === undefined ? (
              <Rich id="check.sourceNever" values={named} />
            ) : (
              <Rich id="check.sourceOld" values={{ ...named, days: Math.abs(daysUntil(source.lastDoneAt)) }} />
            )}
          </Finding>
        );
      })}
      {count(preview.fallbackItems) > 0 ? (
        <Finding kind="warn">
          <Rich id="check.fallback" values={{ count: count(preview.fallbackItems) }} />
        </Finding>
      ) : null}
      {(preview.expressionErrors ?? []).slice(0, 3).map((one) => (
        <Finding key={`${one.appUserId} ${one.message}`} kind="warn">
          <Rich id="check.expression" values={{ account: one.account ?? '', message: one.message ?? '' }} />
        </Finding>
      ))}
      {(preview.warnings ?? []).map((warning) => (
        <Finding key={warning} kind="warn">
          {warning}
        </Finding>
      ))}
      {accepted + rejected + waiting > 0 ? (
        <Finding kind="ok">
          <Rich id="check.byPolicy" values={{ accepted, rejected, waiting }} />
        </Finding>
      ) : null}
    </ul>
  );
}
