/** Purpose of the review, what its reviewers read, and who answers for it. */
import { useQuery } from '@tanstack/react-query';
import { Note } from '~/parts/states/note.tsx';
import { TextArea } from '~/parts/fields/text-area.tsx';
import { TextField } from '~/parts/fields/text-field.tsx';
import { errorMessage, fieldViolation, useSend } from '~/data/act.ts';
import { changeWhole } from '~/data/change.ts';
import { searchPeople } from '~/data/inventory/find.ts';
import { forget, queries, read } from '~/data/query.ts';
import { text } from '~/text/text.ts';
import { ChipPicker } from '~/screens/scope/chip-picker.tsx';
import styles from '~/screens/scope/edit.module.css';
import type { PartProps } from '~/screens/scope/props.ts';

export function PurposePart({ reviewId, draft: { review, change, error, touch } }: PartProps) {
  const wanted = read('ReviewOwnerService.ListOwners', { accessReviewId: reviewId, pageSize: 100 });
  const owners = useQuery(wanted);
  const setOwners = useSend({
    mutationFn: (next: readonly string[]) =>
      changeWhole('ReviewOwnerService.SetOwners', {
        address: { accessReviewId: reviewId },
        before: { userIds: people.map(({ id }) => id) },
        after: { userIds: [...next] },
        readNow: async () => {
          const { list = [] } = await queries.fetchQuery({ ...wanted, staleTime: 0 });
          return { userIds: list.map(({ owner }) => owner?.userId ?? '') };
        },
      }),
    onSuccess: touch,
    onSettled: () => forget('ReviewOwnerService.ListOwners'),
  });
  const people = (owners.data?.list ?? []).map(({ owner }) => ({
    id: owner?.userId ?? '',
    label: owner?.displayName || owner?.email || '',
  }));
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
        onChange={(next) => setOwners.mutate(next.map(({ id }) => id))}
      />
      {setOwners.isError ? <Note kind="fault">{errorMessage(setOwners.error)}</Note> : null}
    </div>
  );
}
