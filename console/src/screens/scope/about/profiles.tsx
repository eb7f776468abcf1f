/** Access that a profile covers, or that none does: what people hold because of their role, and what they hold beside it. */
import { useQuery } from '@tanstack/react-query';
import { read } from '~/data/query.ts';
import type { Review } from '~/data/reviews/review.ts';
import { Checkbox } from '~/parts/controls/checkbox.tsx';
import { Select } from '~/parts/controls/select.tsx';
import { text } from '~/text/text.ts';
import styles from '~/screens/scope/edit.module.css';

type Filter = NonNullable<NonNullable<NonNullable<Review['scopeV2']>['grantsByCriteria']>['accessProfileFilter']>;
type Kind = NonNullable<Filter['filterType']> & string;

interface ProfilesProps {
  readonly filter: Filter | undefined;
  readonly error: string | undefined;
  readonly onChange: (next: Filter | undefined) => void;
}

const anyKind: Kind = 'ACCESS_PROFILE_FILTER_TYPE_UNSPECIFIED';
const include: Kind = 'ACCESS_PROFILE_FILTER_TYPE_INCLUDE_SPECIFIC';
const exclude: Kind = 'ACCESS_PROFILE_FILTER_TYPE_EXCLUDE_SPECIFIC';

export function Profiles({ filter, error, onChange }: ProfilesProps) {
  const query = useQuery(read('RequestCatalogManagementService.List', { pageSize: 100 }));
  const profiles = (query.data?.list ?? []).flatMap(({ requestCatalog: one }) =>
    one?.id === undefined ? [] : [{ id: one.id, name: one.displayName ?? '' }],
  );
  const kind = String(filter?.filterType ?? anyKind) as Kind;
  const member = kind === include ? 'includedAccessProfileIds' : 'excludedAccessProfileIds';
  const chosen = filter?.[member] ?? [];
  return (
    <>
      <Select<Kind>
        label={text('scope.profiles')}
        hint={text('scope.profilesHint')}
        error={error}
        value={kind}
        onChange={(next) => onChange(next === anyKind ? undefined : { filterType: next })}
        options={[
          { value: anyKind, label: text('scope.profilesAny') },
          { value: 'ACCESS_PROFILE_FILTER_TYPE_EXCLUDE_ALL', label: text('scope.profilesNone') },
          { value: exclude, label: text('scope.profilesWithout') },
          { value: include, label: text('scope.profilesOf') },
        ]}
      />
      {kind === include || kind === exclude ? (
        <fieldset className={styles.group}>
          <legend>{text('scope.profilesThese')}</legend>
          {profiles.map(({ id, name }) => (
            <Checkbox
              key={id}
              label={name}
              checked={chosen.includes(id)}
              onChange={(checked) =>
                onChange({ filterType: kind, [member]: checked ? [...chosen, id] : chosen.filter((one) => one !== id) })
              }
            />
          ))}
          {query.isSuccess && profiles.length === 0 ? <p className={styles.quiet}>{text('scope.noProfiles')}</p> : null}
        </fieldset>
      ) : null}
    </>
  );
}
