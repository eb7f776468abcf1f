/** Through which accounts: by type, state, and whether they belong to anybody; or by an expression. */
import { Checkbox } from '../../parts/checkbox.tsx';
import { Segments } from '../../parts/segments.tsx';
import { Select } from '../../parts/select.tsx';
import { violationOf } from '../../data/act.ts';
import type { Review } from '../../data/review.ts';
import { type PlainTextKey, text } from '../../text/text.ts';
import { Clause } from './clause.tsx';
import styles from './edit.module.css';
import { Expression } from './expression.tsx';
import type { PartProps } from './props.ts';

type Criteria = NonNullable<NonNullable<Review['scopeV2']>['accountCriteria']>;
type Way = 'all' | 'conditions' | 'expression';

const types: readonly (readonly [NonNullable<Criteria['accountTypes']>[number], PlainTextKey])[] = [
  ['APP_USER_TYPE_USER', 'scope.accountsOfPeople'],
  ['APP_USER_TYPE_SERVICE_ACCOUNT', 'scope.serviceAccounts'],
  ['APP_USER_TYPE_SYSTEM_ACCOUNT', 'scope.systemAccounts'],
];
const statuses: readonly (readonly [NonNullable<Criteria['appUserStatuses']>[number], PlainTextKey])[] = [
  ['APP_USER_STATUS_ENABLED', 'scope.enabled'],
  ['APP_USER_STATUS_DISABLED', 'scope.disabled'],
];

function toggled<T>(list: readonly T[] | undefined, value: T, checked: boolean): T[] {
  return checked ? [...(list ?? []), value] : (list ?? []).filter((one) => one !== value);
}

export function Through({ draft: { review, change, error } }: PartProps) {
  const { allAccounts: _all, accountCriteria, accountCelExpression, ...others } = review.scopeV2 ?? {};
  const way: Way = accountCelExpression !== undefined ? 'expression' : accountCriteria !== undefined ? 'conditions' : 'all';
  const criteria = accountCriteria ?? {};
  const set = (next: Criteria) => change({ scopeV2: { ...others, accountCriteria: next } });
  const choose = (next: Way) =>
    change({
      scopeV2:
        next === 'all'
          ? others
          : next === 'conditions'
            ? { ...others, accountCriteria: { appUserStatuses: ['APP_USER_STATUS_ENABLED'] } }
            : { ...others, accountCelExpression: { expression: 'true' } },
    });
  return (
    <Clause word={text('scope.through')} error={violationOf(error, 'accountCriteria')}>
      <Segments
        label={text('scope.through')}
        value={way}
        onChange={choose}
        options={[
          { value: 'all', label: text('scope.allAccounts') },
          { value: 'conditions', label: text('scope.conditions') },
          { value: 'expression', label: text('scope.expression') },
        ]}
      />
      {way === 'conditions' ? (
        <div className={styles.conditions}>
          <div className={styles.row}>
            {statuses.map(([value, label]) => (
              <Checkbox
                key={value}
                label={text(label)}
                checked={(criteria.appUserStatuses ?? []).includes(value)}
                onChange={(checked) => set({ ...criteria, appUserStatuses: toggled(criteria.appUserStatuses, value, checked) })}
              />
            ))}
          </div>
          <div className={styles.row}>
            {types.map(([value, label]) => (
              <Checkbox
                key={value}
                label={text(label)}
                checked={(criteria.accountTypes ?? []).includes(value)}
                onChange={(checked) => set({ ...criteria, accountTypes: toggled(criteria.accountTypes, value, checked) })}
              />
            ))}
          </div>
          <Checkbox
            label={text('scope.noOwner')}
            checked={criteria.noAccountOwner === true}
            onChange={(noAccountOwner) => set({ ...criteria, noAccountOwner })}
          />
          <Select
            label={text('scope.domain')}
            value={String(criteria.accountDomain ?? 'APP_USER_DOMAIN_UNSPECIFIED')}
            onChange={(value) => set({ ...criteria, accountDomain: value as NonNullable<Criteria['accountDomain']> })}
            options={[
              { value: 'APP_USER_DOMAIN_UNSPECIFIED', label: text('scope.anyDomain') },
              { value: 'APP_USER_DOMAIN_TRUSTED', label: text('scope.ownDomain') },
              { value: 'APP_USER_DOMAIN_EXTERNAL', label: text('scope.otherDomain') },
            ]}
          />
        </div>
      ) : null}
      {way === 'expression' ? (
        <Expression
          label={text('scope.expressionAccounts')}
          value={accountCelExpression?.expression ?? ''}
          environment="EXPRESSION_ENVIRONMENT_REVIEW_ACCOUNTS"
          onChange={(expression) => change({ scopeV2: { ...others, accountCelExpression: { expression } } })}
        />
      ) : null}
    </Clause>
  );
}
