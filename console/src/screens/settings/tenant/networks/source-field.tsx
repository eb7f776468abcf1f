/** From where one kind of access is accepted: from anywhere, or from some address blocks alone. */
import { CidrField } from '~/parts/fields/cidr-field.tsx';
import { Switch } from '~/parts/controls/switch.tsx';
import { text } from '~/text/text.ts';
import styles from '~/screens/settings/tenant/tenant.module.css';
import type { Source } from './sources.ts';

interface SourceFieldProps {
  readonly label: string;
  readonly value: Source;
  readonly onChange: (value: Source) => void;
  readonly error: string | undefined;
}

export function SourceField({ label, value, onChange, error }: SourceFieldProps) {
  return (
    <div className={styles.choices}>
      <Switch
        label={label}
        checked={value.enabled}
        onChange={(enabled) => onChange({ ...value, enabled })}
        hint={value.enabled ? undefined : text('networks.anywhere')}
      />
      {value.enabled ? (
        <CidrField
          label={text('networks.blocksOf', { what: label })}
          value={value.sourceCidr}
          onChange={(sourceCidr) => onChange({ ...value, sourceCidr })}
          error={error}
        />
      ) : null}
    </div>
  );
}
