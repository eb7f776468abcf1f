/** Safeguards of the decisions: who may not decide, who acknowledges them as a whole, and whether old sources hold the start up. */
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { PeopleField } from '~/app/people/people-field.tsx';
import { errorMessage, fieldViolation, useSend } from '~/data/act.ts';
import { changeWhole } from '~/data/change.ts';
import { forget, queries, read } from '~/data/query.ts';
import { type Relation, relations } from '~/data/reviews/relations.ts';
import type { Review } from '~/data/reviews/review.ts';
import { Checkbox } from '~/parts/controls/checkbox.tsx';
import { Note } from '~/parts/states/note.tsx';
import { RadioGroup } from '~/parts/controls/radio-group.tsx';
import { Skeleton } from '~/parts/states/skeleton.tsx';
import { Switch } from '~/parts/controls/switch.tsx';
import { choicesOf } from '~/parts/controls/choices-of.ts';
import { text } from '~/text/text.ts';
import styles from '~/screens/scope/edit.module.css';
import type { PartProps } from '~/screens/scope/props.ts';

type AccuracyAction = NonNullable<Review['accuracyIssueAction']> & string;

interface Named {
  readonly required: boolean;
  readonly userIds: string[];
}

interface Change<T> {
  readonly before: T;
  readonly after: T;
}

const namedOf = ({ required = false, userIds = [] }: Partial<Named> = {}): Named => ({ required, userIds });

export function DutiesPart({ reviewId, draft: { review, change, error, touch } }: PartProps) {
  const address = { accessReviewId: reviewId };
  const relationsQuery = read('ReviewIndependenceService.GetIndependence', address);
  const independence = useQuery(relationsQuery);
  const setIndependence = useSend({
    mutationFn: ({ before, after }: Change<readonly Relation[]>) =>
      changeWhole('ReviewIndependenceService.SetIndependence', {
        address,
        before: { blocked: [...before] },
        after: { blocked: [...after] },
        readNow: async () => ({ blocked: (await queries.fetchQuery({ ...relationsQuery, staleTime: 0 })).independence?.blocked ?? [] }),
      }),
    onSuccess: touch,
    onSettled: () => forget('ReviewIndependenceService.GetIndependence'),
  });
  const namedQuery = read('ReviewAcknowledgementService.GetAcknowledgement', address);
  const acknowledgement = useQuery(namedQuery);
  const setAcknowledgement = useSend({
    mutationFn: (change: Change<Named>) =>
      changeWhole('ReviewAcknowledgementService.SetAcknowledgement', {
        address,
        ...change,
        readNow: async () => namedOf((await queries.fetchQuery({ ...namedQuery, staleTime: 0 })).acknowledgement),
      }),
    onSuccess: touch,
    onSettled: () => forget('ReviewAcknowledgementService.GetAcknowledgement'),
  });
  // What was chosen shows at once, and until the server has said what it keeps.
  const [chosen, setChosen] = useState<readonly Relation[]>();
  const [named, setNamed] = useState<Named>();
  const blocked = chosen ?? independence.data?.independence?.blocked ?? [];
  const stands = named ?? namedOf(acknowledgement.data?.acknowledgement);
  const { required, userIds } = stands;
  const block = (next: readonly Relation[]) => {
    setChosen(next);
    setIndependence.mutate({ before: blocked, after: next }, { onSettled: () => setChosen((now) => (now === next ? undefined : now)) });
  };
  const store = (next: Named) => {
    setNamed(next);
    setAcknowledgement.mutate({ before: stands, after: next }, { onSettled: () => setNamed((now) => (now === next ? undefined : now)) });
  };
  if (independence.isPending || acknowledgement.isPending) {
    return <Skeleton rows={6} />;
  }
  const failed = setIndependence.error ?? setAcknowledgement.error;
  return (
    <div className={styles.fields}>
      <fieldset className={styles.group}>
        <legend>{text('scope.independence')}</legend>
        <p className={styles.quiet}>{text('scope.independenceHint')}</p>
        {choicesOf(relations).map(({ value: relation, label }) => (
          <Checkbox
            key={relation}
            label={label}
            checked={blocked.includes(relation)}
            onChange={(isOn) => block(isOn ? [...blocked, relation] : blocked.filter((one) => one !== relation))}
          />
        ))}
      </fieldset>
      <fieldset className={styles.group}>
        <legend>{text('scope.acknowledgement')}</legend>
        <p className={styles.quiet}>{text('scope.acknowledgementHint')}</p>
        <PeopleField
          label={text('scope.acknowledgers')}
          value={userIds}
          onChange={(next) => store({ required: required && next.length > 0, userIds: next })}
        />
        <Switch
          label={text('scope.acknowledgementRequired')}
          checked={required}
          disabledReason={userIds.length === 0 ? text('scope.acknowledgerNeeded') : undefined}
          onChange={(isOn) => store({ required: isOn, userIds })}
        />
      </fieldset>
      <RadioGroup<AccuracyAction>
        label={text('scope.accuracy')}
        value={
          review.accuracyIssueAction === 'ACCURACY_ISSUE_ACTION_WAIT' ? 'ACCURACY_ISSUE_ACTION_WAIT' : 'ACCURACY_ISSUE_ACTION_CONTINUE'
        }
        onChange={(accuracyIssueAction) => change({ accuracyIssueAction })}
        error={fieldViolation(error, 'accuracyIssueAction')}
        options={[
          { value: 'ACCURACY_ISSUE_ACTION_CONTINUE', label: text('scope.accuracyGo'), hint: text('scope.accuracyGoHint') },
          { value: 'ACCURACY_ISSUE_ACTION_WAIT', label: text('scope.accuracyWait'), hint: text('scope.accuracyWaitHint') },
        ]}
      />
      {failed === null ? null : <Note kind="fault">{errorMessage(failed)}</Note>}
    </div>
  );
}
