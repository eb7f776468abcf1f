/** Grants named one by one: where there are any, the review asks about these alone, as far as the rest of its scope chooses them. */
import { useState } from 'react';
import { searchEntitlements } from '~/data/inventory/find.ts';
import { searchAccounts, splitInApp, useAccountNames } from '~/data/inventory/inventory-names.ts';
import { useEntitlementNames } from '~/data/names.ts';
import { Button } from '~/parts/controls/button.tsx';
import { Combobox, type Option } from '~/parts/fields/combobox.tsx';
import { text } from '~/text/text.ts';
import { Chips } from '~/screens/scope/chips.tsx';
import styles from '~/screens/scope/edit.module.css';
import type { ScopeLists } from '~/screens/scope/use-lists.ts';

type Grant = NonNullable<ScopeLists['grants']>[number];

/** Most of them that stand in sight. */
const maxShown = 50;

const keyOf = ({ accountId, entitlementId }: Grant): string => `${accountId}/${entitlementId}`;

export function NamedGrants({ grants, onChange }: { grants: readonly Grant[]; onChange: (next: readonly Grant[]) => void }) {
  const [account, setAccount] = useState<Option>();
  const [entitlement, setEntitlement] = useState<Option>();
  const [round, setRound] = useState(0);
  const shown = grants.slice(0, maxShown);
  const accounts = useAccountNames(shown.map(({ appId = '', accountId = '' }) => ({ appId, id: accountId })));
  const entitlements = useEntitlementNames(shown.map(({ appId = '', entitlementId = '' }) => ({ appId, id: entitlementId })));
  const isComplete = account !== undefined && entitlement !== undefined;
  const add = () => {
    if (account !== undefined && entitlement !== undefined) {
      const { appId, id } = splitInApp(entitlement.id);
      onChange([...grants, { appId, entitlementId: id, accountId: splitInApp(account.id).id }]);
      setAccount(undefined);
      setEntitlement(undefined);
      setRound(round + 1);
    }
  };
  return (
    <>
      <p className={styles.quiet}>{text('scope.onlyGrantsWhat', { count: grants.length })}</p>
      {shown.length === 0 ? null : (
        <Chips
          chosen={shown.map((grant) => ({
            id: keyOf(grant),
            label: text('scope.grantOf', {
              account: accounts.get(grant.accountId ?? '') || (grant.accountId ?? ''),
              entitlement: entitlements.get(grant.entitlementId ?? '') || (grant.entitlementId ?? ''),
            }),
          }))}
          onTakeAway={(gone) => onChange(grants.filter((grant) => keyOf(grant) !== gone))}
        />
      )}
      <div key={round} className={styles.row}>
        <Combobox label={text('scope.anAccount')} value={account} onChange={setAccount} search={searchAccounts} />
        <Combobox
          label={text('scope.anEntitlement')}
          value={entitlement}
          onChange={setEntitlement}
          search={searchEntitlements(account === undefined ? [] : [splitInApp(account.id).appId])}
        />
        <Button disabledReason={isComplete ? undefined : text('scope.chooseGrant')} onClick={add}>
          {text('scope.addGrant')}
        </Button>
        {grants.length === 0 ? null : (
          <Button variant="quiet" onClick={() => onChange([])}>
            {text('scope.clearList')}
          </Button>
        )}
      </div>
    </>
  );
}
