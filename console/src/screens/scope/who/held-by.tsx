/** Access asked about: everybody's, that of people who meet conditions, of named people, or of those an expression chooses. */
import { Segments } from '~/parts/controls/segments.tsx';
import { fieldViolation } from '~/data/act.ts';
import { searchPeople } from '~/data/inventory/find.ts';
import { useNames } from '~/data/names.ts';
import type { Review } from '~/data/reviews/review.ts';
import { text } from '~/text/text.ts';
import { ChipPicker } from '~/screens/scope/chip-picker.tsx';
import { Clause } from '~/screens/scope/clause.tsx';
import { ConditionsOfPeople } from './conditions-of-people.tsx';
import { Expression } from './expression.tsx';
import { Principals } from '~/screens/scope/about/principals.tsx';
import type { ClauseProps } from '~/screens/scope/props.ts';

type Scope = NonNullable<Review['scopeV2']>;
type Way = 'everybody' | 'conditions' | 'named' | 'expression';

/** Finds how people are chosen. */
export function wayOf(scope: Scope): Way {
  return scope.celExpression !== undefined
    ? 'expression'
    : scope.selectedUsers !== undefined
      ? 'named'
      : scope.userCriteria !== undefined
        ? 'conditions'
        : 'everybody';
}

export function HeldBy({ draft: { review, change, error }, count }: ClauseProps) {
  const scope = review.scopeV2 ?? {};
  const { allUsers: _all, userCriteria, selectedUsers, celExpression, ...others } = scope;
  const way = wayOf(scope);
  const names = useNames(selectedUsers?.userIds ?? []);
  const choose = (next: Way) => {
    const members: Readonly<Record<Way, Scope>> = {
      everybody: {},
      conditions: { userCriteria: { userStatus: ['ENABLED'] } },
      named: { selectedUsers: { userIds: [] } },
      expression: { celExpression: { expression: 'true' } },
    };
    change({ scopeV2: { ...others, ...members[next] } });
  };
  return (
    <Clause
      word={text('scope.heldBy')}
      count={count}
      error={fieldViolation(error, 'userCriteria', 'selectedUsers', 'selectedUsers.userIds')}
    >
      <Segments
        label={text('scope.heldBy')}
        value={way}
        onChange={choose}
        options={[
          { value: 'everybody', label: text('scope.everybody') },
          { value: 'conditions', label: text('scope.conditions') },
          { value: 'named', label: text('scope.named') },
          { value: 'expression', label: text('scope.expression') },
        ]}
      />
      {way === 'conditions' ? (
        <ConditionsOfPeople criteria={userCriteria ?? {}} onChange={(next) => change({ scopeV2: { ...others, userCriteria: next } })} />
      ) : null}
      {way === 'named' ? (
        <ChipPicker
          label={text('scope.people')}
          addLabel={text('scope.addPerson')}
          chosen={(selectedUsers?.userIds ?? []).map((id) => ({ id, label: names.get(id) ?? '' }))}
          search={searchPeople}
          onChange={(next) => change({ scopeV2: { ...others, selectedUsers: { userIds: next.map(({ id }) => id) } } })}
        />
      ) : null}
      {way === 'expression' ? (
        <Expression
          label={text('scope.expressionPeople')}
          value={celExpression?.expression ?? ''}
          environment="EXPRESSION_ENVIRONMENT_REVIEW_USERS"
          onChange={(expression) => change({ scopeV2: { ...others, celExpression: { expression } } })}
        />
      ) : null}
      <Principals scope={scope} onChange={(scopeV2) => change({ scopeV2 })} />
    </Clause>
  );
}
