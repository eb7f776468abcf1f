/** Through which accounts: by type, state, and whether they belong to anybody; or by an expression. */
import { Checkbox } from '~/parts/controls/checkbox.tsx';
import { Segments } from '~/parts/controls/segments.tsx';
import { Select } from '~/parts/controls/select.tsx';
import { fieldViolation } from '~/data/act.ts';
import type { Review } from '~/data/reviews/review.ts';
import { choicesOf } from '~/parts/controls/choices-of.ts';
import type { ByValue } from '~/text/by-value.ts';
import { type PlainTextKey, text } from '~/text/text.ts';
import { AccountBoxes } from '~/screens/scope/about/account-boxes.tsx';
import { Clause } from '~/screens/scope/clause.tsx';
import styles from '~/screens/scope/edit.module.css';
import { Expression } from './expression.tsx';
import type { ClauseProps } from '~/screens/scope/props.ts';

type Criteria = NonNullable<NonNullable<Review['scopeV2']>['accountCriteria']>;
type Way = 'all' | 'conditions' | 'expression';

const domains: ByValue<Criteria['accountDomain'], PlainTextKey> = {
  APP_USER_DOMAIN_UNSPECIFIED: 'scope.anyDomain',
  APP_USER_DOMAIN_TRUSTED: 'scope.ownDomain',
  APP_USER_DOMAIN_EXTERNAL: 'scope.otherDomain',
};

export function Through({ draft: { review, change, error }, count }: ClauseProps) {
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
    <Clause word={text('scope.through')} count={count} error={fieldViolation(error, 'accountCriteria')}>
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
          <AccountBoxes
            types={criteria.accountTypes ?? []}
            statuses={criteria.appUserStatuses ?? []}
            onTypes={(accountTypes) => set({ ...criteria, accountTypes })}
            onStatuses={(appUserStatuses) => set({ ...criteria, appUserStatuses })}
          />
          <Checkbox
            label={text('scope.noOwner')}
            checked={criteria.noAccountOwner === true}
            onChange={(noAccountOwner) => set({ ...criteria, noAccountOwner })}
          />
          <Select
            label={text('scope.domain')}
            value={criteria.accountDomain ?? 'APP_USER_DOMAIN_UNSPECIFIED'}
            onChange={(accountDomain) => set({ ...criteria, accountDomain })}
            options={choicesOf(domains)}
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
