/** Delegate in one's place, from when until when; and in whose place one decides. */
import { useSend } from '~/data/act.ts';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { call, forget, read } from '~/data/query.ts';
import { Button } from '~/parts/controls/button.tsx';
import { Failed } from '~/parts/states/failed.tsx';
import { Note } from '~/parts/states/note.tsx';
import { Skeleton } from '~/parts/states/skeleton.tsx';
import { toast } from '~/parts/over/toast.tsx';
import { date } from '~/text/format.ts';
import { text } from '~/text/text.ts';
import { DelegateForm } from './delegate-form.tsx';
import styles from './profile.module.css';

export function Delegate() {
  const delegation = useQuery(read('MyDelegationService.Get', {}));
  const [isEditing, setEditing] = useState(false);
  const end = useSend({
    mutationFn: () => call('MyDelegationService.Set', {}),
    onSuccess: async () => {
      toast(text('profile.delegateEnded'));
      await forget('MyDelegationService.Get');
    },
  });
  const { delegate, inPlaceOf = [], noDelegation = {} } = delegation.data ?? {};
  const { policyNames = [], count: refusing = 0 } = noDelegation;
  const isAbout = isEditing || delegate !== undefined || inPlaceOf.length > 0;
  return (
    <section className={styles.section} aria-labelledby="delegate">
      <h3 id="delegate">{text('profile.delegate')}</h3>
      <p className={styles.hint}>{text('profile.delegateIntro')}</p>
      {isAbout && refusing > 0 ? (
        <Note kind="warn">
          {text('profile.noDelegation', {
            count: refusing,
            names: `${policyNames.join(', ')}${refusing > policyNames.length ? ', …' : ''}`,
          })}
        </Note>
      ) : null}
      {delegation.isPending ? <Skeleton rows={1} /> : null}
      {delegation.isError ? <Failed error={delegation.error} retry={() => void delegation.refetch()} /> : null}
      {delegation.isSuccess && !isEditing ? (
        <div className={styles.row}>
          <span>
            <b>{delegate?.displayName ?? text('profile.nobody')}</b>
            {delegate === undefined ? null : <small>{period(delegate)}</small>}
          </span>
          <span className={styles.buttons}>
            {delegate === undefined ? null : (
              <Button variant="quiet" busy={end.isPending} onClick={() => end.mutate()}>
                {text('profile.endDelegate')}
              </Button>
            )}
            <Button onClick={() => setEditing(true)}>
              {text(delegate === undefined ? 'profile.chooseDelegate' : 'profile.changeDelegate')}
            </Button>
          </span>
        </div>
      ) : null}
      {end.isError ? <Note kind="fault">{end.error.message}</Note> : null}
      {isEditing ? <DelegateForm onDone={() => setEditing(false)} /> : null}
      {inPlaceOf.length === 0 ? null : (
        <>
          <h3>{text('profile.inPlaceOf')}</h3>
          <ul className={styles.list}>
            {inPlaceOf.map((one) => (
              <li key={one.userId} className={styles.row}>
                <span>
                  <b>{one.displayName}</b>
                  <small>{period(one)}</small>
                </span>
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  );
}

function period({ startAt, expireAt }: { startAt?: string; expireAt?: string }): string {
  const isLater = startAt !== undefined && Date.parse(startAt) > Date.now();
  if (isLater && expireAt !== undefined) {
    return text('profile.fromUntil', { from: date(startAt), until: date(expireAt) });
  }
  return expireAt !== undefined
    ? text('profile.until', { until: date(expireAt) })
    : isLater
      ? text('profile.from', { from: date(startAt) })
      : text('profile.untilEnded');
}
