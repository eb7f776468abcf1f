/** A file that was imported: of which source, when, how many rows, and its hash. */
import { SyncLink } from '~/app/syncs/sync-link.tsx';
import { count } from '~/data/count.ts';
import type { ReplyOf } from '~/data/query.ts';
import { Facts } from '~/parts/words/facts.tsx';
import { exactTime, number } from '~/text/format.ts';
import { text } from '~/text/text.ts';

export type WalkedSync = NonNullable<NonNullable<ReplyOf<'WalkthroughService.Get'>['grant']>['addedBy']>;

export function SyncFacts({ sync, title }: { sync: WalkedSync; title: string }) {
  const link = {
    syncId: sync.id,
    syncConnectorId: sync.connectorId,
    syncConnectorDisplayName: sync.connectorDisplayName,
    syncStartedAt: sync.startedAt,
  };
  return (
    <>
      <h4>{title}</h4>
      <Facts
        rows={[
          { term: text('walkthrough.sync'), children: <SyncLink sync={link} /> },
          { term: text('walkthrough.ended'), children: sync.endedAt ? exactTime(sync.endedAt) : undefined },
          {
            term: text('walkthrough.rows'),
            children: text('walkthrough.rowsRejected', { rows: count(sync.rows), rejected: number(count(sync.rejected)) }),
          },
          { term: text('walkthrough.fileHash'), children: <code>{sync.fileSha256}</code> },
        ]}
      />
    </>
  );
}
