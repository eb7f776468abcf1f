/** Work for me beside the reviews: removals, second opinions, claims on people, records of people who are not known, and requests of others where I may decide them. */
import { useQuery } from '@tanstack/react-query';
import { useClaimCount, useDisputedCount } from '~/data/inventory/claim-count.ts';
import { useLater } from '~/data/later.ts';
import { read, type ReplyOf } from '~/data/query.ts';
import { useMay } from '~/data/session/session.ts';

type State = NonNullable<ReplyOf<'RevocationService.Count'>['list']>[number]['state'];

const waits: readonly State[] = [
  'REVOCATION_STATE_REQUESTED',
  'REVOCATION_STATE_IN_PROGRESS',
  'REVOCATION_STATE_STILL_PRESENT',
  'REVOCATION_STATE_REAPPEARED',
];

export function useAlsoWaiting() {
  const removals = useQuery(read('RevocationService.Count', { asksMe: true }));
  const opinions = useQuery(read('SecondReviewService.ListMine', { pageSize: 20 }));
  const claims = useClaimCount('users.write');
  const disputed = useDisputedCount('users.write');
  const isLater = useLater();
  const mayConfirm = useMay('settings.write');
  const requests = useQuery({
    ...read('SecondPersonService.List', { state: 'SECOND_PERSON_REQUEST_STATE_OPEN', pageSize: 100 }),
    enabled: mayConfirm && isLater,
  });
  const toConfirm = (requests.data?.list ?? []).filter(({ canConfirm }) => canConfirm === true).length;
  const count = (removals.data?.list ?? [])
    .filter(({ state }) => waits.includes(state))
    .reduce((sum, one) => sum + Number(one.total ?? 0), 0);
  const asked = (opinions.data?.list ?? []).map((one) => ({ ...one, left: Number(one.asked ?? 0) - Number(one.answered ?? 0) }));
  const open = asked.filter(({ left }) => left > 0);
  const isAsked = count > 0 || open.length > 0 || claims > 0 || disputed > 0 || toConfirm > 0;
  return { count, open, claims, disputed, toConfirm, isAsked };
}
