/** Grants of an app as a CSV file, as the list is narrowed. */
import { ExportButton } from '~/app/lists/export-button.tsx';
import { exportCsv } from '~/data/csv.ts';
import { accountName, type App, type Grant, personName } from '~/data/inventory/inventory.ts';
import type { RequestOf } from '~/data/query.ts';
import { safeFileName } from '~/data/save-file.ts';
import { text } from '~/text/text.ts';

export function ExportGrants({ app, request }: { app: App; request: RequestOf<'GrantService.List'> }) {
  return (
    <ExportButton
      run={(onRows) =>
        exportCsv(
          `${safeFileName(app.displayName ?? '')}.csv`,
          'GrantService.List',
          { ...request, pageSize: 100 },
          ({ list }): Grant[] => (list ?? []).map(({ grant }) => grant ?? {}),
          [
            { head: text('apps.who'), value: ({ owner }) => (owner === undefined ? '' : personName(owner)) },
            { head: text('apps.account'), value: ({ account }) => accountName(account) },
            { head: text('apps.right'), value: ({ entitlement }) => entitlement?.displayName },
            { head: text('apps.allows'), value: ({ entitlement }) => entitlement?.description },
            { head: text('apps.since'), value: ({ appearedAt }) => appearedAt },
            { head: text('apps.lastUsed'), value: ({ lastUsedAt }) => lastUsedAt },
          ],
          onRows,
        )
      }
    />
  );
}
