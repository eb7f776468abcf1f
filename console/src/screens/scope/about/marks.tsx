/** Entitlements by how risky they are, and by the rules of law or standards that they fall under. One of each list is enough; an empty list says nothing. */
import { useQuery } from '@tanstack/react-query';
import { read } from '~/data/query.ts';
import type { Review } from '~/data/reviews/review.ts';
import { Checkbox } from '~/parts/controls/checkbox.tsx';
import { text } from '~/text/text.ts';
import styles from '~/screens/scope/edit.module.css';

type Criteria = NonNullable<NonNullable<Review['scopeV2']>['appSelectionCriteria']>;
type Member = 'riskLevelAttributeValueIds' | 'complianceFrameworkAttributeValueIds';

export function Marks({ criteria, onChange }: { criteria: Criteria; onChange: (next: Criteria) => void }) {
  const levels = useQuery(read('RiskLevelService.ListRiskLevels', { pageSize: 100 }));
  const frameworks = useQuery(read('ComplianceFrameworkService.ListComplianceFrameworks', { pageSize: 100 }));
  const lists = [
    { member: 'riskLevelAttributeValueIds' as Member, label: text('scope.riskLevels'), query: levels, none: text('scope.noRiskLevels') },
    {
      member: 'complianceFrameworkAttributeValueIds' as Member,
      label: text('scope.frameworks'),
      query: frameworks,
      none: text('scope.noFrameworks'),
    },
  ];
  return lists.map(({ member, label, query, none }) => {
    const chosen = criteria[member] ?? [];
    return (
      <fieldset key={member} className={styles.group}>
        <legend>{label}</legend>
        <div className={styles.row}>
          {(query.data?.list ?? []).map(({ id = '', value = '' }) => (
            <Checkbox
              key={id}
              label={value}
              checked={chosen.includes(id)}
              onChange={(checked) => onChange({ ...criteria, [member]: checked ? [...chosen, id] : chosen.filter((one) => one !== id) })}
            />
          ))}
          {query.isSuccess && (query.data.list ?? []).length === 0 ? <p className={styles.quiet}>{none}</p> : null}
        </div>
      </fieldset>
    );
  });
}
