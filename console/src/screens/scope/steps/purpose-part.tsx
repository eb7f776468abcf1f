/** Purpose of the review, what its reviewers read, and who answers for it. */
import { useQuery } from '@tanstack/react-query';
import { Note } from '~/parts/states/note.tsx';
import { TextArea } from '~/parts/fields/text-area.tsx';
import { TextField } from '~/parts/fields/text-field.tsx';
import { errorMessage, useAct, fieldViolation } from '~/data/act.ts';
import { searchPeople } from '~/data/inventory/find.ts';
import { read } from '~/data/query.ts';
import { text } from '~/text/text.ts';
import { ChipPicker } from '~/screens/scope/chip-picker.tsx';
import styles from '~/screens/scope/edit.module.css';
import type { PartProps } from '~/screens/scope/props.ts';

export function PurposePart({ reviewId, draft: { review, change, error, touch } }: PartProps) {
  const owners = useQuery(read('ReviewOwnerService.ListOwners', { accessReviewId: reviewId }));
  const setOwners = useAct('ReviewOwnerService.SetOwners', 'ReviewOwnerService.ListOwners');
  const people = (owners.data?.list ?? []).map(({ owner }) => ({
    id: owner?.userId ?? '',
    label: owner?.displayName || owner?.email || '',
  }));
  const store = (ids: readonly string[]) => setOwners.mutate({ accessReviewId: reviewId, userIds: [...ids] }, { onSuccess: touch });
  return (
    <div className={styles.fields}>
      <TextField
        label={text('scope.name')}
        value={review.displayName ?? ''}
        onChange={(displayName) => change({ displayName })}
        error={fieldViolation(error, 'displayName')}
        required
      />
      <TextArea
        label={text('scope.description')}
        value={review.description ?? ''}
        onChange={(description) => change({ description })}
        hint={text('scope.descriptionHint')}
        error={fieldViolation(error, 'description')}
      />
      <TextArea
        label={text('scope.instructions')}
        value={review.reviewInstructions ?? ''}
        onChange={(reviewInstructions) => change({ reviewInstructions })}
        hint={text('scope.instructionsHint')}
        error={fieldViolation(error, 'reviewInstructions')}
      />
      <ChipPicker
        label={text('scope.owners')}
        addLabel={text('scope.addOwner')}
        chosen={people}
        search={searchPeople}
        onChange={(next) => store(next.map(({ id }) => id))}
      />
      {setOwners.isError ? <Note kind="fault">{errorMessage(setOwners.error)}</Note> : null}
    </div>
  );
}
