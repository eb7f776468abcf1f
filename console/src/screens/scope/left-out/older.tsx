/** Filters that programs write in older members of a review. They narrow what the rest of the scope chooses, so they stand here where they are set. */
import { searchPeople } from '~/data/inventory/find.ts';
import { useNames } from '~/data/names.ts';
import type { Review } from '~/data/reviews/review.ts';
import { Button } from '~/parts/controls/button.tsx';
import { Checkbox } from '~/parts/controls/checkbox.tsx';
import { text } from '~/text/text.ts';
import { AccountBoxes } from '~/screens/scope/about/account-boxes.tsx';
import { ChipPicker } from '~/screens/scope/chip-picker.tsx';
import { Clause } from '~/screens/scope/clause.tsx';
import { ConditionsOfPeople } from '~/screens/scope/who/conditions-of-people.tsx';
import styles from '~/screens/scope/edit.module.css';
import type { ClauseProps } from '~/screens/scope/props.ts';

type Inclusion = NonNullable<Review['inclusionScope']>;
type Criteria = NonNullable<NonNullable<Review['scopeV2']>['userCriteria']>;
type UserStatuses = NonNullable<Inclusion['userStatuses']>;

/** True if an older member filters anything. */
export function hasOlder({ scope, inclusionScope }: Review): boolean {
  const says = (value: unknown): boolean =>
    Array.isArray(value) ? value.length > 0 : typeof value === 'object' && value !== null ? Object.keys(value).length > 0 : value === true;
  return [...Object.values(scope ?? {}), ...Object.values(inclusionScope ?? {})].some(says);
}

export function Older({ draft: { review, change }, count }: ClauseProps) {
  const scope = review.scope ?? {};
  const inclusion = review.inclusionScope ?? {};
  const people = inclusion.userIds ?? [];
  const names = useNames(people);
  const include = (next: Partial<Inclusion>) => change({ inclusionScope: { ...inclusion, ...next } });
  const criteria: Criteria = {
    userStatus: (inclusion.userStatuses ?? []).map((one) => String(one).replace(/^USER_/, '')) as NonNullable<Criteria['userStatus']>,
    managerUserIds: inclusion.managerIds ?? [],
    multiUserProfileAttributes: inclusion.multiUserProfileAttributes ?? {},
  };
  return (
    <Clause word={text('scope.older')} count={count}>
      <p className={styles.quiet}>{text('scope.olderWhat')}</p>
      <div className={styles.conditions}>
        {(scope.appUserTypes ?? []).length + (scope.appUserStatuses ?? []).length > 0 ? (
          <AccountBoxes
            types={scope.appUserTypes ?? []}
            statuses={scope.appUserStatuses ?? []}
            onTypes={(appUserTypes) => change({ scope: { ...scope, appUserTypes } })}
            onStatuses={(appUserStatuses) => change({ scope: { ...scope, appUserStatuses } })}
          />
        ) : null}
        <AccountBoxes
          types={inclusion.appUserTypes ?? []}
          statuses={inclusion.appUserStatuses ?? []}
          onTypes={(appUserTypes) => include({ appUserTypes })}
          onStatuses={(appUserStatuses) => include({ appUserStatuses })}
        />
        <Checkbox
          label={text('scope.noOwner')}
          checked={inclusion.noAccountOwners === true}
          onChange={(noAccountOwners) => include({ noAccountOwners })}
        />
        <ChipPicker
          label={text('scope.people')}
          addLabel={text('scope.addPerson')}
          chosen={people.map((id) => ({ id, label: names.get(id) ?? '' }))}
          search={searchPeople}
          onChange={(next) => include({ userIds: next.map(({ id }) => id) })}
        />
      </div>
      <ConditionsOfPeople
        criteria={criteria}
        withHolding={false}
        onChange={(next) =>
          include({
            userStatuses: (next.userStatus ?? []).map((one) => `USER_${one}`) as UserStatuses,
            managerIds: next.managerUserIds ?? [],
            multiUserProfileAttributes: next.multiUserProfileAttributes ?? {},
          })
        }
      />
      <div>
        <Button variant="quiet" icon="cross" onClick={() => change({ scope: {}, inclusionScope: {} })}>
          {text('scope.olderRemove')}
        </Button>
      </div>
    </Clause>
  );
}
