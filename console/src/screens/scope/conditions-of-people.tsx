/** Conditions of people: their state, whose reports they are, and their department or job. All that are set must be met. */
import { Checkbox } from '../../parts/checkbox.tsx';
import { TextField } from '../../parts/text-field.tsx';
import { searchPeople } from '../../data/find.ts';
import { useNames } from '../../data/names.ts';
import type { Review } from '../../data/review.ts';
import { text } from '../../text/text.ts';
import { ChipPicker } from './chip-picker.tsx';
import styles from './edit.module.css';

type Criteria = NonNullable<NonNullable<Review['scopeV2']>['userCriteria']>;
type Status = NonNullable<Criteria['userStatus']>[number];

const attributes = ['department', 'jobTitle'] as const;

export function ConditionsOfPeople({ criteria, onChange }: { criteria: Criteria; onChange: (next: Criteria) => void }) {
  const managers = criteria.managerUserIds ?? [];
  const names = useNames(managers);
  const statuses = criteria.userStatus ?? [];
  const toggle = (status: Status, checked: boolean) =>
    onChange({ ...criteria, userStatus: checked ? [...statuses, status] : statuses.filter((one) => one !== status) });
  const valuesOf = (key: string) => (criteria.multiUserProfileAttributes?.[key]?.values ?? []).map(({ value }) => value ?? '').join(', ');
  const setValues = (key: string, written: string) => {
    const values = written.split(',').map((one) => ({ value: one.trim() }));
    const { [key]: _before, ...rest } = criteria.multiUserProfileAttributes ?? {};
    onChange({ ...criteria, multiUserProfileAttributes: written.trim() === '' ? rest : { ...rest, [key]: { values } } });
  };
  return (
    <div className={styles.conditions}>
      <div className={styles.row}>
        <Checkbox
          label={text('scope.enabledPeople')}
          checked={statuses.includes('ENABLED')}
          onChange={(checked) => toggle('ENABLED', checked)}
        />
        <Checkbox
          label={text('scope.disabledPeople')}
          checked={statuses.includes('DISABLED')}
          onChange={(checked) => toggle('DISABLED', checked)}
        />
      </div>
      {attributes.map((key) => (
        <TextField
          key={key}
          label={text(key === 'department' ? 'scope.department' : 'scope.jobTitle')}
          hint={text('scope.severalValues')}
          value={valuesOf(key)}
          onChange={(written) => setValues(key, written)}
        />
      ))}
      <ChipPicker
        label={text('scope.reportsOf')}
        addLabel={text('scope.addManager')}
        chosen={managers.map((id) => ({ id, label: names.get(id) ?? '' }))}
        search={searchPeople}
        onChange={(next) => onChange({ ...criteria, managerUserIds: next.map(({ id }) => id) })}
      />
    </div>
  );
}
