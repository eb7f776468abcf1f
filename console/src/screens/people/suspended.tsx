/** What a person had when they left, and that an administrator restores once they are back. Nothing is shown where nothing is suspended. */
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { errorMessage, useAct } from '~/data/act.ts';
import type { Person } from '~/data/inventory/inventory.ts';
import { pageRows } from '~/data/pages.ts';
import { type ReplyOf, read, readPages } from '~/data/query.ts';
import { useMay } from '~/data/session/session.ts';
import { Button } from '~/parts/controls/button.tsx';
import { toast } from '~/parts/over/toast.tsx';
import { Note } from '~/parts/states/note.tsx';
import { Pages } from '~/parts/tables/pages.tsx';
import { Table } from '~/parts/tables/table.tsx';
import { Name } from '~/parts/words/name.tsx';
import { When } from '~/parts/words/when.tsx';
import type { ByValue } from '~/text/by-value.ts';
import { type PlainTextKey, text } from '~/text/text.ts';
import styles from './people.module.css';
import { RestoreDialog } from './restore-dialog.tsx';

type Suspension = NonNullable<ReplyOf<'SuspensionService.List'>['list']>[number];

const kinds: ByValue<Suspension['kind'], PlainTextKey> = {
  SUSPENSION_KIND_ROLE: 'people.suspended.role',
  SUSPENSION_KIND_CREDENTIAL: 'people.suspended.credential',
  SUSPENSION_KIND_DELEGATION: 'people.suspended.inPlaceOf',
};

const kindOf = ({ kind, objectId }: Suspension, userId: string): PlainTextKey =>
  kind === 'SUSPENSION_KIND_DELEGATION' && objectId === userId
    ? 'people.suspended.delegate'
    : (kinds[kind ?? ''] ?? 'people.suspended.credential');

const causes: ByValue<Suspension['cause'], PlainTextKey> = {
  SUSPENSION_CAUSE_DISABLED: 'people.suspended.disabled',
  SUSPENSION_CAUSE_DELETED: 'people.suspended.deleted',
  SUSPENSION_CAUSE_UPGRADED: 'people.suspended.upgraded',
};

export function Suspended({ person }: { person: Person }) {
  const userId = person.id ?? '';
  const mayRead = useMay('inventory.read');
  const mayRestore = useMay('roles.write') && person.status === 'ENABLED';
  const query = useInfiniteQuery({ ...readPages('SuspensionService.List', { userId, pageSize: 25 }), enabled: mayRead });
  const rows = query.data === undefined ? [] : pageRows<Suspension>(query.data);
  const sources = useQuery({ ...read('SourceService.List', { pageSize: 100 }), enabled: rows.length > 0 }).data?.list;
  const restore = useAct('SuspensionService.Restore', 'SuspensionService.List', 'SuspensionService.ListPeople', 'UserService.Get');
  const settings = useQuery({ ...read('TenantSettingsService.Get', {}), enabled: mayRestore && rows.length > 0 }).data?.settings;
  const takesTwo = settings?.restoreTakes === 'RESTORE_TAKES_TWO';
  const [isAsking, setAsking] = useState(false);
  if (rows.length === 0) {
    return null;
  }
  const give = (suspensions: readonly Suspension[]) =>
    restore.mutate(
      { userId, suspensions: suspensions.map(({ kind, objectId }) => ({ ...(kind && { kind }), ...(objectId && { objectId }) })) },
      {
        onSuccess: ({ left = 0 }) => toast(left === 0 ? text('people.suspended.restored') : text('people.suspended.left', { count: left })),
      },
    );
  return (
    <section aria-labelledby="suspended" className={styles.suspended}>
      <h2 id="suspended">{text('people.suspended.title')}</h2>
      <p>{text(person.status === 'ENABLED' ? 'people.suspended.why' : 'people.suspended.away')}</p>
      {restore.error === null ? null : <Note kind="fault">{errorMessage(restore.error)}</Note>}
      <Table
        label={text('people.suspended.title')}
        rows={rows}
        rowKey={({ kind, objectId }) => `${kind} ${objectId}`}
        columns={(column) => [
          column('what', text('people.suspended.what'), (row) => (
            <>
              <Name strong>{row.displayName}</Name>
              <div>{text(kindOf(row, userId))}</div>
            </>
          )),
          column('since', text('people.suspended.since'), (row) => <When at={row.suspendedAt} />, { narrow: 'second' }),
          column('cause', text('people.suspended.cause'), (row) => (
            <>
              {text(causes[row.cause ?? ''] ?? 'people.suspended.disabled')}
              <div>
                <Name>{sources?.find(({ id }) => id === row.connectorId)?.displayName ?? ''}</Name>
              </div>
            </>
          )),
          column('act', text('people.suspended.act'), (row) =>
            mayRestore && !takesTwo ? (
              <Button variant="quiet" busy={restore.isPending} onClick={() => give([row])}>
                {text('people.suspended.restore')}
              </Button>
            ) : null,
          ),
        ]}
      />
      <Pages query={query} />
      {mayRestore ? (
        <Button busy={restore.isPending} onClick={() => (takesTwo ? setAsking(true) : give([]))}>
          {text(takesTwo ? 'people.suspended.ask' : 'people.suspended.restoreAll')}
        </Button>
      ) : null}
      {isAsking ? <RestoreDialog userId={userId} onClose={() => setAsking(false)} /> : null}
    </section>
  );
}
