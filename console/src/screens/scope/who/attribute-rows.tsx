/** Attributes of people and the values of which each must have one. Two stand there always; others are added by the names that imports gave them. */
import { useState } from 'react';
import type { Review } from '~/data/reviews/review.ts';
import { Button } from '~/parts/controls/button.tsx';
import { TextField } from '~/parts/fields/text-field.tsx';
import { type PlainTextKey, text } from '~/text/text.ts';
import { AttributeRow } from './attribute-row.tsx';
import styles from '~/screens/scope/edit.module.css';
import { Disclosure } from '~/parts/layout/disclosure.tsx';

type Attributes = NonNullable<NonNullable<NonNullable<Review['scopeV2']>['userCriteria']>['multiUserProfileAttributes']>;

/** Attributes everybody has, and their names. */
const known: Readonly<Record<string, PlainTextKey>> = {
  department: 'scope.department',
  jobTitle: 'scope.jobTitle',
  employmentStatus: 'scope.employmentStatus',
  employmentType: 'scope.employmentType',
  manager: 'scope.managerAddress',
  email: 'scope.email',
  username: 'scope.username',
  displayName: 'scope.displayName',
};
const common = ['department', 'jobTitle'];

export function AttributeRows({ attributes, onChange }: { attributes: Attributes; onChange: (next: Attributes) => void }) {
  const [added, setAdded] = useState<readonly string[]>([]);
  const [column, setColumn] = useState('');
  const valuesOf = (key: string) => (attributes[key]?.values ?? []).map(({ value }) => value ?? '');
  const set = (key: string, values: readonly string[]) => {
    const { [key]: _before, ...rest } = attributes;
    onChange(values.length === 0 ? rest : { ...rest, [key]: { values: values.map((value) => ({ value })) } });
  };
  const row = (key: string) => (
    <AttributeRow
      key={key}
      label={known[key] === undefined ? key : text(known[key])}
      values={valuesOf(key)}
      onChange={(values) => set(key, values)}
    />
  );
  const others = [...new Set([...Object.keys(attributes), ...added])].filter((key) => !common.includes(key));
  const offered = Object.keys(known).filter((key) => !common.includes(key) && !others.includes(key));
  const add = () => {
    setAdded([...added, column.trim()]);
    setColumn('');
  };
  return (
    <>
      {common.map(row)}
      <Disclosure label={text('scope.otherAttributes')} isSet={others.length > 0}>
        {others.map(row)}
        <div className={styles.row}>
          {offered.map((key) => (
            <Button key={key} variant="quiet" icon="plus" onClick={() => setAdded([...added, key])}>
              {text(known[key] ?? 'scope.email')}
            </Button>
          ))}
        </div>
        <div className={styles.row}>
          <TextField label={text('scope.column')} hint={text('scope.columnHint')} value={column} onChange={setColumn} />
          <Button disabledReason={column.trim() === '' ? text('scope.columnFirst') : undefined} onClick={add}>
            {text('scope.addColumn')}
          </Button>
        </div>
      </Disclosure>
    </>
  );
}
