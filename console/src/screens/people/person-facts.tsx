/** Facts known of a person, and which source says so. */
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Person } from '~/data/inventory/inventory.ts';
import { read } from '~/data/query.ts';
import { useMay } from '~/data/session/session.ts';
import { Facts as FactList } from '~/parts/words/facts.tsx';
import { Name } from '~/parts/words/name.tsx';
import { When } from '~/parts/words/when.tsx';
import { type PlainTextKey, text } from '~/text/text.ts';
import { FactHistory } from './fact-history.tsx';
import { FormerWords } from './former-words.tsx';
import { Records } from './records.tsx';
import styles from './people.module.css';

type Sources = Person['emailSources'];

const terms: readonly {
  readonly label: PlainTextKey;
  readonly value: (person: Person) => string | undefined;
  readonly of: (person: Person) => Sources;
}[] = [
  { label: 'people.mail', value: (person) => person.email, of: (person) => person.emailSources },
  { label: 'people.username', value: (person) => person.username, of: (person) => person.usernameSources },
  { label: 'people.employeeId', value: (person) => person.employeeIds?.join(', '), of: (person) => person.employeeIdSources },
  { label: 'people.job', value: (person) => person.jobTitle, of: (person) => person.jobTitleSources },
  { label: 'people.department', value: (person) => person.department, of: (person) => person.departmentSources },
  { label: 'people.employment', value: (person) => person.employmentStatus, of: (person) => person.employmentStatusSources },
  { label: 'people.employmentType', value: (person) => person.employmentType, of: (person) => person.employmentTypeSources },
  { label: 'people.manager', value: (person) => person.managerSources?.[0]?.value, of: (person) => person.managerSources },
];

export function Facts({ person }: { person: Person }) {
  const mayRead = useMay('inventory.read');
  const mayReadRecords = useMay('settings.read');
  const { data } = useQuery(read('SourceService.List', { pageSize: 100 }));
  const sourceOf = (sources: Sources) => {
    const id = sources?.[0]?.userAttributeMappingId;
    return data?.list?.find((source) => source.id === id);
  };
  const rows = terms.flatMap(({ label, value, of }) => {
    const said = value(person);
    const source = sourceOf(of(person));
    return said
      ? [
          {
            term: text(label),
            children: (
              <span className={styles.two}>
                <Name>{said}</Name>
                <small>
                  {source === undefined ? (
                    text('people.setHere')
                  ) : (
                    <Link to="/sources/$source" params={{ source: source.id ?? '' }}>
                      <Name>{text('people.saidBy', { source: source.displayName ?? '' })}</Name>
                    </Link>
                  )}
                </small>
              </span>
            ),
          },
        ]
      : [];
  });
  const extras = Object.entries(person.profile ?? {});
  return (
    <div className={styles.facts}>
      <FactList
        rows={[
          ...rows,
          ...extras.map(([term, value]) => ({
            term,
            children: <Name>{typeof value === 'string' ? value : JSON.stringify(value)}</Name>,
          })),
          { term: text('people.firstSeen'), children: <When at={person.createdAt} /> },
          { term: text('people.changed'), children: <When at={person.updatedAt} /> },
        ]}
      />
      {mayRead ? <FormerWords userId={person.id ?? ''} /> : null}
      {mayReadRecords ? <Records userId={person.id ?? ''} /> : null}
      <FactHistory userId={person.id ?? ''} />
    </div>
  );
}
