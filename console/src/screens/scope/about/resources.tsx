/** Resources whose access is asked about; where the review is of what is inherited, also roles within a part of an app. */
import { searchResources, splitInApp, useResourceNames } from '~/data/inventory/inventory-names.ts';
import type { Review } from '~/data/reviews/review.ts';
import { text } from '~/text/text.ts';
import { ChipPicker } from '~/screens/scope/chip-picker.tsx';
import styles from '~/screens/scope/edit.module.css';
import { reviewKind } from './kinds.ts';
import type { ClauseProps } from '~/screens/scope/props.ts';
import { RolePairs } from './role-pairs.tsx';

/** The scope with the markers of these lists, and without those of empty ones. */
export function withMarkers(
  scope: NonNullable<Review['scopeV2']>,
  hasResources: boolean,
  hasRoles: boolean,
): NonNullable<Review['scopeV2']> {
  const { resourceSelection: _resources, scopeRoleSelection: _roles, ...others } = scope;
  return { ...others, ...(hasResources ? { resourceSelection: {} } : {}), ...(hasRoles ? { scopeRoleSelection: {} } : {}) };
}

export function Resources({ draft: { review, change }, lists: { lists, store } }: ClauseProps) {
  const resources = (lists.resources ?? []).map(({ appId = '', id = '' }) => ({ appId, id }));
  const names = useResourceNames(resources);
  const roles = lists.scopeRoles ?? [];
  const isOfInherited = reviewKind(review) === 'ACCESS_REVIEW_SCOPE_TYPE_BY_INHERITANCE';
  const mark = (hasResources: boolean, hasRoles: boolean) => change({ scopeV2: withMarkers(review.scopeV2 ?? {}, hasResources, hasRoles) });
  return (
    <>
      <p className={styles.quiet}>{text(isOfInherited ? 'scope.kindInheritedHint' : 'scope.kindResourcesHint')}</p>
      <ChipPicker
        label={text('scope.resources')}
        addLabel={text('scope.addResource')}
        chosen={resources.map(({ appId, id }) => ({ id: `${appId}/${id}`, label: names.get(id) ?? '' }))}
        search={searchResources()}
        onChange={(next) => {
          store({ resources: next.map(({ id }) => splitInApp(id)) });
          mark(next.length > 0, roles.length > 0);
        }}
      />
      {isOfInherited ? (
        <RolePairs
          pairs={roles}
          onChange={(next) => {
            store({ scopeRoles: [...next] });
            mark(resources.length > 0, next.length > 0);
          }}
        />
      ) : null}
    </>
  );
}
