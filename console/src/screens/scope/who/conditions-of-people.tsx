/** Conditions of people: their state, what they are, whose reports they are, and what they must not hold. All that are set must be met. */
import { searchEntitlements, searchPeople, splitEntitlement } from '~/data/inventory/find.ts';
import { useEntitlementNames, useNames } from '~/data/names.ts';
import type { Review } from '~/data/reviews/review.ts';
import { Checkbox } from '~/parts/controls/checkbox.tsx';
import { type PlainTextKey, text } from '~/text/text.ts';
import { AttributeRows } from './attribute-rows.tsx';
import { ChipPicker } from '~/screens/scope/chip-picker.tsx';
import styles from '~/screens/scope/edit.module.css';
import { Disclosure } from '~/parts/layout/disclosure.tsx';

type Criteria = NonNullable<NonNullable<Review['scopeV2']>['userCriteria']>;
type Status = NonNullable<Criteria['userStatus']>[number];

const statuses: readonly (readonly [Status, PlainTextKey])[] = [
  ['ENABLED', 'scope.enabledPeople'],
  ['DISABLED', 'scope.disabledPeople'],
  ['DELETED', 'scope.deletedPeople'],
];

interface ConditionsOfPeopleProps {
  readonly criteria: Criteria;
  readonly onChange: (next: Criteria) => void;
  /** Older filters know nothing of what people hold. */
  readonly withHolding?: boolean;
}

export function ConditionsOfPeople({ criteria, onChange, withHolding = true }: ConditionsOfPeopleProps) {
  const managers = criteria.managerUserIds ?? [];
  const names = useNames(managers);
  const chosen = criteria.userStatus ?? [];
  const held = (criteria.groupAppEntitlementsRef ?? []).map(({ appId = '', id = '' }) => ({ appId, id }));
  const heldNames = useEntitlementNames(held);
  return (
    <div className={styles.conditions}>
      <div className={styles.row}>
        {statuses.map(([status, label]) => (
          <Checkbox
            key={status}
            label={text(label)}
            checked={chosen.includes(status)}
            onChange={(checked) =>
              onChange({ ...criteria, userStatus: checked ? [...chosen, status] : chosen.filter((one) => one !== status) })
            }
          />
        ))}
      </div>
      <AttributeRows
        attributes={criteria.multiUserProfileAttributes ?? {}}
        onChange={(multiUserProfileAttributes) => onChange({ ...criteria, multiUserProfileAttributes })}
      />
      <ChipPicker
        label={text('scope.reportsOf')}
        addLabel={text('scope.addManager')}
        chosen={managers.map((id) => ({ id, label: names.get(id) ?? '' }))}
        search={searchPeople}
        onChange={(next) => onChange({ ...criteria, managerUserIds: next.map(({ id }) => id) })}
      />
      {withHolding ? (
        <Disclosure label={text('scope.notHolding')} isSet={held.length > 0}>
          <ChipPicker
            label={text('scope.holdNone')}
            addLabel={text('scope.addEntitlement')}
            chosen={held.map(({ appId, id }) => ({ id: `${appId}/${id}`, label: heldNames.get(id) ?? '' }))}
            search={searchEntitlements([])}
            onChange={(next) =>
              onChange({
                ...criteria,
                groupAppEntitlementsRef: next.map((one) => {
                  const { appId, appEntitlementId } = splitEntitlement(one.id);
                  return { appId, id: appEntitlementId };
                }),
              })
            }
          />
        </Disclosure>
      ) : null}
    </div>
  );
}
