/** Things a credential may do: all that its owner may, now and later, or some of the roles they hold. The owner is oneself or a program. */
import { Checkbox } from '~/parts/controls/checkbox.tsx';
import { RadioGroup } from '~/parts/controls/radio-group.tsx';
import { text } from '~/text/text.ts';
import styles from './credentials.module.css';
import type { HeldRole } from './types.ts';

/** Returns what is wrong where only some roles are wanted and none is chosen. */
export const needsRoles = (roles: readonly string[] | null): string | undefined =>
  roles?.length === 0 ? text('credentials.rolesNeeded') : undefined;

interface RolesFieldProps {
  readonly held: readonly HeldRole[];
  /** Null is all. */
  readonly value: readonly string[] | null;
  readonly onChange: (value: readonly string[] | null) => void;
  readonly error: string | undefined;
  /** True if it belongs to a program and not to whoever makes it. */
  readonly ofProgram?: boolean;
}

export function RolesField({ held, value, onChange, error, ofProgram = false }: RolesFieldProps) {
  const some = text(ofProgram ? 'principals.someRoles' : 'credentials.some');
  if (held.length < 2) {
    return (
      <div className={styles.field}>
        <b>{text('credentials.may')}</b>
        <p className={styles.hint}>{text(ofProgram ? 'principals.allRolesHint' : 'credentials.allHint')}</p>
      </div>
    );
  }
  return (
    <div className={styles.field}>
      <RadioGroup
        label={text('credentials.mayLabel')}
        value={value === null ? 'all' : 'some'}
        onChange={(choice) => onChange(choice === 'all' ? null : [])}
        options={[
          { value: 'all', label: text(ofProgram ? 'principals.allRoles' : 'credentials.all') },
          { value: 'some', label: some },
        ]}
      />
      {value === null ? null : (
        <fieldset className={styles.roles} aria-label={some}>
          {held.map((role) => (
            <Checkbox
              key={role.id}
              label={role.name}
              checked={value.includes(role.id)}
              onChange={(isOn) => onChange(isOn ? [...value, role.id] : value.filter((id) => id !== role.id))}
            />
          ))}
        </fieldset>
      )}
      {error === undefined ? null : (
        <p className={styles.error} role="alert">
          {error}
        </p>
      )}
    </div>
  );
}
