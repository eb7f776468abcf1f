/** Entitlements that stand in the list beside the review, which programs and templates write. They are asked about, too. */
import { useQuery } from '@tanstack/react-query';
import { errorMessage, useSend } from '~/data/act.ts';
import { changeWhole } from '~/data/change.ts';
import { useEntitlementNames } from '~/data/names.ts';
import { forget, queries, read, type ReplyOf } from '~/data/query.ts';
import { Button } from '~/parts/controls/button.tsx';
import { Note } from '~/parts/states/note.tsx';
import { text } from '~/text/text.ts';
import { Chips } from '~/screens/scope/chips.tsx';
import styles from '~/screens/scope/edit.module.css';
import type { PartProps } from '~/screens/scope/props.ts';

const operation = 'AccessReviewSetupEntitlementAndScopeService.GetCampaignScopeAndEntitlements';

/** Most of them that stand in sight. */
const maxShown = 50;

interface Listed {
  readonly appId: string;
  readonly id: string;
}

function listOf(reply: ReplyOf<typeof operation> | undefined): Listed[] {
  return (reply?.list ?? []).map(({ accessReviewEntitlement: one }) => ({ appId: one?.appId ?? '', id: one?.appEntitlementId ?? '' }));
}

const shape = ({ appId, id }: Listed) => ({ appId, appEntitlementId: id });

export function ListedEntitlements({ reviewId, draft }: PartProps) {
  const query = useQuery(read(operation, { accessReviewId: reviewId }));
  const listed = listOf(query.data);
  const set = useSend({
    mutationFn: (next: readonly Listed[]) =>
      changeWhole('AccessReviewSetupEntitlementAndScopeService.SetCampaignScopeAndEntitlements', {
        address: { accessReviewId: reviewId },
        before: { entitlements: listed.map(shape) },
        after: { entitlements: next.map(shape) },
        readNow: async () => ({
          entitlements: listOf(await queries.fetchQuery({ ...read(operation, { accessReviewId: reviewId }), staleTime: 0 })).map(shape),
        }),
      }),
    onSettled: () => forget(operation),
  });
  const names = useEntitlementNames(listed.slice(0, maxShown));
  if (listed.length === 0) {
    return null;
  }
  const store = (next: typeof listed) => {
    // The marker stands for the list, so it goes with its last entry.
    const { specificResources, ...others } = draft.review.scopeV2 ?? {};
    if (next.length === 0 && specificResources !== undefined) {
      draft.change({ scopeV2: others });
    }
    set.mutate(next, { onSuccess: draft.touch });
  };
  return (
    <fieldset className={styles.group}>
      <legend>{text('scope.listed', { count: listed.length })}</legend>
      <Chips
        chosen={listed.slice(0, maxShown).map(({ appId, id }) => ({ id: `${appId}/${id}`, label: names.get(id) ?? '' }))}
        onTakeAway={(gone) => store(listed.filter(({ appId, id }) => `${appId}/${id}` !== gone))}
      />
      <div>
        <Button variant="quiet" busy={set.isPending} onClick={() => store([])}>
          {text('scope.clearList')}
        </Button>
      </div>
      {set.isError ? <Note kind="fault">{errorMessage(set.error)}</Note> : null}
    </fieldset>
  );
}
