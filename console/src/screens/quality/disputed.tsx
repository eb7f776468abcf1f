/** Records of people that stand for nobody, because what their source says of them contradicts itself: whose each one is, is said here. */
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { RecordSource } from '~/app/people/record-source.tsx';
import { type Candidate, type PersonRecord, recordName } from '~/data/inventory/person-records.ts';
import { pageRows } from '~/data/pages.ts';
import { readPages } from '~/data/query.ts';
import { useMay } from '~/data/session/session.ts';
import { Button } from '~/parts/controls/button.tsx';
import { Empty } from '~/parts/states/empty.tsx';
import { Name } from '~/parts/words/name.tsx';
import { Table } from '~/parts/tables/table.tsx';
import { type PlainTextKey, text } from '~/text/text.ts';
import { AnswerDialog, type GivenAnswer } from './answer-dialog.tsx';
import styles from './quality.module.css';

const reasons: Readonly<Record<string, PlainTextKey>> = {
  PERSON_DISPUTE_REASON_SEVERAL_PEOPLE: 'disputed.reason.severalPeople',
  PERSON_DISPUTE_REASON_ADDRESS_OF_ANOTHER: 'disputed.reason.addressOfAnother',
  PERSON_DISPUTE_REASON_OTHER_ID: 'disputed.reason.otherId',
  PERSON_DISPUTE_REASON_OTHER_NAME: 'disputed.reason.otherName',
};

export function Disputed() {
  const mayAnswer = useMay('users.write');
  const [given, setGiven] = useState<GivenAnswer | undefined>();
  const query = useInfiniteQuery(readPages('PersonRecordService.ListDisputed', { pageSize: 25 }));
  return (
    <>
      <Table
        query={query}
        empty={<Empty icon="check" title={text('quality.none.disputed')} />}
        label={text('quality.tab.disputed')}
        rows={pageRows<PersonRecord>(query.data)}
        rowKey={(record) => record.id ?? ''}
        columns={(column) => [
          column('says', text('disputed.says'), (record) => (
            <span className={styles.two}>
              <Name strong>{recordName(record)}</Name>
              <Lines of={[record.email, record.username, record.employeeId]} />
            </span>
          )),
          column('source', text('disputed.source'), (record) => <RecordSource record={record} />, { narrow: 'second' }),
          column('why', text('disputed.why'), ({ reason = '' }) => text(reasons[reason] ?? 'disputed.reason.otherId'), {
            narrow: 'second',
          }),
          column(
            'candidates',
            text('disputed.candidates'),
            (record) => (
              <ul className={styles.candidates}>
                {(record.candidates ?? []).map((person) => (
                  <li key={person.userId}>
                    <CandidateName person={person} />
                    {mayAnswer ? (
                      <Button
                        aria-label={text('disputed.sameOf', {
                          record: recordName(record),
                          person: person.displayName || person.email || '',
                        })}
                        onClick={() => setGiven({ record, person })}
                      >
                        {text('disputed.same')}
                      </Button>
                    ) : null}
                  </li>
                ))}
              </ul>
            ),
            { narrow: 'second' },
          ),
          column(
            'else',
            text('disputed.else'),
            (record) =>
              mayAnswer ? (
                <span className={styles.people}>
                  <Button
                    aria-label={text('disputed.newOf', { record: recordName(record) })}
                    onClick={() => setGiven({ record, verdict: 'NEW_PERSON' })}
                  >
                    {text('disputed.new')}
                  </Button>
                  <Button
                    variant="quiet"
                    aria-label={text('disputed.ignoreOf', { record: recordName(record) })}
                    onClick={() => setGiven({ record, verdict: 'IGNORED' })}
                  >
                    {text('disputed.ignore')}
                  </Button>
                </span>
              ) : (
                '–'
              ),
            { narrow: 'second' },
          ),
        ]}
      />
      {given === undefined ? null : <AnswerDialog given={given} onClose={() => setGiven(undefined)} />}
    </>
  );
}

function CandidateName({ person }: { person: Candidate }) {
  return (
    <span className={styles.two}>
      <Link to="/people/$person/$tab" params={{ person: person.userId ?? '', tab: 'facts' }}>
        <Name>{person.displayName || person.email}</Name>
      </Link>
      <Lines of={[person.email, person.employeeId]} />
      <small>{text(person.isEnabled === true ? 'disputed.isThere' : 'disputed.isGone')}</small>
    </span>
  );
}

/** The values that are there, each in its line. */
function Lines({ of }: { of: readonly (string | undefined)[] }) {
  return [...new Set(of)].map((value) =>
    value ? (
      <small key={value}>
        <Name>{value}</Name>
      </small>
    ) : null,
  );
}
