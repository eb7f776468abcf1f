/** Kinds of resources, such as groups or repositories: everything on resources of them is asked about. */
import { searchResourceTypes, splitInApp, useResourceTypeNames } from '~/data/inventory/inventory-names.ts';
import { text } from '~/text/text.ts';
import { ChipPicker } from '~/screens/scope/chip-picker.tsx';
import type { Lists } from '~/screens/scope/use-lists.ts';

export function ResourceTypes({ lists: { lists, storeTypes } }: { lists: Lists }) {
  const types = (lists.resourceTypes ?? []).map(({ appId = '', resourceTypeId = '' }) => ({ appId, id: resourceTypeId }));
  const names = useResourceTypeNames(types);
  return (
    <ChipPicker
      label={text('scope.kindsOfResources')}
      addLabel={text('scope.addKind')}
      chosen={types.map(({ appId, id }) => ({ id: `${appId}/${id}`, label: names.get(id) ?? '' }))}
      search={searchResourceTypes}
      onChange={(next) =>
        storeTypes(
          next.map((one) => {
            const { appId, id } = splitInApp(one.id);
            return { appId, resourceTypeId: id };
          }),
        )
      }
    />
  );
}
