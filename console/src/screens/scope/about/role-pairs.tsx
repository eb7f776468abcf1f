/** Roles within a part of an app: each a resource that is the role, at or below a resource that is the part. */
import { useState } from 'react';
import { searchResources, splitInApp, useResourceNames } from '~/data/inventory/inventory-names.ts';
import { Button } from '~/parts/controls/button.tsx';
import { Combobox, type Option } from '~/parts/fields/combobox.tsx';
import { text } from '~/text/text.ts';
import { Chips } from '~/screens/scope/chips.tsx';
import styles from '~/screens/scope/edit.module.css';
import type { ScopeLists } from '~/screens/scope/use-lists.ts';

type Pair = NonNullable<ScopeLists['scopeRoles']>[number];

const keyOf = ({ scopeResourceId, roleResourceId }: Pair): string => `${scopeResourceId}/${roleResourceId}`;

export function RolePairs({ pairs, onChange }: { pairs: readonly Pair[]; onChange: (next: readonly Pair[]) => void }) {
  const [role, setRole] = useState<Option>();
  const [part, setPart] = useState<Option>();
  const [round, setRound] = useState(0);
  const names = useResourceNames(
    pairs.flatMap(({ appId = '', scopeResourceId = '', roleResourceId = '' }) => [
      { appId, id: scopeResourceId },
      { appId, id: roleResourceId },
    ]),
  );
  const isComplete = role !== undefined && part !== undefined;
  const isOfOneApp = isComplete && splitInApp(role.id).appId === splitInApp(part.id).appId;
  const lacks = !isComplete ? text('scope.chooseRole') : isOfOneApp ? undefined : text('scope.roleOfOneApp');
  const add = () => {
    if (role !== undefined && part !== undefined) {
      onChange([
        ...pairs,
        { appId: splitInApp(part.id).appId, scopeResourceId: splitInApp(part.id).id, roleResourceId: splitInApp(role.id).id },
      ]);
      setRole(undefined);
      setPart(undefined);
      setRound(round + 1);
    }
  };
  return (
    <fieldset className={styles.group}>
      <legend>{text('scope.roles')}</legend>
      {pairs.length === 0 ? null : (
        <Chips
          chosen={pairs.map((pair) => ({
            id: keyOf(pair),
            label: text('scope.rolePair', {
              role: names.get(pair.roleResourceId ?? '') || (pair.roleResourceId ?? ''),
              part: names.get(pair.scopeResourceId ?? '') || (pair.scopeResourceId ?? ''),
            }),
          }))}
          onTakeAway={(gone) => onChange(pairs.filter((pair) => keyOf(pair) !== gone))}
        />
      )}
      <div key={round} className={styles.row}>
        <Combobox label={text('scope.role')} value={role} onChange={setRole} search={searchResources()} />
        <Combobox label={text('scope.within')} value={part} onChange={setPart} search={searchResources()} />
        <Button disabledReason={lacks} onClick={add}>
          {text('scope.addRole')}
        </Button>
      </div>
    </fieldset>
  );
}
