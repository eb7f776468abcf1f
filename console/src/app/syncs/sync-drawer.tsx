/** One sync: how its file was read, what it found odd, and what it changed. */
import { useQuery } from '@tanstack/react-query';
import { count, type Sync } from '~/data/inventory/inventory.ts';
import { read } from '~/data/query.ts';
import { Drawer } from '~/parts/over/drawer.tsx';
import { Facts } from '~/parts/words/facts.tsx';
import { Load } from '~/parts/states/load.tsx';
import { Name } from '~/parts/words/name.tsx';
import { Note } from '~/parts/states/note.tsx';
import { When } from '~/parts/words/when.tsx';
import { number } from '~/text/format.ts';
import { text } from '~/text/text.ts';
import { Copy } from '~/parts/controls/copy.tsx';
import { Findings } from './findings.tsx';
import { SyncDifference } from './sync-difference.tsx';
import { isRefused } from './sync-list.tsx';
import styles from '~/app/people/account-owner.module.css';

export function SyncDrawer({ id, onClose }: { id: string; onClose: () => void }) {
  const query = useQuery(read('ImportService.Get', { id }));
  return (
    <Drawer open onOpenChange={(open) => (open ? undefined : onClose())} title={text('sync.title')} wide>
      <Load query={query}>{({ import: sync }) => (sync === undefined ? null : <OneSync sync={sync} />)}</Load>
    </Drawer>
  );
}

function OneSync({ sync }: { sync: Sync }) {
  const reading = sync.reading;
  const format = [reading?.encoding, reading?.separator, reading?.preset].filter(Boolean).join(', ');
  return (
    <div className={styles.form}>
      {isRefused(sync) ? (
        <Note kind="fault">
          <Name>{sync.error}</Name>
        </Note>
      ) : null}
      <Facts
        rows={[
          { term: text('sync.of'), children: <Name>{sync.source}</Name> },
          { term: text('sync.at'), children: <When at={sync.createdAt ?? ''} /> },
          { term: text('sync.observedFrom'), children: <When at={sync.observedFrom ?? ''} /> },
          ...(sync.incompleteReason ? [{ term: text('sync.mayLack'), children: <Name>{sync.incompleteReason}</Name> }] : []),
          { term: text('sync.rowsTerm'), children: number(count(sync.rows)) },
          ...(isRefused(sync)
            ? []
            : [
                {
                  term: text('sync.changesTerm'),
                  children: text('sync.delta', { plus: count(sync.added), changed: count(sync.changed), minus: count(sync.removed) }),
                },
              ]),
          ...(format === '' ? [] : [{ term: text('sync.format'), children: format }]),
          ...(sync.fileSha256
            ? [{ term: 'SHA-256', children: <Copy value={sync.fileSha256} label={`${sync.fileSha256.slice(0, 12)}…`} /> }]
            : []),
        ]}
      />
      <Findings sync={sync} />
      {isRefused(sync) || sync.kind !== 'IMPORT_KIND_GRANTS' ? null : <SyncDifference id={sync.id ?? ''} appId={sync.appId} />}
    </div>
  );
}
