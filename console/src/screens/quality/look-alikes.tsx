/** Accounts, resources and rights of one app whose names only look the same, and apps. */
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { count } from '~/data/inventory/inventory.ts';
import { pageRows } from '~/data/pages.ts';
import { type ReplyOf, readPages } from '~/data/query.ts';
import { Empty } from '~/parts/states/empty.tsx';
import { Table } from '~/parts/tables/table.tsx';
import { Name } from '~/parts/words/name.tsx';
import type { ByValue } from '~/text/by-value.ts';
import { number } from '~/text/format.ts';
import { type PlainTextKey, text } from '~/text/text.ts';
import styles from './quality.module.css';

type Kind = NonNullable<ReplyOf<'IdentityService.ListLookAlikes'>['list']>[number]['kind'];

const kinds: ByValue<Kind, PlainTextKey> = {
  LOOK_ALIKE_KIND_ACCOUNT: 'quality.alike.account',
  LOOK_ALIKE_KIND_RESOURCE_TYPE: 'quality.alike.type',
  LOOK_ALIKE_KIND_RESOURCE: 'quality.alike.resource',
  LOOK_ALIKE_KIND_ENTITLEMENT: 'quality.alike.right',
  LOOK_ALIKE_KIND_APP: 'quality.alike.app',
};

export function LookAlikes() {
  const query = useInfiniteQuery(readPages('IdentityService.ListLookAlikes', { pageSize: 50 }));
  return (
    <Table
      query={query}
      empty={<Empty icon="check" title={text('quality.none.look-alikes')} />}
      label={text('quality.tab.look-alikes')}
      rows={pageRows(query.data)}
      rowKey={(row) => `${row.kind} ${row.ids?.[0] ?? ''}`}
      columns={(column) => [
        column('names', text('quality.alike.names'), (row) => (
          <span className={styles.two}>
            <Name strong>{(row.names ?? []).join(', ')}</Name>
            <small>
              <Name>{row.resource}</Name>
            </small>
          </span>
        )),
        column('kind', text('quality.alike.kind'), (row) => text(kinds[row.kind ?? ''] ?? 'quality.alike.account'), { narrow: 'second' }),
        column(
          'app',
          text('quality.app'),
          (row) => (
            <Link to="/apps/$app/$tab" params={{ app: row.appId ?? '', tab: 'grants' }}>
              <Name>{row.appDisplayName}</Name>
            </Link>
          ),
          { narrow: 'second' },
        ),
        column('count', text('quality.alike.count'), (row) => number(count(row.count)), { narrow: 'hide' }),
      ]}
    />
  );
}
