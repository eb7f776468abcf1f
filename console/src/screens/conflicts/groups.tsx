/** The two groups of a rule: who holds one of the first and one of the second is in conflict. */
import { useSend } from '~/data/act.ts';
import { useInfiniteQuery } from '@tanstack/react-query';
import { findEntitlements, splitEntitlement } from '~/data/inventory/find.ts';
import { useAppNames, useEntitlementNames } from '~/data/names.ts';
import { call, forget, readPages } from '~/data/query.ts';
import { useMay } from '~/data/session/session.ts';
import { Button } from '~/parts/controls/button.tsx';
import { Combobox } from '~/parts/fields/combobox.tsx';
import { Failed } from '~/parts/states/failed.tsx';
import { Note } from '~/parts/states/note.tsx';
import { Pages } from '~/parts/tables/pages.tsx';
import { text } from '~/text/text.ts';
import styles from './conflicts.module.css';
import type { Binding } from './types.ts';

const groups = ['ENTITLEMENT_GROUP_A', 'ENTITLEMENT_GROUP_B'] as const;

export function Groups({ monitorId, isNegated }: { monitorId: string; isNegated: boolean }) {
  const mayWrite = useMay('policies.write');
  const list = useInfiniteQuery(readPages('ConflictMonitorService.ListEntitlements', { monitorId, pageSize: 100 }));
  const rows = list.data?.pages.flatMap((page) => page.list ?? []) ?? [];
  const names = useEntitlementNames(rows.map((row) => ({ appId: row.appId ?? '', id: row.appEntitlementId ?? '' })));
  const apps = useAppNames(rows.map((row) => row.appId ?? ''));
  const change = useSend({
    mutationFn: ({ binding, isNew }: { binding: Binding; isNew: boolean }) =>
      call(
        isNew
          ? 'AppEntitlementMonitorBindingService.CreateAppEntitlementMonitorBinding'
          : 'AppEntitlementMonitorBindingService.DeleteAppEntitlementMonitorBinding',
        {
          monitorId,
          appId: binding.appId ?? '',
          appEntitlementId: binding.appEntitlementId ?? '',
          entitlementGroup: binding.entitlementGroup ?? 'ENTITLEMENT_GROUP_A',
        },
      ),
    onSettled: () => forget('ConflictMonitorService.ListEntitlements', 'ConflictAlertService.List'),
  });
  return (
    <section className={styles.section}>
      <h2>{text('conflicts.groups')}</h2>
      <p className={styles.hint}>{text(isNegated ? 'conflicts.groupsNegated' : 'conflicts.groupsHint')}</p>
      {list.isError ? <Failed error={list.error} retry={() => void list.refetch()} /> : null}
      {change.isError ? <Note kind="fault">{change.error.message}</Note> : null}
      <div className={styles.columns}>
        {groups.map((group) => (
          <div key={group} className={styles.group}>
            <h3>{text(group === 'ENTITLEMENT_GROUP_A' ? 'conflicts.groupA' : 'conflicts.groupB')}</h3>
            <ul>
              {rows
                .filter(({ entitlementGroup }) => entitlementGroup === group)
                .map((row) => (
                  <li key={`${row.appId}/${row.appEntitlementId}`}>
                    <span className={styles.pair}>
                      <span>{names.get(row.appEntitlementId ?? '') || '…'}</span>
                      <small>{apps.get(row.appId ?? '')}</small>
                    </span>
                    {mayWrite ? (
                      <Button
                        variant="quiet"
                        icon="cross"
                        aria-label={text('conflicts.remove', { name: names.get(row.appEntitlementId ?? '') ?? '' })}
                        onClick={() => change.mutate({ binding: row, isNew: false })}
                      />
                    ) : null}
                  </li>
                ))}
            </ul>
            {mayWrite ? (
              <Combobox
                label={text('conflicts.add')}
                value={undefined}
                search={findEntitlements}
                placeholder={text('conflicts.find')}
                onChange={(option) => {
                  if (option !== undefined) {
                    change.mutate({ binding: { ...splitEntitlement(option.id), entitlementGroup: group }, isNew: true });
                  }
                }}
              />
            ) : null}
          </div>
        ))}
      </div>
      <Pages query={list} />
    </section>
  );
}
