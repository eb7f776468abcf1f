/** People who left and still have accounts that work. */
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { count, nameOf } from '../../data/inventory.ts';
import { rowsOf } from '../../data/pages.ts';
import { readPages } from '../../data/query.ts';
import { Empty } from '../../parts/empty.tsx';
import { Load } from '../../parts/load.tsx';
import { Name } from '../../parts/name.tsx';
import { Pages } from '../../parts/pages.tsx';
import { Table } from '../../parts/table.tsx';
import { number } from '../../text/format.ts';
import { text } from '../../text/text.ts';

export function Leavers() {
  const query = useInfiniteQuery(readPages('IdentityService.ListLeaversWithAccounts', { pageSize: 50 }));
  return (
    <Load query={query} empty={<Empty icon="check" title={text('quality.none.leavers')} />}>
      {(data) => (
        <>
          <Table
            label={text('quality.tab.leavers')}
            rows={rowsOf(data)}
            rowKey={({ user }) => user?.id ?? ''}
            columns={[
              {
                id: 'who',
                head: text('quality.person'),
                cell: ({ user }) => (
                  <Link to={`/people/${user?.id}/accounts` as string}>
                    <Name strong>{nameOf(user)}</Name>
                  </Link>
                ),
              },
              { id: 'department', head: text('quality.department'), narrow: 'second', cell: ({ user }) => <Name>{user?.department}</Name> },
              { id: 'count', head: text('quality.accounts'), align: 'end', cell: ({ accountCount }) => number(count(accountCount)) },
              {
                id: 'next',
                head: text('quality.next'),
                narrow: 'second',
                cell: ({ user }) => <Link to={`/people/${user?.id}/accounts` as string}>{text('quality.next.leavers')}</Link>,
              },
            ]}
          />
          <Pages query={query} />
        </>
      )}
    </Load>
  );
}
