/** People whose manager cannot be asked, because there is none. */
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { nameOf } from '../../data/inventory.ts';
import { rowsOf } from '../../data/pages.ts';
import { readPages } from '../../data/query.ts';
import { useMay } from '../../data/session.ts';
import { Empty } from '../../parts/empty.tsx';
import { Load } from '../../parts/load.tsx';
import { Name } from '../../parts/name.tsx';
import { Pages } from '../../parts/pages.tsx';
import { Table } from '../../parts/table.tsx';
import { text } from '../../text/text.ts';
import styles from './quality.module.css';

export function Unmanaged() {
  const mayImport = useMay('imports.write');
  const query = useInfiniteQuery(readPages('IdentityService.ListPeopleWithoutManager', { pageSize: 50 }));
  return (
    <Load query={query} empty={<Empty icon="check" title={text('quality.none.no-manager')} />}>
      {(data) => (
        <>
          <Table
            label={text('quality.tab.no-manager')}
            rows={rowsOf(data)}
            rowKey={(user) => user.id ?? ''}
            columns={[
              {
                id: 'who',
                head: text('quality.person'),
                cell: (user) => (
                  <Link className={styles.two} to={`/people/${user.id}/facts` as string}>
                    <Name strong>{nameOf(user)}</Name>
                    <small>
                      <Name>{user.email}</Name>
                    </small>
                  </Link>
                ),
              },
              { id: 'job', head: text('quality.job'), narrow: 'second', cell: (user) => <Name>{user.jobTitle}</Name> },
              { id: 'department', head: text('quality.department'), narrow: 'second', cell: (user) => <Name>{user.department}</Name> },
              {
                id: 'next',
                head: text('quality.next'),
                narrow: 'hide',
                cell: () =>
                  mayImport ? <Link to={'/import' as string}>{text('quality.next.no-manager')}</Link> : text('quality.next.no-manager'),
              },
            ]}
          />
          <Pages query={query} />
        </>
      )}
    </Load>
  );
}
