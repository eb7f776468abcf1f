/** History of a person's facts: at each moment what it was and what it became, the newest first, and who said so. */
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { pageRows } from '~/data/pages.ts';
import { read, readPages, type ReplyOf } from '~/data/query.ts';
import { Load } from '~/parts/states/load.tsx';
import { Name } from '~/parts/words/name.tsx';
import { Pages } from '~/parts/tables/pages.tsx';
import { When } from '~/parts/words/when.tsx';
import type { ByValue } from '~/text/by-value.ts';
import { date } from '~/text/format.ts';
import { type PlainTextKey, text } from '~/text/text.ts';
import styles from './people.module.css';

type Change = NonNullable<NonNullable<ReplyOf<'PersonFactService.List'>['list']>[number]['changes']>[number];

const labels: ByValue<Change['fact'], PlainTextKey> = {
  PERSON_FACT_DISPLAY_NAME: 'people.named',
  PERSON_FACT_EMAIL: 'people.mail',
  PERSON_FACT_STATUS: 'people.status',
  PERSON_FACT_EMPLOYMENT_STATUS: 'people.employment',
  PERSON_FACT_EMPLOYMENT_TYPE: 'people.employmentType',
  PERSON_FACT_DEPARTMENT: 'people.department',
  PERSON_FACT_JOB_TITLE: 'people.job',
  PERSON_FACT_MANAGER: 'people.manager',
};

export function FactHistory({ userId }: { userId: string }) {
  const query = useInfiniteQuery(readPages('PersonFactService.List', { userId, pageSize: 50 }));
  const sources = useQuery(read('SourceService.List', { pageSize: 100 })).data?.list ?? [];
  return (
    <section className={styles.history} aria-label={text('people.history')}>
      <h3>{text('people.history')}</h3>
      <Load query={query}>
        {(data) => {
          const since = data.pages[0]?.keptSince;
          const rows = pageRows(data);
          return (
            <>
              <ol>
                {rows.map(({ changedAt, connectorId, changes = [] }) => {
                  const source = sources.find(({ id }) => id === connectorId);
                  return (
                    <li key={changedAt}>
                      <When at={changedAt} />
                      <dl>
                        {changes.map((change) => (
                          <OneChange key={change.fact} change={change} />
                        ))}
                      </dl>
                      {source === undefined ? null : (
                        <small>
                          <Link to="/sources/$source" params={{ source: source.id ?? '' }}>
                            <Name>{text('people.saidBy', { source: source.displayName ?? '' })}</Name>
                          </Link>
                        </small>
                      )}
                    </li>
                  );
                })}
              </ol>
              <Pages query={query} />
              {since === undefined ? null : (
                <p className={styles.quiet}>
                  {text(rows.length === 0 ? 'people.historyNone' : 'people.historySince', { date: date(since) })}
                </p>
              )}
            </>
          );
        }}
      </Load>
    </section>
  );
}

function OneChange({ change }: { change: Change }) {
  const { fact = '', before = '', after = '', beforeDisplayName = '', afterDisplayName = '' } = change;
  const label = labels[fact];
  return label === undefined ? null : (
    <div>
      <dt>{text(label)}</dt>
      <dd>
        <del>{before === '' ? text('people.wasNothing') : <Name>{beforeDisplayName || before}</Name>}</del>{' '}
        <span aria-hidden="true">→</span>{' '}
        <ins>{after === '' ? text('people.becameNothing') : <Name>{afterDisplayName || after}</Name>}</ins>
      </dd>
    </div>
  );
}
