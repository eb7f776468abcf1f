/** Apps, entitlements of them, and what they are about: everything, access itself, what is marked as risky, or some kinds of resources. */
import { searchApps, searchEntitlements } from '~/data/inventory/find.ts';
import { useAppNames, useEntitlementNames } from '~/data/names.ts';
import type { Review } from '~/data/reviews/review.ts';
import { Select } from '~/parts/controls/select.tsx';
import { text } from '~/text/text.ts';
import { chosenApps, chosenEntitlements, withApps, withEntitlements } from './chosen.ts';
import { ChipPicker } from '~/screens/scope/chip-picker.tsx';
import { EntitlementPolicies } from './entitlement-policies.tsx';
import { reviewKind } from './kinds.ts';
import { ListedEntitlements } from './listed-entitlements.tsx';
import { Marks } from './marks.tsx';
import { Disclosure } from '~/parts/layout/disclosure.tsx';
import type { ClauseProps } from '~/screens/scope/props.ts';
import { ResourceTypes } from './resource-types.tsx';
import styles from '~/screens/scope/edit.module.css';

type Scope = NonNullable<Review['scopeV2']>;
type What = 'everything' | 'access' | 'marked' | 'types';

/** Part of the apps asked about now. */
function whatOf(scope: Scope): What {
  return scope.appAccess !== undefined
    ? 'access'
    : scope.appSelectionCriteria !== undefined
      ? 'marked'
      : scope.resourceTypeSelections !== undefined
        ? 'types'
        : 'everything';
}

const members: Readonly<Record<What, Scope>> = {
  everything: {},
  access: { appAccess: {} },
  marked: { appSelectionCriteria: { riskLevelAttributeValueIds: [], complianceFrameworkAttributeValueIds: [] } },
  types: { resourceTypeSelections: {} },
};

export function AppsAndEntitlements(props: ClauseProps) {
  const { reviewId, draft, lists } = props;
  const { review, change } = draft;
  const apps = chosenApps(review);
  const entitlements = chosenEntitlements(review);
  const appNames = useAppNames(apps);
  const names = useEntitlementNames(entitlements);
  const scope = review.scopeV2 ?? {};
  const { appAccess: _access, appSelectionCriteria, resourceTypeSelections: _types, ...others } = scope;
  const what = whatOf(scope);
  const isBeside = what === 'marked' || what === 'types';
  const isOfPeople = reviewKind(review) === 'ACCESS_REVIEW_SCOPE_TYPE_BY_USERS';
  return (
    <>
      <Select<What>
        label={text('scope.askAbout')}
        hideLabel
        value={what}
        onChange={(next) => change({ scopeV2: { ...others, ...members[next] } })}
        options={[
          { value: 'everything', label: text('scope.everythingIn') },
          { value: 'access', label: text('scope.accessTo') },
          { value: 'marked', label: text('scope.markedAs') },
          { value: 'types', label: text('scope.ofKinds') },
        ]}
      />
      {what === 'marked' ? (
        <Marks criteria={appSelectionCriteria ?? {}} onChange={(next) => change({ scopeV2: { ...others, appSelectionCriteria: next } })} />
      ) : null}
      {what === 'types' || (lists.lists.resourceTypes ?? []).length > 0 ? <ResourceTypes lists={lists} /> : null}
      <ChipPicker
        label={text(isBeside ? 'scope.appsBeside' : 'scope.apps')}
        addLabel={text('scope.addApp')}
        chosen={apps.map((id) => ({ id, label: appNames.get(id) ?? '' }))}
        search={searchApps}
        onChange={(next) =>
          change(
            withApps(
              review,
              next.map(({ id }) => id),
            ),
          )
        }
      />
      {apps.length === 0 && !isBeside ? <p className={styles.quiet}>{text(isOfPeople ? 'scope.noAppOfPeople' : 'scope.noApp')}</p> : null}
      {apps.length === 0 || what === 'access' ? null : (
        <ChipPicker
          label={text('scope.onlyEntitlements')}
          addLabel={text('scope.addEntitlement')}
          chosen={entitlements.map(({ appId, id }) => ({ id: `${appId}/${id}`, label: names.get(id) ?? '' }))}
          search={searchEntitlements(apps)}
          onChange={(next) =>
            change(
              withEntitlements(
                review,
                next.map(({ id }) => id),
              ),
            )
          }
        />
      )}
      {entitlements.length === 0 || what === 'access' ? null : (
        <Disclosure label={text('scope.otherPolicies')} isSet={entitlements.some(({ policyId }) => policyId !== '')}>
          <EntitlementPolicies review={review} names={names} onChange={change} />
        </Disclosure>
      )}
      <ListedEntitlements reviewId={reviewId} draft={draft} />
    </>
  );
}
