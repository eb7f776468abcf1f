/** Policy that decides each entitlement chosen one by one, where that is another than the review's. */
import { useQuery } from '@tanstack/react-query';
import { read } from '~/data/query.ts';
import type { Review } from '~/data/reviews/review.ts';
import { Select } from '~/parts/controls/select.tsx';
import { text } from '~/text/text.ts';
import { chosenEntitlements, withPolicy } from './chosen.ts';

interface EntitlementPoliciesProps {
  readonly review: Review;
  readonly names: ReadonlyMap<string, string>;
  readonly onChange: (patch: Partial<Review>) => void;
}

export function EntitlementPolicies({ review, names, onChange }: EntitlementPoliciesProps) {
  const query = useQuery(read('PolicyService.Search', { policyTypes: ['POLICY_TYPE_CERTIFY'], pageSize: 100 }));
  const options = [
    { value: '', label: text('scope.policyOfReview') },
    ...(query.data?.list ?? []).map(({ id, displayName }) => ({ value: id ?? '', label: displayName ?? '' })),
  ];
  return chosenEntitlements(review).map((one) => (
    <Select
      key={`${one.appId}/${one.id}`}
      label={names.get(one.id) || one.id}
      value={one.policyId}
      options={options}
      onChange={(policyId) => onChange(withPolicy(review, one, policyId))}
    />
  ));
}
