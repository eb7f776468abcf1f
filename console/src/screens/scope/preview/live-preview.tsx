/** Preview of the draft as it stands: how many items, who would be asked, and ten of the items to look at. */
import { Button } from '~/parts/controls/button.tsx';
import { Initials } from '~/parts/words/initials.tsx';
import { Note } from '~/parts/states/note.tsx';
import { Progress } from '~/parts/drawings/progress.tsx';
import { Skeleton } from '~/parts/states/skeleton.tsx';
import { When } from '~/parts/words/when.tsx';
import { errorMessage } from '~/data/act.ts';
import { count } from '~/data/count.ts';
import { ClientError } from '~/data/query.ts';
import { number } from '~/text/format.ts';
import { text } from '~/text/text.ts';
import form from '~/screens/scope/edit.module.css';
import { lackOf } from '~/screens/scope/steps/lacks.ts';
import styles from './preview.module.css';
import { SampleItems } from './sample-items.tsx';
import type { LiveCount } from './use-preview.ts';

export function LivePreview({ live }: { live: LiveCount }) {
  const { preview, error, isPending, isOld, isSlow, countedAt, showOthers } = live;
  if (error !== undefined) {
    const isIncomplete = error instanceof ClientError && error.status === 400;
    return isIncomplete ? (
      <div className={styles.incomplete}>
        <h2>{text('scope.notYet')}</h2>
        <ul>
          {[...new Set(error.violations.map(lackOf))].map((words) => (
            <li key={words}>{words}</li>
          ))}
        </ul>
      </div>
    ) : (
      <Note kind="fault">{errorMessage(error)}</Note>
    );
  }
  if (isPending || preview === undefined) {
    return isSlow ? <p role="status">{text('scope.stillCounting')}</p> : <Skeleton rows={6} />;
  }
  const reviewers = (preview.reviewers ?? []).slice(0, 8);
  const others = count(preview.reviewerCount) - reviewers.length;
  const most = Math.max(1, ...reviewers.map(({ items }) => count(items)));
  const samples = preview.sampleItems ?? [];
  const failures = preview.expressionErrors ?? [];
  return (
    <div className={styles.preview} data-old={isOld || undefined}>
      <p className={styles.figure}>
        <strong>{number(count(preview.items))}</strong> {text('scope.itemsWord', { count: count(preview.items) })}
        <span role="status">{isSlow ? text('scope.stillCounting') : ''}</span>
        {isSlow ? null : (
          <small>
            <When at={countedAt} prefix={text('scope.counted')} />
          </small>
        )}
      </p>
      <p className={form.quiet}>
        {text('scope.previewSums', {
          people: count(preview.people),
          accounts: count(preview.accounts),
          entitlements: count(preview.entitlements),
        })}
      </p>
      {count(preview.unassignedItems) > 0 ? (
        <p className={form.error}>{text('scope.previewNobody', { count: count(preview.unassignedItems) })}</p>
      ) : null}
      {failures.length === 0 ? null : (
        <Note kind={count(preview.items) === 0 ? 'fault' : 'warn'}>
          {text(count(preview.items) === 0 ? 'scope.failsForAll' : 'scope.failsForSome')}
          <ul>
            {failures.slice(0, 3).map(({ appUserId = '', account = '', message = '', expression = '' }) => (
              <li key={appUserId}>{text('scope.failure', { account, message, expression })}</li>
            ))}
          </ul>
        </Note>
      )}
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
      {others > 0 ? <p className={form.quiet}>{text('scope.moreAsked', { count: others })}</p> : null}
      <div className={styles.heading}>
        <h2>{text('scope.samplesOf', { shown: samples.length, items: count(preview.items) })}</h2>
        {samples.length < count(preview.items) ? (
          <Button variant="quiet" onClick={showOthers}>
            {text('scope.others')}
          </Button>
        ) : null}
      </div>
      <SampleItems items={samples} />
    </div>
  );
}
