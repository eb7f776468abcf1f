/** Exclusions by name, each with its reason, and a way to take it back in. */
import { useAccountNames, useResourceNames, useResourceTypeNames } from '~/data/inventory/inventory-names.ts';
import { useEntitlementNames, useNames } from '~/data/names.ts';
import { Remove } from '~/parts/controls/remove.tsx';
import { text } from '~/text/text.ts';
import styles from '~/screens/scope/edit.module.css';
import { exclusionKinds, kindName } from './exclusion-kinds.ts';
import type { Exclusion } from '~/screens/scope/use-lists.ts';

const ofKind = (exclusions: readonly Exclusion[], ...kinds: readonly string[]) =>
  exclusions.filter(({ kind }) => kinds.includes(String(kind)));

export function Exclusions({ exclusions, onChange }: { exclusions: readonly Exclusion[]; onChange: (next: readonly Exclusion[]) => void }) {
  const inApp = (one: Exclusion, id: string | undefined) => ({ appId: one.appId ?? '', id: id ?? '' });
  const people = useNames(ofKind(exclusions, exclusionKinds.person).map(({ id }) => id));
  const entitlements = useEntitlementNames(
    ofKind(exclusions, exclusionKinds.entitlement, exclusionKinds.grant).map((one) => inApp(one, one.entitlementId)),
  );
  const accounts = useAccountNames(
    ofKind(exclusions, exclusionKinds.account, exclusionKinds.grant).map((one) => inApp(one, one.accountId)),
  );
  const resources = useResourceNames(ofKind(exclusions, exclusionKinds.resource).map((one) => inApp(one, one.id)));
  const types = useResourceTypeNames(ofKind(exclusions, exclusionKinds.resourceType).map((one) => inApp(one, one.id)));
  const nameOf = ({ kind, id = '', entitlementId = '', accountId = '' }: Exclusion): string => {
    switch (kind) {
      case exclusionKinds.person:
        return people.get(id) || id;
      case exclusionKinds.account:
        return accounts.get(accountId) || accountId;
      case exclusionKinds.resource:
        return resources.get(id) || id;
      case exclusionKinds.resourceType:
        return types.get(id) || id;
      case exclusionKinds.grant:
        return text('scope.grantOf', {
          account: accounts.get(accountId) || accountId,
          entitlement: entitlements.get(entitlementId) || entitlementId,
        });
      default:
        return entitlements.get(entitlementId) || entitlementId;
    }
  };
  return exclusions.length === 0 ? null : (
    <ul className={styles.exclusions}>
      {exclusions.map((one) => (
        <li key={JSON.stringify(one)}>
          <small>{kindName(one.kind)}</small> <strong>{nameOf(one)}</strong>{' '}
          <span>{text('scope.because', { reason: one.reason ?? '' })}</span>
          <Remove
            label={text('scope.takeAway', { name: nameOf(one) })}
            onClick={() => onChange(exclusions.filter((other) => other !== one))}
          />
        </li>
      ))}
    </ul>
  );
}
