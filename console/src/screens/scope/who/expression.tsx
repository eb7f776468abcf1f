/** An expression that chooses people or accounts. What is wrong with it is said below it while one writes; only what holds is stored. */
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useUnsaved } from '~/app/forms/unsaved.ts';
import { Cel } from '~/parts/fields/cel.tsx';
import { read, type RequestOf } from '~/data/query.ts';
import { text } from '~/text/text.ts';
import styles from '~/screens/scope/edit.module.css';
import { useRested } from '~/screens/scope/preview/use-rested.ts';

interface ExpressionProps {
  readonly label: string;
  readonly value: string;
  readonly environment: NonNullable<RequestOf<'ExpressionService.Validate'>['environment']>;
  readonly onChange: (expression: string) => void;
}

export function Expression({ label, value, environment, onChange }: ExpressionProps) {
  const [written, setWritten] = useState(value);
  const rested = useRested(written, 300);
  const check = useQuery({
    ...read('ExpressionService.Validate', { text: rested, environment }),
    enabled: rested.trim() !== '',
    staleTime: 300_000,
  });
  const wrong = rested.trim() === '' ? text('scope.expressionEmpty') : check.data?.markers?.[0]?.message;
  const isValid = rested === written && check.isSuccess && wrong === undefined;
  const [stored, setStored] = useState(value);
  useUnsaved(written !== stored && written.trim() !== '');
  if (isValid && stored !== written) {
    setStored(written);
    // After this render: the change belongs to the form around it.
    queueMicrotask(() => onChange(written));
  }
  return (
    <>
      <Cel label={label} hideLabel value={written} onChange={setWritten} error={rested === written ? wrong : undefined} />
      <p className={styles.verdict} role="status">
        {rested !== written || check.isFetching ? text('scope.checking') : isValid ? text('scope.valid') : ''}
      </p>
    </>
  );
}
