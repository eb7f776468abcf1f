/** Accounts by their state and their type, to be ticked: of what is ticked in a line, one is enough. */
import type { Review } from '~/data/reviews/review.ts';
import { Checkbox } from '~/parts/controls/checkbox.tsx';
import { type PlainTextKey, text } from '~/text/text.ts';
import styles from '~/screens/scope/edit.module.css';

type Scope = NonNullable<Review['exclusionScope']>;
export type AccountType = NonNullable<Scope['appUserTypes']>[number];
export type AccountStatus = NonNullable<Scope['appUserStatuses']>[number];

const types: readonly (readonly [AccountType, PlainTextKey])[] = [
  ['APP_USER_TYPE_USER', 'scope.accountsOfPeople'],
  ['APP_USER_TYPE_SERVICE_ACCOUNT', 'scope.serviceAccounts'],
  ['APP_USER_TYPE_SYSTEM_ACCOUNT', 'scope.systemAccounts'],
];
const statuses: readonly (readonly [AccountStatus, PlainTextKey])[] = [
  ['APP_USER_STATUS_ENABLED', 'scope.enabled'],
  ['APP_USER_STATUS_DISABLED', 'scope.disabled'],
  ['APP_USER_STATUS_DELETED', 'scope.deleted'],
];

interface AccountBoxesProps {
  readonly types: readonly AccountType[];
  readonly statuses: readonly AccountStatus[];
  readonly onTypes: (next: AccountType[]) => void;
  readonly onStatuses: (next: AccountStatus[]) => void;
}

function toggled<T>(list: readonly T[], value: T, checked: boolean): T[] {
  return checked ? [...list, value] : list.filter((one) => one !== value);
}

export function AccountBoxes({ types: chosenTypes, statuses: chosenStatuses, onTypes, onStatuses }: AccountBoxesProps) {
  return (
    <>
      <div className={styles.row}>
        {statuses.map(([value, label]) => (
          <Checkbox
            key={value}
            label={text(label)}
            checked={chosenStatuses.includes(value)}
            onChange={(checked) => onStatuses(toggled(chosenStatuses, value, checked))}
          />
        ))}
      </div>
      <div className={styles.row}>
        {types.map(([value, label]) => (
          <Checkbox
            key={value}
            label={text(label)}
            checked={chosenTypes.includes(value)}
            onChange={(checked) => onTypes(toggled(chosenTypes, value, checked))}
          />
        ))}
      </div>
    </>
  );
}
