/** Leaving one entitlement or one person out, with the reason that stands in the evidence. */
import { useState } from 'react';
import { Button } from '../../parts/button.tsx';
import { Combobox, type Option } from '../../parts/combobox.tsx';
import { TextField } from '../../parts/text-field.tsx';
import { searchEntitlements, searchPeople } from '../../data/find.ts';
import { text } from '../../text/text.ts';
import styles from './edit.module.css';
import type { Exclusion } from './leave-out.tsx';

interface ExclusionFormProps {
  readonly kind: 'entitlement' | 'person';
  readonly appIds: readonly string[];
  readonly isBusy: boolean;
  readonly onAdd: (exclusion: Exclusion) => void;
  readonly onCancel: () => void;
}

export function ExclusionForm({ kind, appIds, isBusy, onAdd, onCancel }: ExclusionFormProps) {
  const [chosen, setChosen] = useState<Option>();
  const [reason, setReason] = useState('');
  const [appId = '', entitlementId = ''] = (chosen?.id ?? '').split('/');
  const add = () =>
    onAdd(
      kind === 'person'
        ? { kind: 'SCOPE_EXCLUSION_KIND_USER', id: chosen?.id ?? '', reason }
        : { kind: 'SCOPE_EXCLUSION_KIND_ENTITLEMENT', appId, entitlementId, reason },
    );
  const lacks = chosen === undefined ? text('scope.chooseFirst') : reason.trim() === '' ? text('scope.reasonFirst') : undefined;
  return (
    <div className={styles.conditions}>
      <Combobox
        label={kind === 'person' ? text('scope.aPerson') : text('scope.anEntitlement')}
        value={chosen}
        onChange={setChosen}
        search={kind === 'person' ? searchPeople : searchEntitlements(appIds)}
      />
      <TextField label={text('scope.reason')} value={reason} onChange={setReason} maxLength={1000} required />
      <div className={styles.row}>
        <Button busy={isBusy} disabledReason={lacks} onClick={add}>
          {text('scope.leaveItOut')}
        </Button>
        <Button variant="quiet" onClick={onCancel}>
          {text('review.cancel')}
        </Button>
      </div>
    </div>
  );
}
