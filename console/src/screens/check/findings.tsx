/** Findings to look at before a review starts: each in a line, with the way to set it right. */
import { linkOptions } from '@tanstack/react-router';
import { count } from '~/data/count.ts';
import type { Preview, Review } from '~/data/reviews/review.ts';
import { daysUntil } from '~/text/format.ts';
import { Rich } from '~/text/rich.tsx';
import { text } from '~/text/text.ts';
import { useSession } from '~/data/session/session.ts';
import styles from './check.module.css';
import { Finding } from './finding.tsx';
import { without } from './reason.ts';
import { SignatureFindings } from './signature-findings.tsx';
import { Undescribed } from './undescribed.tsx';

export function Findings({ reviewId, preview, review }: { reviewId: string; preview: Preview; review: Review }) {
  const edit = (part: 'dates' | 'policy' | 'scope') => linkOptions({ to: '/reviews/$reviewId/edit/$part', params: { reviewId, part } });
  const others = without(preview, useSession()?.userId);
  const unassigned = count(preview.unassignedItems);
  const names = (preview.unassigned ?? []).slice(0, 3).map(({ displayName }) => displayName ?? '');
  const [accepted, rejected, waiting] = [count(preview.acceptedItems), count(preview.rejectedItems), count(preview.waitingItems)];
  return (
    <ul className={styles.findings}>
      {count(preview.items) === 0 ? (
        <Finding kind="no" to={edit('scope')} way={text('check.changeScope')}>
          <Rich id="check.nothing" />
        </Finding>
      ) : null}
      {review.completionDate !== undefined && Date.parse(review.completionDate) < Date.now() ? (
        <Finding kind="no" to={edit('dates')} way={text('check.changeDates')}>
          <Rich id="check.duePast" />
        </Finding>
      ) : null}
      {unassigned > 0 ? (
        <Finding kind="no" to={edit('policy')} way={text('check.chooseReviewer')}>
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
            to={linkOptions({ to: '/import', search: { app: source.appId, source: source.connectorId } })}
            way={text('check.importNew')}
          >
            {source.lastDoneAt === undefined ? (
              <Rich id="check.sourceNever" values={named} />
            ) : source.flags?.[0] === 'ACCURACY_FLAG_HELD' ? (
              <Rich id="check.sourceHeld" values={named} />
            ) : source.flags?.[0] === 'ACCURACY_FLAG_INCOMPLETE' ? (
              <Rich id="check.sourceIncomplete" values={named} />
            ) : (
              <Rich id="check.sourceOld" values={{ ...named, days: Math.abs(daysUntil(source.observedFrom ?? source.lastDoneAt)) }} />
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
      <Undescribed preview={preview} />
      {preview.reach?.sendsMail === false && others.count > 0 ? (
        <Finding kind="warn">
          <Rich id="check.sendsNone" />
        </Finding>
      ) : null}
      {preview.reach?.signsIn === false && others.count > 0 ? (
        <Finding kind="warn" to={linkOptions({ to: '/settings/tenant/providers' })} way={text('check.toProviders')}>
          <Rich id="check.noneSignsIn" values={{ count: others.count }} />
        </Finding>
      ) : null}
      <SignatureFindings reviewId={reviewId} review={review} preview={preview} />
      {review.completionDate === undefined ? (
        <Finding kind="warn" to={edit('dates')} way={text('check.changeDates')}>
          <Rich id="check.noDueYet" />
        </Finding>
      ) : null}
      {accepted + rejected + waiting > 0 ? (
        <Finding kind="ok">
          <Rich id="check.byPolicy" values={{ accepted, rejected, waiting }} />
        </Finding>
      ) : null}
    </ul>
  );
}
