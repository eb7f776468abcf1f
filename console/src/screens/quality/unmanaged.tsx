/** People whose manager cannot be asked, because there is none. */
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { personName } from '~/data/inventory/inventory.ts';
import { pageRows } from '~/data/pages.ts';
import { readPages } from '~/data/query.ts';
import { useMay } from '~/data/session/session.ts';
import { Empty } from '~/parts/states/empty.tsx';
import { Name } from '~/parts/words/name.tsx';
import { Table } from '~/parts/tables/table.tsx';
import { text } from '~/text/text.ts';
import styles from './quality.module.css';

export function Unmanaged() {
  const mayImport = useMay('imports.write');
  const query = useInfiniteQuery(readPages('IdentityService.ListPeopleWithoutManager', { pageSize: 50 }));
  return (
    <Table
      query={query}
      empty={<Empty icon="check" title={text('quality.none.no-manager')} />}
      label={text('quality.tab.no-manager')}
      rows={pageRows(query.data)}
      rowKey={(user) => user.id ?? ''}
      columns={(column) => [
        column('who', text('quality.person'), (user) => (
          <Link className={styles.two} to="/people/$person/$tab" params={{ person: user.id ?? '', tab: 'facts' }}>
            <Name strong>{personName(user)}</Name>
            <small>
              <Name>{user.email}</Name>
            </small>
          </Link>
        )),
        column('job', text('quality.job'), (user) => <Name>{user.jobTitle}</Name>, { narrow: 'second' }),
        column('department', text('quality.department'), (user) => <Name>{user.department}</Name>, { narrow: 'second' }),
        column(
          'next',
          text('quality.next'),
          () => (mayImport ? <Link to="/import">{text('quality.next.no-manager')}</Link> : text('quality.next.no-manager')),
          { narrow: 'hide' },
        ),
      ]}
    />
  );
}
