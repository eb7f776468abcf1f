/** Choice to ask about access of accounts, or what resources such as groups pass on to whoever is in them. */
import type { Review } from '~/data/reviews/review.ts';
import { Select } from '~/parts/controls/select.tsx';
import { choicesOf } from '~/parts/controls/choices-of.ts';
import type { ByValue } from '~/text/by-value.ts';
import { type PlainTextKey, text } from '~/text/text.ts';
import { Disclosure } from '~/parts/layout/disclosure.tsx';

type Scope = NonNullable<Review['scopeV2']>;

const users = 'PRINCIPAL_TYPE_FILTER_USERS';
const names: ByValue<Scope['principalTypeFilter'], PlainTextKey> = {
  [users]: 'scope.principalsAccounts',
  PRINCIPAL_TYPE_FILTER_RESOURCES: 'scope.principalsResources',
  PRINCIPAL_TYPE_FILTER_USERS_AND_RESOURCES: 'scope.principalsBoth',
};

export function Principals({ scope, onChange }: { scope: Scope; onChange: (next: Scope) => void }) {
  const { principalTypeFilter: said = users, ...others } = scope;
  const value = said === 'PRINCIPAL_TYPE_FILTER_UNSPECIFIED' ? users : said;
  return (
    <Disclosure isSet={value !== users}>
      <Select
        label={text('scope.principals')}
        hint={text('scope.principalsHint')}
        value={value}
        onChange={(next) => onChange(next === users ? others : { ...others, principalTypeFilter: next })}
        options={choicesOf(names)}
      />
    </Disclosure>
  );
}
