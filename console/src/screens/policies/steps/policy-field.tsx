/** Another policy of the same type, which takes over. */
import { useQuery } from '@tanstack/react-query';
import { read } from '~/data/query.ts';
import { Select } from '~/parts/controls/select.tsx';
import { text } from '~/text/text.ts';
import type { PolicyKind } from '~/screens/policies/types.ts';

interface PolicyFieldProps {
  readonly label: string;
  readonly value: string;
  /** The policy that refers to it: one does not refer to itself. */
  readonly except: string;
  readonly policyType: PolicyKind;
  readonly onChange: (id: string) => void;
}

/** All policies of a type, at most a hundred. */
export const policiesQuery = (policyType: PolicyKind) => read('PolicyService.Search', { policyTypes: [policyType], pageSize: 100 });

export function PolicyField({ label, value, except, policyType, onChange }: PolicyFieldProps) {
  const list = useQuery(policiesQuery(policyType)).data?.list ?? [];
  const options = list.filter(({ id }) => id !== except).map(({ id = '', displayName = '' }) => ({ value: id, label: displayName }));
  return (
    <Select label={label} value={value} onChange={onChange} options={[{ value: '', label: text('policies.choosePolicy') }, ...options]} />
  );
}
