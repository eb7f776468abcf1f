/** What sources report of a person: each record, what it said last, and whether its source reports it still. */
import { useInfiniteQuery } from '@tanstack/react-query';
import { RecordSource } from '~/app/people/record-source.tsx';
import { type PersonRecord, recordName } from '~/data/inventory/person-records.ts';
import { pageRows } from '~/data/pages.ts';
import { readPages } from '~/data/query.ts';
import { Table } from '~/parts/tables/table.tsx';
import { Name } from '~/parts/words/name.tsx';
import { When } from '~/parts/words/when.tsx';
import { text } from '~/text/text.ts';
import styles from './people.module.css';

export function Records({ userId }: { userId: string }) {
  const query = useInfiniteQuery(readPages('PersonRecordService.List', { userId, pageSize: 25 }));
  return (
    <section className={styles.history} aria-labelledby="records">
      <h3 id="records">{text('people.records')}</h3>
      <Table
        query={query}
        empty={<p className={styles.quiet}>{text('people.recordsNone')}</p>}
        label={text('people.records')}
        rows={pageRows<PersonRecord>(query.data)}
        rowKey={(record) => record.id ?? ''}
        columns={(column) => [
          column('source', text('disputed.source'), (record) => <RecordSource record={record} />),
          column(
            'says',
            text('people.recordSays'),
            (record) => (
              <span className={styles.two}>
                <Name>{recordName(record)}</Name>
                {[...new Set([record.email, record.username, record.employeeId])].map((value) =>
                  value ? (
                    <small key={value}>
                      <Name>{value}</Name>
                    </small>
                  ) : null,
                )}
              </span>
            ),
            { narrow: 'second' },
          ),
          column(
            'state',
            text('people.recordState'),
            ({ state, firstSeenAt, goneAt }) => (
              <span className={styles.two}>
                <span>
                  {text('people.recordSince')} <When at={firstSeenAt} />
                </span>
                {state === 'PERSON_RECORD_STATE_GONE' ? (
                  <span>
                    {text('people.recordGone')} <When at={goneAt} />
                  </span>
                ) : (
                  <small>{text('people.recordLive')}</small>
                )}
              </span>
            ),
            { narrow: 'second' },
          ),
        ]}
      />
    </section>
  );
}
