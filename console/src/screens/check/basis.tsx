/** Basis of the counts: the review before, and the sources with their age. */
import { useQuery } from '@tanstack/react-query';
import { Dot } from '~/parts/words/dot.tsx';
import { Progress } from '~/parts/drawings/progress.tsx';
import { When } from '~/parts/words/when.tsx';
import { count } from '~/data/count.ts';
import { read, type ReplyOf } from '~/data/query.ts';
import type { Preview } from '~/data/reviews/review.ts';
import type { ByValue } from '~/text/by-value.ts';
import { number } from '~/text/format.ts';
import { type PlainTextKey, text } from '~/text/text.ts';
import styles from './check.module.css';
import { Funnel } from './funnel.tsx';

type Source = NonNullable<NonNullable<ReplyOf<'ReviewAccuracyService.GetAccuracy'>['accuracy']>['sources']>[number];

const flags: ByValue<NonNullable<Source['flags']>[number], readonly [PlainTextKey, 'no' | 'warn']> = {
  ACCURACY_FLAG_STALE: ['check.stale', 'warn'],
  ACCURACY_FLAG_FAILED: ['check.failed', 'no'],
  ACCURACY_FLAG_PAUSED: ['check.paused', 'warn'],
  ACCURACY_FLAG_NEVER: ['check.never', 'no'],
  ACCURACY_FLAG_HELD: ['check.held', 'warn'],
  ACCURACY_FLAG_INCOMPLETE: ['check.incomplete', 'warn'],
};

export function Basis({ reviewId, preview, isFrozen }: { reviewId: string; preview: Preview | undefined; isFrozen: boolean }) {
  const accuracy = useQuery(read('ReviewAccuracyService.GetAccuracy', { accessReviewId: reviewId }));
  const sources = ((isFrozen ? accuracy.data?.atSnapshot : undefined) ?? accuracy.data?.accuracy)?.sources ?? [];
  const difference = preview?.difference;
  const compared: readonly (readonly [PlainTextKey, number])[] = [
    ['check.unchanged', count(difference?.unchanged)],
    ['check.new', count(difference?.added)],
    ['check.changed', count(difference?.changed)],
    ['check.gone', count(difference?.gone)],
  ];
  const most = Math.max(1, ...compared.map(([, value]) => value));
  return (
    <>
      {difference === undefined ? null : (
        <section>
          <h2>{text('check.sinceBefore')}</h2>
          <ul className={styles.bars}>
            {compared.map(([label, value]) => (
              <li key={label}>
                <span>{text(label)}</span>
                <Progress value={value} max={most} label={text(label)} />
                <span>{number(value)}</span>
              </li>
            ))}
          </ul>
        </section>
      )}
      <section>
        <h2>{text('check.restsOn')}</h2>
        <ul className={styles.sources}>
          {sources.map((source) => {
            const [word, kind] = flags[source.flags?.[0] ?? ''] ?? (['check.fresh', 'ok'] as const);
            return (
              <li key={source.connectorId}>
                <span>{text('check.source', { app: source.appDisplayName ?? '', source: source.displayName ?? '' })}</span>
                <When at={source.observedFrom} most={60} />
                <Dot kind={kind}>{text(word)}</Dot>
              </li>
            );
          })}
          {accuracy.isSuccess && sources.length === 0 ? <li className={styles.quiet}>{text('check.noSources')}</li> : null}
        </ul>
      </section>
      {preview === undefined || (preview.funnel ?? []).length === 0 ? null : <Funnel preview={preview} />}
    </>
  );
}
