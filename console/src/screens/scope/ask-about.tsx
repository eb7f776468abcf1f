/** About what is asked: everything people can do in some apps, some of it, or whether they should have an account at all. */
import { Select } from '../../parts/select.tsx';
import { violationOf } from '../../data/act.ts';
import { searchApps, searchEntitlements } from '../../data/find.ts';
import { useAppNames, useEntitlementNames } from '../../data/names.ts';
import { text } from '../../text/text.ts';
import { chosenEntitlements, chosenApps, withApps, withEntitlements } from './chosen.ts';
import { ChipPicker } from './chip-picker.tsx';
import { Clause } from './clause.tsx';
import type { PartProps } from './props.ts';

export function AskAbout({ draft: { review, change, error } }: PartProps) {
  const apps = chosenApps(review);
  const entitlements = chosenEntitlements(review);
  const appNames = useAppNames(apps);
  const names = useEntitlementNames(entitlements);
  const scope = review.scopeV2 ?? {};
  const { appAccess, ...others } = scope;
  return (
    <Clause word={text('scope.askAbout')} error={violationOf(error, 'multiApp', 'singleApp')}>
      <Select
        label={text('scope.askAbout')}
        hideLabel
        value={appAccess === undefined ? 'everything' : 'access'}
        onChange={(value) => change({ scopeV2: value === 'access' ? { ...others, appAccess: {} } : others })}
        options={[
          { value: 'everything', label: text('scope.everythingIn') },
          { value: 'access', label: text('scope.accessTo') },
        ]}
      />
      <ChipPicker
        label={text('scope.apps')}
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
      {apps.length === 0 || appAccess !== undefined ? null : (
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
    </Clause>
  );
}
