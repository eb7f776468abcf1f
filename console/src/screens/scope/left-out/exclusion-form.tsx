/** Leaving something out by name, with the reason that stands in the evidence. */
import { useState } from 'react';
import { searchEntitlements, searchPeople } from '~/data/inventory/find.ts';
import { searchAccounts, searchResources, searchResourceTypes, splitInApp } from '~/data/inventory/inventory-names.ts';
import { Button } from '~/parts/controls/button.tsx';
import { Combobox, type Option } from '~/parts/fields/combobox.tsx';
import { Select } from '~/parts/controls/select.tsx';
import { TextField } from '~/parts/fields/text-field.tsx';
import { text } from '~/text/text.ts';
import styles from '~/screens/scope/edit.module.css';
import { type ExclusionKind, exclusionKinds, kindLabels } from './exclusion-kinds.ts';
import type { Exclusion } from '~/screens/scope/use-lists.ts';

interface ExclusionFormProps {
  readonly appIds: readonly string[];
  readonly isBusy: boolean;
  readonly onAdd: (exclusion: Exclusion) => void;
  readonly onCancel: () => void;
}

/** The exclusion of what was chosen; of a grant, the account and the entitlement. */
function exclusionOf(kind: ExclusionKind, chosen: Option, account: Option | undefined, reason: string): Exclusion {
  const { appId, id } = splitInApp(chosen.id);
  const common = { kind: exclusionKinds[kind], reason };
  switch (kind) {
    case 'person':
      return { ...common, id: chosen.id };
    case 'account':
      return { ...common, appId, accountId: id };
    case 'entitlement':
      return { ...common, appId, entitlementId: id };
    case 'grant':
      return { ...common, appId, entitlementId: id, accountId: splitInApp(account?.id ?? '').id };
    default:
      return { ...common, appId, id };
  }
}

export function ExclusionForm({ appIds, isBusy, onAdd, onCancel }: ExclusionFormProps) {
  const [kind, setKind] = useState<ExclusionKind>('entitlement');
  const [chosen, setChosen] = useState<Option>();
  const [account, setAccount] = useState<Option>();
  const [reason, setReason] = useState('');
  const searches = {
    entitlement: searchEntitlements(appIds),
    person: searchPeople,
    account: searchAccounts,
    grant: searchEntitlements(appIds),
    resource: searchResources(appIds),
    resourceType: searchResourceTypes,
  };
  const isMissing = chosen === undefined || (kind === 'grant' && account === undefined);
  const lacks = isMissing ? text('scope.chooseFirst') : reason.trim() === '' ? text('scope.reasonFirst') : undefined;
  return (
    <div className={styles.conditions}>
      <Select<ExclusionKind>
        label={text('scope.leaveOutWhat')}
        value={kind}
        onChange={(next) => {
          setKind(next);
          setChosen(undefined);
        }}
        options={(Object.keys(kindLabels) as ExclusionKind[]).map((value) => ({ value, label: text(kindLabels[value]) }))}
      />
      {kind === 'grant' ? <Combobox label={text('scope.anAccount')} value={account} onChange={setAccount} search={searchAccounts} /> : null}
      <Combobox
        key={kind}
        label={text(kind === 'grant' ? 'scope.anEntitlement' : kindLabels[kind])}
        value={chosen}
        onChange={setChosen}
        search={searches[kind]}
      />
      <TextField label={text('scope.reason')} value={reason} onChange={setReason} maxLength={1000} required />
      <div className={styles.row}>
        <Button
          busy={isBusy}
          disabledReason={lacks}
          onClick={() => {
            if (chosen !== undefined) {
              onAdd(exclusionOf(kind, chosen, account, reason));
            }
          }}
        >
          {text('scope.leaveItOut')}
        </Button>
        <Button variant="quiet" onClick={onCancel}>
          {text('review.cancel')}
        </Button>
      </div>
    </div>
  );
}
