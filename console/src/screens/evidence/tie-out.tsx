/** Tie-out of the population: what came in by which file, what each filter left out, and the sums that hold or do not. */
import { useQuery } from '@tanstack/react-query';
import { count } from '~/data/count.ts';
import { read, type ReplyOf } from '~/data/query.ts';
import { Sums } from '~/parts/tables/sums.tsx';
import { Dot } from '~/parts/words/dot.tsx';
import { Name } from '~/parts/words/name.tsx';
import { exactTime, number } from '~/text/format.ts';
import { joinNames } from '~/text/join-names.ts';
import { type PlainTextKey, text } from '~/text/text.ts';
import styles from './evidence.module.css';
import { Sources } from './sources.tsx';

type Completeness = NonNullable<ReplyOf<'ReviewCompletenessService.Get'>['completeness']>;
type Source = NonNullable<Completeness['sources']>[number];

/** Filters in the order in which they are asked. */
const verdicts: Readonly<Record<string, PlainTextKey>> = {
  ENTITLEMENT_NOT_CHOSEN: 'tie.notChosen',
  ACCOUNT_FILTER: 'tie.accountFilter',
  ACCOUNT_EXPRESSION: 'tie.accountExpression',
  USER_FILTER: 'tie.userFilter',
  USER_EXPRESSION: 'tie.userExpression',
  GRANT_FILTER: 'tie.grantFilter',
  CONFLICT: 'tie.conflict',
  SCOPE: 'tie.scope',
  INCLUSION_SCOPE: 'tie.inclusion',
  EXCLUSION_SCOPE: 'tie.exclusion',
  EXCLUDED_SELECTION: 'tie.selection',
};

/** Grants of all apps by verdict. */
function sumVerdicts({ apps = [] }: Completeness): ReadonlyMap<string, number> {
  const sums = new Map<string, number>();
  for (const { name = '', count: grants } of apps.flatMap((app) => app.verdicts ?? [])) {
    sums.set(name, (sums.get(name) ?? 0) + count(grants));
  }
  return sums;
}

const kinds: Readonly<Record<string, PlainTextKey>> = { MANUAL: 'tie.manual', DERIVED: 'tie.derived' };

/** Returns a source's name, or what it is where it has none. */
function nameOf({ displayName, kind = '' }: Source): string {
  return kinds[kind] === undefined ? displayName || text('tie.noFile') : text(kinds[kind]);
}

function SourceLine({ source, app }: { source: Source; app: string }) {
  return (
    <li>
      <span>
        <Name>{joinNames(app, nameOf(source))}</Name>
      </span>
      <small>
        {source.importId
          ? text('tie.file', {
              rows: count(source.rows),
              accepted: number(count(source.accepted)),
              duplicates: number(count(source.duplicates)),
              rejected: number(count(source.rejected)),
              at: exactTime(source.syncedAt ?? ''),
            })
          : ''}{' '}
        {text('tie.held', { held: number(count(source.held)) })}
      </small>
      {source.fileSha256 ? <code className={styles.hash}>{source.fileSha256}</code> : null}
    </li>
  );
}

export function TieOut({ reviewId }: { reviewId: string }) {
  const query = useQuery({ ...read('ReviewCompletenessService.Get', { accessReviewId: reviewId }), retry: false });
  const completeness = query.data?.completeness;
  if (completeness === undefined) {
    return query.isPending ? null : <Sources reviewId={reviewId} />;
  }
  const { sums = [], sources = [], peopleSources = [], apps = [] } = completeness;
  const byVerdict = sumVerdicts(completeness);
  const all = apps.reduce((total, { grants }) => total + count(grants), 0);
  const names = new Map(apps.map(({ appId, displayName }) => [appId, displayName ?? '']));
  const wrong = sums.filter(({ holds }) => !holds);
  return (
    <section className={styles.tied}>
      <h2>{text('tie.title')}</h2>
      <p>
        <Dot kind={completeness.holds ? 'ok' : 'no'}>
          {completeness.holds ? text('tie.holds', { sums: sums.length }) : text('tie.wrong', { sums: wrong.length })}
        </Dot>
      </p>
      {wrong.length === 0 ? null : (
        <ul className={styles.population}>
          {wrong.map((sum) => (
            <li key={`${sum.number} ${sum.appId} ${sum.connectorId}`}>
              <code className={styles.hash}>{sum.text}</code>
            </li>
          ))}
        </ul>
      )}
      <h3>{text('tie.funnel')}</h3>
      <Sums
        label={text('tie.funnel')}
        parts={[
          { id: 'all', words: text('tie.all'), value: all },
          ...Object.entries(verdicts).flatMap(([name, key]) => {
            const left = byVerdict.get(name) ?? 0;
            return left === 0 ? [] : [{ id: name, words: text(key), value: -left }];
          }),
          { id: 'in', words: text('tie.in'), value: byVerdict.get('IN') ?? 0, isTotal: true },
        ]}
      />
      <h3>{text('evidence.sources')}</h3>
      <ul className={styles.population}>
        {sources.map((source) => (
          <SourceLine key={`${source.appId} ${source.connectorId} ${source.kind}`} source={source} app={names.get(source.appId) ?? ''} />
        ))}
      </ul>
      {peopleSources.length === 0 ? null : (
        <>
          <h3>{text('tie.people')}</h3>
          <ul className={styles.population}>
            {peopleSources.map(({ connectorId, displayName, disputed }) => (
              <li key={connectorId}>
                <Name>{displayName}</Name>
                <small>{text('tie.disputed', { count: count(disputed) })}</small>
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  );
}
