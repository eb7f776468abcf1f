/** Who has what in an app: now, as of a day, or with all that has ended. */
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { accountName, type App, type Grant, nameOf, wordsOf } from '../../data/inventory.ts';
import { rowsOf } from '../../data/pages.ts';
import { readPages } from '../../data/query.ts';
import { Chip } from '../../parts/chip.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Load } from '../../parts/load.tsx';
import { Name } from '../../parts/name.tsx';
import { Pages } from '../../parts/pages.tsx';
import { Table } from '../../parts/table.tsx';
import { When } from '../../parts/when.tsx';
import { text } from '../../text/text.ts';
import styles from './apps.module.css';
import { GrantFilters } from './grant-filters.tsx';
import { accountTypes } from './account-types.ts';
import { useSince } from './use-activity.ts';
import { useAppAddress } from './use-app.ts';

export function Grants({ app }: { app: App }) {
  const { search } = useAppAddress();
  const { q = '', asof = '', ended = false, right = '', kind } = search;
  const query = useInfiniteQuery(
    readPages('GrantService.List', {
      appId: app.id ?? '',
      query: q,
      entitlementId: right,
      includeEnded: ended,
      excludeDerived: true,
      ...(kind === undefined ? {} : { accountType: accountTypes[kind] }),
      ...(asof === '' ? {} : { asOf: endOf(asof) }),
      pageSize: 100,
    }),
  );
  const since = useSince(app.id ?? '');
  const rows = rowsOf(query.data).map((view) => view.grant ?? {});
  const isNarrowed = Boolean(q || asof || right || kind);
  return (
    <>
      <GrantFilters app={app} />
      <Load query={query}>
        {() =>
          rows.length === 0 ? (
            <Empty icon="key" title={isNarrowed ? text('apps.noGrantFound') : text('apps.noGrants')}>
              {asof === '' ? undefined : text('apps.asOfHint')}
            </Empty>
          ) : (
            <>
              <Table
                label={text('apps.tab.grants')}
                rows={rows}
                rowKey={(grant) => `${grant.entitlement?.id} ${grant.account?.id} ${grant.appearedAt}`}
                columns={[
                  { id: 'who', head: text('apps.who'), cell: (grant) => <Who grant={grant} /> },
                  { id: 'what', head: text('apps.allows'), cell: (grant) => <Right grant={grant} /> },
                  { id: 'used', head: text('apps.lastUsed'), narrow: 'hide', cell: (grant) => <Moment at={grant.lastUsedAt} /> },
                  {
                    id: 'since',
                    head: text('apps.since'),
                    narrow: 'second',
                    cell: (grant) => <Since grant={grant} isNew={since.isReview && (grant.appearedAt ?? '') > since.at} />,
                  },
                  { id: 'until', head: text('apps.until'), narrow: 'second', cell: (grant) => <Until grant={grant} /> },
                ]}
              />
              <Pages query={query} />
            </>
          )
        }
      </Load>
    </>
  );
}

/** The end of a day, where the reader is. */
function endOf(day: string): string {
  return new Date(`${day}T23:59:59.999`).toISOString();
}

function Who({ grant }: { grant: Grant }) {
  return (
    <span className={styles.two}>
      {grant.owner === undefined ? (
        <span className={styles.warn}>{text('apps.noOwner')}</span>
      ) : (
        <Link to={`/people/${grant.owner.id}/now` as string}>
          <Name>{nameOf(grant.owner)}</Name>
        </Link>
      )}
      <small>
        <Name>{accountName(grant.account)}</Name>
      </small>
    </span>
  );
}

function Right({ grant }: { grant: Grant }) {
  const words = wordsOf(grant.entitlement);
  return (
    <span className={styles.two}>
      <Name>{words.title}</Name>
      <small>
        {words.name === '' ? null : <Name>{words.name}</Name>}
        {grant.isDirect === true || grant.isDerived === true ? null : text('apps.inherited')}
      </small>
    </span>
  );
}

function Moment({ at }: { at: string | undefined }) {
  return at === undefined ? text('apps.notKnown') : <When at={at} />;
}

/** Since when it is held; what appeared after the last review began is new to reviewers. */
function Since({ grant, isNew }: { grant: Grant; isNew: boolean }) {
  return (
    <span className={styles.owner}>
      <Moment at={grant.grantedAt ?? grant.appearedAt} />
      {isNew ? <Chip kind="warn">{text('apps.newSince')}</Chip> : null}
    </span>
  );
}

function Until({ grant }: { grant: Grant }) {
  return grant.endedAt !== undefined ? (
    <span className={styles.quiet}>
      <When at={grant.endedAt} prefix={text('apps.ended')} />
    </span>
  ) : grant.deprovisionAt !== undefined ? (
    <When at={grant.deprovisionAt} />
  ) : (
    '–'
  );
}
