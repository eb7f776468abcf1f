/** Filters of the list of who has what: words, one right, a kind of accounts, a day. All of it stands in the address, and the server looks. */
import { useQuery } from '@tanstack/react-query';
import { SearchBox } from '~/app/lists/search-box.tsx';
import type { Found } from '~/data/inventory/find.ts';
import { type App, rightWords } from '~/data/inventory/inventory.ts';
import { call, read } from '~/data/query.ts';
import { Checkbox } from '~/parts/controls/checkbox.tsx';
import { Combobox } from '~/parts/fields/combobox.tsx';
import { FilterBar } from '~/parts/fields/filter-bar.tsx';
import { Select } from '~/parts/controls/select.tsx';
import { DateField } from '~/parts/fields/date-field.tsx';
import { text } from '~/text/text.ts';
import styles from '~/screens/apps/apps.module.css';
import { accountKinds } from '~/screens/apps/tabs.ts';
import { useAppAddress } from '~/screens/apps/use-app.ts';

export function GrantFilters({ app }: { app: App }) {
  const appId = app.id ?? '';
  const { search, change } = useAppAddress();
  const { asof = '', ended = false, past = false, right = '', kind } = search;
  const named = useQuery({
    ...read('AppEntitlementSearchService.Search', { refs: [{ appId, id: right }], pageSize: 1 }),
    enabled: right !== '',
  }).data?.list?.[0]?.appEntitlement;
  const chosen: Found | undefined = right === '' ? undefined : { id: right, label: rightWords(named).title || right };
  const find = async (query: string, signal: AbortSignal): Promise<Found[]> => {
    const { list = [] } = await call('AppEntitlementSearchService.Search', { appIds: [appId], query, pageSize: 20 }, { signal });
    return list.map(({ appEntitlement: one }) => {
      const { title, name } = rightWords(one);
      return { id: one?.id ?? '', label: title, ...(name === '' ? {} : { hint: name }) };
    });
  };
  return (
    <FilterBar>
      <div className={styles.find}>
        <SearchBox label={text('apps.findGrant')} value={search.q} onChange={(q) => change({ q })} />
      </div>
      <div className={styles.pick}>
        <Combobox
          label={text('apps.right')}
          hideLabel
          value={chosen}
          onChange={(one) => change({ right: one?.id })}
          search={find}
          placeholder={text('apps.anyRight')}
        />
      </div>
      <Select
        label={text('apps.type')}
        hideLabel
        value={kind ?? ''}
        onChange={(value) => change({ kind: accountKinds.find((one) => one === value) })}
        options={[
          { value: '', label: text('apps.anyType') },
          ...accountKinds.map((one) => ({ value: one, label: text(`apps.type.${one}`) })),
        ]}
      />
      <Checkbox
        label={text('apps.alsoEnded')}
        checked={ended}
        onChange={(value: boolean) => change({ ended: value || undefined })}
        {...(asof === '' ? {} : { disabledReason: text('apps.alsoEndedNot') })}
      />
      <Checkbox label={text('apps.pastEnd')} checked={past} onChange={(value: boolean) => change({ past: value || undefined })} />
      <div className={styles.asof}>
        <span aria-hidden="true">{text('apps.asOf')}</span>
        <DateField
          label={text('apps.asOf')}
          hideLabel
          value={asof}
          onWhole={(value) => change({ asof: value })}
          onClear={() => change({ asof: undefined })}
        />
      </div>
    </FilterBar>
  );
}
