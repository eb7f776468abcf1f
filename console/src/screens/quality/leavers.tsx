/** People who left and still have accounts that work. */
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { count, personName } from '~/data/inventory/inventory.ts';
import { pageRows } from '~/data/pages.ts';
import { readPages } from '~/data/query.ts';
import { Empty } from '~/parts/states/empty.tsx';
import { Name } from '~/parts/words/name.tsx';
import { Table } from '~/parts/tables/table.tsx';
import { number } from '~/text/format.ts';
import { text } from '~/text/text.ts';

export function Leavers() {
  const query = useInfiniteQuery(readPages('IdentityService.ListLeaversWithAccounts', { pageSize: 50 }));
  return (
    <Table
      query={query}
      empty={<Empty icon="check" title={text('quality.none.leavers')} />}
      label={text('quality.tab.leavers')}
      rows={pageRows(query.data)}
      rowKey={({ user }) => user?.id ?? ''}
      columns={(column) => [
        column('who', text('quality.person'), ({ user }) => (
          <Link to="/people/$person/$tab" params={{ person: user?.id ?? '', tab: 'accounts' }}>
            <Name strong>{personName(user)}</Name>
          </Link>
        )),
        column('department', text('quality.department'), ({ user }) => <Name>{user?.department}</Name>, { narrow: 'second' }),
        column('count', text('quality.accounts'), ({ accountCount }) => number(count(accountCount)), { align: 'end' }),
        column(
          'next',
          text('quality.next'),
          ({ user }) => (
            <Link to="/people/$person/$tab" params={{ person: user?.id ?? '', tab: 'accounts' }}>
              {text('quality.next.leavers')}
            </Link>
          ),
          { narrow: 'second' },
        ),
      ]}
    />
  );
}
