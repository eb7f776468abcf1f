/** Several entitlements of any apps: those chosen, each with its removal, and a field that finds another. */
import { useState } from 'react';
import { ChosenList } from '~/app/people/chosen-list.tsx';
import { findEntitlements, splitEntitlement } from '~/data/inventory/find.ts';
import { useEntitlementNames } from '~/data/names.ts';
import { Combobox } from '~/parts/fields/combobox.tsx';
import { text } from '~/text/text.ts';
import styles from '~/app/people/people-field.module.css';

/** An entitlement as the API refers to it. */
export interface ChosenEntitlement {
  readonly appId?: string;
  readonly appEntitlementId?: string;
}

interface EntitlementsFieldProps {
  readonly label: string;
  readonly value: readonly ChosenEntitlement[];
  readonly onChange: (value: readonly ChosenEntitlement[]) => void;
}

export function EntitlementsField({ label, value, onChange }: EntitlementsFieldProps) {
  const [added, setAdded] = useState<ReadonlyMap<string, string>>(new Map());
  const names = useEntitlementNames(value.map(({ appId = '', appEntitlementId = '' }) => ({ appId, id: appEntitlementId })));
  return (
    <div className={styles.people}>
      <Combobox
        label={label}
        value={undefined}
        search={findEntitlements}
        placeholder={text('policies.findRight')}
        onChange={(option) => {
          const chosen = splitEntitlement(option?.id ?? '');
          if (option !== undefined && !value.some(({ appEntitlementId }) => appEntitlementId === chosen.appEntitlementId)) {
            setAdded((before) => new Map(before).set(chosen.appEntitlementId, option.label));
            onChange([...value, chosen]);
          }
        }}
      />
      <ChosenList
        ids={value.map(({ appEntitlementId = '' }) => appEntitlementId)}
        names={[names, added]}
        onRemove={(id) => onChange(value.filter((one) => one.appEntitlementId !== id))}
      />
    </div>
  );
}
