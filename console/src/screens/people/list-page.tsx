/** All people: who they are, whom they answer to, and whether they are still here. */
import { useInfiniteQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { Page } from '../../app/page.tsx';
import { SearchBox } from '../../app/search-box.tsx';
import { expandedAt } from '../../data/expanded.ts';
import { nameOf, type Person } from '../../data/inventory.ts';
import { readPages } from '../../data/query.ts';
import { useMay } from '../../data/session.ts';
import { ButtonLink } from '../../parts/button-link.tsx';
import { Checkbox } from '../../parts/checkbox.tsx';
import { Chip } from '../../parts/chip.tsx';
import { Empty } from '../../parts/empty.tsx';
import { FilterBar } from '../../parts/filter-bar.tsx';
import { Initials } from '../../parts/initials.tsx';
import { Load } from '../../parts/load.tsx';
import { Name } from '../../parts/name.tsx';
import { Pages } from '../../parts/pages.tsx';
import { Table } from '../../parts/table.tsx';
import { text } from '../../text/text.ts';
import styles from './people.module.css';

interface PersonRow {
  readonly person: Person;
  readonly manager: Person | undefined;
}

export function PeoplePage() {
  const search = useSearch({ strict: false }) as { q?: string; gone?: boolean };
  const navigate = useNavigate();
  const mayImport = useMay('imports.write');
  const change = (parts: { q?: string | undefined; gone?: boolean | undefined }) =>
    void navigate({ to: '/people' as string, search: { ...search, ...parts } as never, replace: true });
  const query = useInfiniteQuery(
    readPages('UserService.Search', {
      query: search.q ?? '',
      expandMask: { paths: ['manager_ids'] },
      userStatuses: search.gone === true ? ['DISABLED'] : [],
      excludeTypes: ['USER_TYPE_SYSTEM'],
      pageSize: 50,
    }),
  );
  const rows = (query.data?.pages ?? []).flatMap((page) =>
    (page.list ?? []).map(
      (view): PersonRow => ({ person: view.user ?? {}, manager: expandedAt<Person>(page.expanded, view.managersPath) }),
    ),
  );
  const importLink = mayImport ? (
    <ButtonLink to="/import" icon="upload" variant="primary">
      {text('people.import')}
    </ButtonLink>
  ) : undefined;
  return (
    <Page title={text('nav.people')} actions={importLink} width="bare">
      <FilterBar>
        <SearchBox label={text('people.find')} value={search.q} onChange={(q) => change({ q })} />
        <Checkbox label={text('people.gone')} checked={search.gone === true} onChange={(gone) => change({ gone: gone || undefined })} />
      </FilterBar>
      <Load query={query}>
        {() =>
          rows.length === 0 ? (
            search.q === undefined && search.gone === undefined ? (
              <Empty icon="people" title={text('people.none')} action={importLink}>
                {text('people.noneNext')}
              </Empty>
            ) : (
              <Empty icon="search" title={text('people.noneFound')} />
            )
          ) : (
            <>
              <Table
                label={text('nav.people')}
                rows={rows}
                rowKey={({ person }) => person.id ?? ''}
                rowLink={({ person }) => `/people/${person.id}/time`}
                columns={[
                  { id: 'name', head: text('people.name'), cell: ({ person }) => <Who person={person} /> },
                  { id: 'job', head: text('people.job'), narrow: 'second', cell: ({ person }) => <Name>{person.jobTitle}</Name> },
                  {
                    id: 'department',
                    head: text('people.department'),
                    narrow: 'second',
                    cell: ({ person }) => <Name>{person.department}</Name>,
                  },
                  {
                    id: 'manager',
                    head: text('people.manager'),
                    narrow: 'hide',
                    cell: ({ manager }) => (manager === undefined ? '–' : <Name>{nameOf(manager)}</Name>),
                  },
                  { id: 'status', head: text('people.status'), narrow: 'hide', cell: ({ person }) => <PersonStatus person={person} /> },
                ]}
              />
              <Pages query={query} />
            </>
          )
        }
      </Load>
    </Page>
  );
}

function Who({ person }: { person: Person }) {
  return (
    <span className={styles.who}>
      <Initials name={nameOf(person)} />
      <span className={styles.two}>
        <Name strong>{nameOf(person)}</Name>
        <small>
          <Name>{person.email}</Name>
        </small>
      </span>
    </span>
  );
}

function PersonStatus({ person }: { person: Person }) {
  return person.status === 'ENABLED' ? <Chip kind="ok">{text('people.here')}</Chip> : <Chip>{text('people.left')}</Chip>;
}
