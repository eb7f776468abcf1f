/**
 * Records of people that stand for nobody, because what their source says of them contradicts itself, or because somebody ignored them: whose each one is, is
 * said here.
 */
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { RecordSource } from '~/app/people/record-source.tsx';
import { type Candidate, type PersonRecord, recordName } from '~/data/inventory/person-records.ts';
import { useNamesAt } from '~/data/names-at.ts';
import { pageRows } from '~/data/pages.ts';
import { readPages } from '~/data/query.ts';
import { useMay } from '~/data/session/session.ts';
import { Button } from '~/parts/controls/button.tsx';
import { Segments } from '~/parts/controls/segments.tsx';
import { Empty } from '~/parts/states/empty.tsx';
import { Name } from '~/parts/words/name.tsx';
import { Table } from '~/parts/tables/table.tsx';
import { When } from '~/parts/words/when.tsx';
import type { ByValue } from '~/text/by-value.ts';
import { type PlainTextKey, text } from '~/text/text.ts';
import { AnswerDialog, type GivenAnswer } from './answer-dialog.tsx';
import styles from './quality.module.css';
import { qualityRoute } from './route.tsx';

const reasons: ByValue<PersonRecord['reason'], PlainTextKey> = {
  PERSON_DISPUTE_REASON_SEVERAL_PEOPLE: 'disputed.reason.severalPeople',
  PERSON_DISPUTE_REASON_ADDRESS_OF_ANOTHER: 'disputed.reason.addressOfAnother',
  PERSON_DISPUTE_REASON_OTHER_ID: 'disputed.reason.otherId',
  PERSON_DISPUTE_REASON_OTHER_NAME: 'disputed.reason.otherName',
};

type Shown = 'waiting' | 'ignored';

export function Disputed() {
  const mayAnswer = useMay('users.write');
  const navigate = useNavigate();
  const { ignored = false, source } = qualityRoute.useSearch();
  const [given, setGiven] = useState<GivenAnswer | undefined>();
  const query = useInfiniteQuery(
    readPages('PersonRecordService.ListDisputed', {
      pageSize: 25,
      ...(ignored ? { verdict: 'PERSON_RECORD_VERDICT_IGNORED' as const } : {}),
      ...(source === undefined ? {} : { sourceId: source }),
    }),
  );
  const rows = pageRows<PersonRecord>(query.data);
  const nameAt = useNamesAt(ignored ? rows.map(({ answeredById, answeredAt }) => [answeredById, answeredAt] as const) : []);
  const show = (next: Shown) =>
    void navigate({
      to: '/quality/$tab',
      params: { tab: 'disputed' },
      search: (before) => ({ ...before, ignored: next === 'ignored' ? true : undefined }),
      replace: true,
    });
  return (
    <>
      <div className={styles.tools}>
        <Segments<Shown>
          label={text('disputed.show')}
          value={ignored ? 'ignored' : 'waiting'}
          onChange={show}
          options={[
            { value: 'waiting', label: text('disputed.show.waiting') },
            { value: 'ignored', label: text('disputed.show.ignored') },
          ]}
        />
        {source === undefined ? null : (
          <Link to="/quality/$tab" params={{ tab: 'disputed' }} search={{ ignored: ignored ? true : undefined }}>
            {text('disputed.allSources')}
          </Link>
        )}
      </div>
      <Table
        query={query}
        empty={<Empty icon="check" title={text(ignored ? 'disputed.noneIgnored' : 'quality.none.disputed')} />}
        label={text(ignored ? 'disputed.show.ignored' : 'quality.tab.disputed')}
        rows={rows}
        rowKey={(record) => record.id ?? ''}
        columns={(column) => [
          column('says', text('disputed.says'), (record) => (
            <span className={styles.two}>
              <Name strong>{recordName(record)}</Name>
              <Lines of={[record.email, record.username, record.employeeId]} />
            </span>
          )),
          column('source', text('disputed.source'), (record) => <RecordSource record={record} />, { narrow: 'second' }),
          ...(ignored
            ? [
                column(
                  'ignored',
                  text('disputed.ignoredAt'),
                  ({ answeredAt, answeredById }) => (
                    <span className={styles.two}>
                      <When at={answeredAt} />
                      <small>
                        <Name>{nameAt(answeredById, answeredAt)}</Name>
                      </small>
                    </span>
                  ),
                  { narrow: 'second' },
                ),
              ]
            : [
                column('why', text('disputed.why'), ({ reason }) => text(reasons[reason ?? ''] ?? 'disputed.reason.otherId'), {
                  narrow: 'second',
                }),
                column(
                  'candidates',
                  text('disputed.candidates'),
                  (record) => <Candidates record={record} onGive={mayAnswer ? setGiven : undefined} />,
                  { narrow: 'second' },
                ),
              ]),
          column(
            'else',
            text(ignored ? 'disputed.anew' : 'disputed.else'),
            (record) => (mayAnswer ? <Otherwise record={record} isIgnored={ignored} onGive={setGiven} /> : '–'),
            { narrow: 'second' },
          ),
        ]}
      />
      {given === undefined ? null : <AnswerDialog given={given} onClose={() => setGiven(undefined)} />}
    </>
  );
}

type Give = (given: GivenAnswer) => void;

/** People whose a record may be, each with the answer that it is. */
function Candidates({ record, onGive }: { record: PersonRecord; onGive: Give | undefined }) {
  return (
    <ul className={styles.candidates}>
      {(record.candidates ?? []).map((person) => {
        const label = person.displayName || person.email || '';
        return (
          <li key={person.userId}>
            <CandidateName person={person} />
            {onGive === undefined ? null : (
              <Button
                aria-label={text('disputed.sameOf', { record: recordName(record), person: label })}
                onClick={() => onGive({ record, verdict: 'SAME_PERSON', person: { id: person.userId ?? '', label } })}
              >
                {text('disputed.same')}
              </Button>
            )}
          </li>
        );
      })}
    </ul>
  );
}

/** Answers beside the candidates. */
function Otherwise({ record, isIgnored, onGive }: { record: PersonRecord; isIgnored: boolean; onGive: Give }) {
  const name = recordName(record);
  return (
    <span className={styles.people}>
      <Button aria-label={text('disputed.otherOf', { record: name })} onClick={() => onGive({ record, verdict: 'SAME_PERSON' })}>
        {text('disputed.other')}
      </Button>
      <Button aria-label={text('disputed.newOf', { record: name })} onClick={() => onGive({ record, verdict: 'NEW_PERSON' })}>
        {text('disputed.new')}
      </Button>
      {isIgnored ? null : (
        <Button
          variant="quiet"
          aria-label={text('disputed.ignoreOf', { record: name })}
          onClick={() => onGive({ record, verdict: 'IGNORED' })}
        >
          {text('disputed.ignore')}
        </Button>
      )}
    </span>
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
