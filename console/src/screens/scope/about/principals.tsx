/** Choice to ask about access of accounts, or what resources such as groups pass on to whoever is in them. */
import type { Review } from '~/data/reviews/review.ts';
import { Select } from '~/parts/controls/select.tsx';
import { text } from '~/text/text.ts';
import { More } from '~/parts/layout/more.tsx';

type Scope = NonNullable<Review['scopeV2']>;
type Filter = NonNullable<Scope['principalTypeFilter']> & string;

const users: Filter = 'PRINCIPAL_TYPE_FILTER_USERS';

export function Principals({ scope, onChange }: { scope: Scope; onChange: (next: Scope) => void }) {
  const { principalTypeFilter, ...others } = scope;
  const said = String(principalTypeFilter ?? users);
  const value = (said === 'PRINCIPAL_TYPE_FILTER_UNSPECIFIED' ? users : said) as Filter;
  return (
    <More isSet={value !== users}>
      <Select<Filter>
        label={text('scope.principals')}
        hint={text('scope.principalsHint')}
        value={value}
        onChange={(next) => onChange(next === users ? others : { ...others, principalTypeFilter: next })}
        options={[
          { value: users, label: text('scope.principalsAccounts') },
          { value: 'PRINCIPAL_TYPE_FILTER_RESOURCES', label: text('scope.principalsResources') },
          { value: 'PRINCIPAL_TYPE_FILTER_USERS_AND_RESOURCES', label: text('scope.principalsBoth') },
        ]}
      />
    </More>
  );
}
