/** Policy used: one policy for the whole review, or those of the apps and entitlements. */
import { useQuery } from '@tanstack/react-query';
import { Select } from '~/parts/controls/select.tsx';
import { Switch } from '~/parts/controls/switch.tsx';
import { fieldViolation } from '~/data/act.ts';
import { read } from '~/data/query.ts';
import { text } from '~/text/text.ts';
import styles from '~/screens/scope/edit.module.css';
import type { PartProps } from '~/screens/scope/props.ts';

export function PolicyPart({ draft: { review, change, error } }: PartProps) {
  const query = useQuery(read('PolicyService.Search', { policyTypes: ['POLICY_TYPE_CERTIFY'], pageSize: 100 }));
  const policies = query.data?.list ?? [];
  const chosen = policies.find(({ id }) => id === review.policyId);
  return (
    <div className={styles.fields}>
      <p className={styles.quiet}>{text('scope.policyWhat')}</p>
      <Select
        label={text('scope.policy')}
        value={review.policyId ?? ''}
        onChange={(policyId) => change({ policyId })}
        hint={chosen?.description}
        error={fieldViolation(error, 'policyId')}
        options={[
          { value: '', label: text('scope.policyDefault') },
          ...policies.map(({ id, displayName }) => ({ value: id ?? '', label: displayName ?? '' })),
        ]}
      />
      <Switch
        label={text('scope.policyOverride')}
        hint={text('scope.policyOverrideHint')}
        checked={review.usePolicyOverride === true}
        onChange={(usePolicyOverride) => change({ usePolicyOverride })}
      />
      <Switch
        label={text('scope.autoResolve')}
        hint={text('scope.autoResolveHint')}
        checked={review.autoResolve === true}
        onChange={(autoResolve) => change({ autoResolve })}
      />
    </div>
  );
}
