/** What the draft would ask as it stands: items, who would be asked, and whose access comes most often. Counted anew after each change. */
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { Initials } from '../../parts/initials.tsx';
import { Note } from '../../parts/note.tsx';
import { Progress } from '../../parts/progress.tsx';
import { Skeleton } from '../../parts/skeleton.tsx';
import { messageOf } from '../../data/act.ts';
import { count } from '../../data/count.ts';
import { call, ClientError } from '../../data/query.ts';
import { number } from '../../text/format.ts';
import { text } from '../../text/text.ts';
import styles from './edit.module.css';

export function LivePreview({ reviewId, version, isSaving }: { reviewId: string; version: number; isSaving: boolean }) {
  const query = useQuery({
    queryKey: ['live-preview', reviewId, version] as const,
    queryFn: ({ signal }) => call('ReviewSelectionService.Preview', { accessReviewId: reviewId }, { signal }),
    placeholderData: keepPreviousData,
    retry: false,
    staleTime: 0,
    gcTime: 0,
  });
  const isBusy = query.isFetching || isSaving;
  const [isSlow, setSlow] = useState(false);
  useEffect(() => {
    if (!isBusy) {
      setSlow(false);
      return undefined;
    }
    const timer = setTimeout(() => setSlow(true), 1000);
    return () => clearTimeout(timer);
  }, [isBusy]);
  if (query.isPending) {
    return isSlow ? <p role="status">{text('scope.stillCounting')}</p> : <Skeleton rows={6} />;
  }
  if (query.isError) {
    const isIncomplete = query.error instanceof ClientError && query.error.status === 400;
    return isIncomplete && query.error instanceof ClientError ? (
      <div className={styles.incomplete}>
        <h2>{text('scope.notYet')}</h2>
        <ul>
          {query.error.violations.map((one) => (
            <li key={one.field}>{one.field === 'accessReview' ? text('scope.nothingChosen') : one.description}</li>
          ))}
        </ul>
      </div>
    ) : (
      <Note kind="fault">{messageOf(query.error)}</Note>
    );
  }
  const preview = query.data;
  const reviewers = (preview.reviewers ?? []).slice(0, 8);
  const most = Math.max(1, ...reviewers.map(({ items }) => count(items)));
  return (
    <div className={styles.preview} data-old={isBusy || undefined}>
      <p className={styles.figure}>
        <strong>{number(count(preview.items))}</strong> {text('scope.itemsWord', { count: count(preview.items) })}
        <span role="status">{isSlow ? text('scope.stillCounting') : ''}</span>
      </p>
      <p className={styles.quiet}>
        {text('scope.previewSums', {
          people: count(preview.people),
          accounts: count(preview.accounts),
          entitlements: count(preview.entitlements),
        })}
      </p>
      {count(preview.unassignedItems) > 0 ? (
        <p className={styles.error}>{text('scope.previewNobody', { count: count(preview.unassignedItems) })}</p>
      ) : null}
      <h2>{text('scope.wouldBeAsked')}</h2>
      <ul className={styles.asked}>
        {reviewers.map((one) => (
          <li key={one.userId}>
            <Initials name={one.displayName ?? ''} />
            <span>{one.displayName}</span>
            <Progress value={count(one.items)} max={most} label={one.displayName ?? ''} />
            <strong>{number(count(one.items))}</strong>
          </li>
        ))}
      </ul>
      <h2>{text('scope.mostOften')}</h2>
      <ul className={styles.samples}>
        {(preview.topEntitlements ?? []).slice(0, 10).map((one) => (
          <li key={one.appEntitlementId}>
            <span>{one.displayName}</span>
            <span>{number(count(one.items))}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}
