/** What is left out by name, each with a reason, and whether only what is new or changed is asked. */
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '../../parts/button.tsx';
import { Note } from '../../parts/note.tsx';
import { Segments } from '../../parts/segments.tsx';
import { Switch } from '../../parts/switch.tsx';
import { messageOf, useAct } from '../../data/act.ts';
import { useEntitlementNames, useNames } from '../../data/names.ts';
import { read, type ReplyOf } from '../../data/query.ts';
import { Remove } from '../../parts/remove.tsx';
import { text } from '../../text/text.ts';
import { chosenApps } from './chosen.ts';
import { Clause } from './clause.tsx';
import { ExclusionForm } from './exclusion-form.tsx';
import styles from './edit.module.css';
import type { PartProps } from './props.ts';

type Lists = NonNullable<ReplyOf<'ReviewScopeListService.Get'>['scopeLists']>;
export type Exclusion = NonNullable<Lists['exclusions']>[number];

export function LeaveOut({ reviewId, draft: { review, touch } }: PartProps) {
  const [adding, setAdding] = useState<'entitlement' | 'person'>();
  const query = useQuery(read('ReviewScopeListService.Get', { accessReviewId: reviewId }));
  const set = useAct('ReviewScopeListService.Set', 'ReviewScopeListService.Get');
  const lists = query.data?.scopeLists ?? {};
  const exclusions = lists.exclusions ?? [];
  const names = useNames(exclusions.map(({ id }) => id));
  const entitlements = useEntitlementNames(
    exclusions.filter((one) => one.entitlementId).map((one) => ({ appId: one.appId ?? '', id: one.entitlementId ?? '' })),
  );
  const store = (next: Partial<Lists>) =>
    set.mutate(
      { ...lists, ...next, accessReviewId: reviewId },
      {
        onSuccess: () => {
          touch();
          setAdding(undefined);
        },
      },
    );
  const nameOf = (one: Exclusion) =>
    entitlements.get(one.entitlementId ?? '') || names.get(one.id ?? '') || one.entitlementId || one.id || '';
  return (
    <Clause word={text('scope.leaveOut')}>
      {exclusions.length === 0 ? null : (
        <ul className={styles.exclusions}>
          {exclusions.map((one) => (
            <li key={JSON.stringify(one)}>
              <strong>{nameOf(one)}</strong> <span>{text('scope.because', { reason: one.reason ?? '' })}</span>
              <Remove
                label={text('scope.takeAway', { name: nameOf(one) })}
                onClick={() => store({ exclusions: exclusions.filter((other) => other !== one) })}
              />
            </li>
          ))}
        </ul>
      )}
      {adding === undefined ? (
        <div>
          <Button variant="quiet" icon="plus" onClick={() => setAdding('entitlement')}>
            {text('scope.addExclusion')}
          </Button>
        </div>
      ) : (
        <>
          <Segments
            label={text('scope.leaveOut')}
            value={adding}
            onChange={setAdding}
            options={[
              { value: 'entitlement', label: text('scope.anEntitlement') },
              { value: 'person', label: text('scope.aPerson') },
            ]}
          />
          <ExclusionForm
            key={adding}
            kind={adding}
            appIds={chosenApps(review)}
            isBusy={set.isPending}
            onAdd={(one) => store({ exclusions: [...exclusions, one] })}
            onCancel={() => setAdding(undefined)}
          />
        </>
      )}
      <Switch
        label={text('scope.changesOnly')}
        hint={text('scope.changesOnlyHint')}
        checked={lists.changesOnly === true}
        onChange={(changesOnly) => store({ changesOnly })}
      />
      {set.isError ? <Note kind="fault">{messageOf(set.error)}</Note> : null}
    </Clause>
  );
}
