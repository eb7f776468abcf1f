/** What a merge or a split would do: parts that become another person's, parts that end, and facts that change. */
import type { ReplyOf } from '~/data/query.ts';
import { Name } from '~/parts/words/name.tsx';
import { type PlainTextKey, text } from '~/text/text.ts';
import styles from './people.module.css';

type Outcome = ReplyOf<'PersonMergeService.Merge'>;
type Part = NonNullable<Outcome['moved']>[number];

const kinds = {
  PERSON_PART_KIND_RECORDS: 'merge.kind.records',
  PERSON_PART_KIND_ACCOUNTS: 'merge.kind.accounts',
  PERSON_PART_KIND_REVIEW_ITEMS: 'merge.kind.reviewItems',
  PERSON_PART_KIND_OWNERSHIPS: 'merge.kind.ownerships',
  PERSON_PART_KIND_REVIEWS: 'merge.kind.reviews',
  PERSON_PART_KIND_TEMPLATES: 'merge.kind.templates',
  PERSON_PART_KIND_REPORTS: 'merge.kind.reports',
  PERSON_PART_KIND_ROLES: 'merge.kind.roles',
  PERSON_PART_KIND_CREDENTIALS: 'merge.kind.credentials',
  PERSON_PART_KIND_DELEGATIONS: 'merge.kind.delegations',
} as const;

const facts: Readonly<Record<string, PlainTextKey>> = {
  email: 'people.mail',
  username: 'people.username',
  employeeId: 'people.employeeId',
  status: 'merge.status',
  displayName: 'people.named',
  employmentStatus: 'people.employment',
};

interface MergePreviewProps {
  readonly outcome: Outcome;
  /** Heads of the parts: what moves and to whom, what ends, and whose facts change. */
  readonly heads: { readonly moved: string; readonly ended: string; readonly changes: string };
}

export function MergePreview({ outcome, heads }: MergePreviewProps) {
  const { moved = [], ended = [], changes = [] } = outcome;
  return (
    <>
      <Parts title={heads.moved} parts={moved} none={text('merge.movesNothing')} />
      <Parts title={heads.ended} parts={ended} none={text('merge.endsNothing')} />
      {changes.length === 0 ? null : (
        <section>
          <h3>{heads.changes}</h3>
          <ul>
            {changes.map(({ name = '', before = '', after = '' }) => (
              <li key={name}>
                {text(facts[name] ?? 'merge.status')}: <Name>{before || '–'}</Name> → <Name>{after || '–'}</Name>
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  );
}

function Parts({ title, parts, none }: { title: string; parts: readonly Part[]; none: string }) {
  return (
    <section>
      <h3>{title}</h3>
      {parts.length === 0 ? <p className={styles.quiet}>{none}</p> : null}
      <ul>
        {parts.map(({ kind, count = 0, names = [] }) => (
          <li key={kind}>
            {kind === undefined || kind === 'PERSON_PART_KIND_UNSPECIFIED' ? null : text(kinds[kind], { count })}
            {names.length === 0 ? null : (
              <small>
                {' '}
                <Name>{names.join(', ')}</Name>
                {count > names.length ? ' …' : ''}
              </small>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}
