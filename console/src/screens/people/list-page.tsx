/** All people: who they are, whom they answer to, and whether they are still here. */
import { useInfiniteQuery } from '@tanstack/react-query';
import { linkOptions, useNavigate } from '@tanstack/react-router';
import { Page } from '~/app/page.tsx';
import { SearchBox } from '~/app/lists/search-box.tsx';
import { changeSearch } from '~/app/search.ts';
import { expandedAt } from '~/data/expanded.ts';
import { personName, type Person } from '~/data/inventory/inventory.ts';
import { useMay } from '~/data/session/session.ts';
import { ButtonLink } from '~/parts/controls/button-link.tsx';
import { Checkbox } from '~/parts/controls/checkbox.tsx';
import { Chip } from '~/parts/words/chip.tsx';
import { Empty } from '~/parts/states/empty.tsx';
import { FilterBar } from '~/parts/fields/filter-bar.tsx';
import { Initials } from '~/parts/words/initials.tsx';
import { Name } from '~/parts/words/name.tsx';
import { Table } from '~/parts/tables/table.tsx';
import { text } from '~/text/text.ts';
import styles from './people.module.css';
import { peopleQuery, peopleRoute } from './route.tsx';

interface PersonRow {
  readonly person: Person;
  readonly manager: Person | undefined;
}

export function PeoplePage() {
  const search = peopleRoute.useSearch();
  const navigate = useNavigate();
  const mayImport = useMay('imports.write');
  const change = (parts: { q?: string | undefined; gone?: true | undefined }) =>
    void navigate({ to: '/people', search: changeSearch(parts), replace: true });
  const query = useInfiniteQuery(peopleQuery(search));
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
      <Table
        query={query}
        empty={
          search.q === undefined && search.gone === undefined ? (
            <Empty icon="people" title={text('people.none')} action={importLink}>
              {text('people.noneNext')}
            </Empty>
          ) : (
            <Empty icon="search" title={text('people.noneFound')} />
          )
        }
        label={text('nav.people')}
        rows={rows}
        rowKey={({ person }) => person.id ?? ''}
        rowLink={({ person }) => linkOptions({ to: '/people/$person/$tab', params: { person: person.id ?? '', tab: 'time' } })}
        columns={(column) => [
          column('name', text('people.name'), ({ person }) => <Who person={person} />),
          column('job', text('people.job'), ({ person }) => <Name>{person.jobTitle}</Name>, { narrow: 'second' }),
          column('department', text('people.department'), ({ person }) => <Name>{person.department}</Name>, { narrow: 'second' }),
          column('manager', text('people.manager'), ({ manager }) => (manager === undefined ? '–' : <Name>{personName(manager)}</Name>), {
            narrow: 'hide',
          }),
          column('status', text('people.status'), ({ person }) => <PersonStatus person={person} />, { narrow: 'hide' }),
        ]}
      />
    </Page>
  );
}

function Who({ person }: { person: Person }) {
  return (
    <span className={styles.who}>
      <Initials name={personName(person)} />
      <span className={styles.two}>
        <Name strong>{personName(person)}</Name>
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
