/** An expression of a policy, checked by the server when the writer pauses. */
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { read, type RequestOf } from '~/data/query.ts';
import { Cel } from '~/parts/fields/cel.tsx';
import { text } from '~/text/text.ts';

interface ConditionProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly environment?: NonNullable<RequestOf<'ExpressionService.Validate'>['environment']>;
}

export function Condition({ label, value, onChange, environment = 'EXPRESSION_ENVIRONMENT_POLICY_CONDITION' }: ConditionProps) {
  const [rested, setRested] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setRested(value), 400);
    return () => clearTimeout(timer);
  }, [value]);
  const check = useQuery({ ...read('ExpressionService.Validate', { text: rested, environment }), enabled: rested.trim() !== '' });
  const marker = rested === value && rested.trim() !== '' ? check.data?.markers?.[0] : undefined;
  const error =
    marker === undefined
      ? undefined
      : text('policies.wrongAt', { line: marker.startLineNumber ?? 1, column: marker.startColumn ?? 1, message: marker.message ?? '' });
  return <Cel label={label} value={value} onChange={onChange} error={error} />;
}
