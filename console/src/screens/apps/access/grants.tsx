/** Grants in an app: now, as of a day, or with all that has ended. */
import { useInfiniteQuery } from '@tanstack/react-query';
import { PersonLink } from '~/app/people/person-link.tsx';
import { ExportGrants } from './export-grants.tsx';
import { FilterBar } from '~/parts/fields/filter-bar.tsx';
import { accountName, type App, type Grant, rightWords } from '~/data/inventory/inventory.ts';
import { pageRows } from '~/data/pages.ts';
import { readPages } from '~/data/query.ts';
import { Chip } from '~/parts/words/chip.tsx';
import { Empty } from '~/parts/states/empty.tsx';
import { Name } from '~/parts/words/name.tsx';
import { Table } from '~/parts/tables/table.tsx';
import { When } from '~/parts/words/when.tsx';
import { dayEnd } from '~/text/local-time.ts';
import { text } from '~/text/text.ts';
import styles from '~/screens/apps/apps.module.css';
import { GrantFilters } from './grant-filters.tsx';
import { accountTypes } from './account-types.ts';
import { useSince } from '~/screens/apps/rights/use-activity.ts';
import { useAppAddress } from '~/screens/apps/use-app.ts';

export function Grants({ app }: { app: App }) {
  const { search } = useAppAddress();
  const { q = '', asof = '', ended = false, past = false, right = '', kind } = search;
  const request = {
    appId: app.id ?? '',
    query: q,
    entitlementId: right,
    includeEnded: ended,
    pastEnd: past,
    excludeDerived: true,
    ...(kind === undefined ? {} : { accountType: accountTypes[kind] }),
    ...(asof === '' ? {} : { asOf: dayEnd(asof) }),
  };
  const query = useInfiniteQuery(readPages('GrantService.List', { ...request, pageSize: 100 }));
  const since = useSince(app.id ?? '');
  const rows = pageRows(query.data).map((view) => view.grant ?? {});
  const isNarrowed = Boolean(q || asof || right || kind || past);
  return (
    <>
      <GrantFilters app={app} />
      <FilterBar>
        <ExportGrants app={app} request={request} />
      </FilterBar>
      <Table
        query={query}
        empty={
          <Empty icon="key" title={isNarrowed ? text('apps.noGrantFound') : text('apps.noGrants')}>
            {asof === '' ? undefined : text('apps.asOfHint')}
          </Empty>
        }
        label={text('apps.tab.grants')}
        rows={rows}
        rowKey={(grant) => `${grant.entitlement?.id} ${grant.account?.id} ${grant.appearedAt}`}
        columns={(column) => [
          column('who', text('apps.who'), (grant) => <Who grant={grant} />),
          column('what', text('apps.allows'), (grant) => <Right grant={grant} />),
          column('used', text('apps.lastUsed'), (grant) => <Moment at={grant.lastUsedAt} />, { narrow: 'hide' }),
          column(
            'since',
            text('apps.since'),
            (grant) => <Since grant={grant} isNew={since.isReview && (grant.appearedAt ?? '') > since.at} />,
            { narrow: 'second' },
          ),
          column('until', text('apps.until'), (grant) => <Until grant={grant} />, { narrow: 'second' }),
        ]}
      />
    </>
  );
}

function Who({ grant }: { grant: Grant }) {
  return (
    <span className={styles.two}>
      {grant.owner === undefined ? <span className={styles.warn}>{text('apps.noOwner')}</span> : <PersonLink person={grant.owner} />}
      <small>
        <Name>{accountName(grant.account)}</Name>
      </small>
    </span>
  );
}

function Right({ grant }: { grant: Grant }) {
  const words = rightWords(grant.entitlement);
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

/** True if a source still reports access whose end has passed. */
const isPast = ({ connectorId = '', deprovisionAt = '' }: Grant): boolean => connectorId !== '' && Date.parse(deprovisionAt) <= Date.now();

function Until({ grant }: { grant: Grant }) {
  return grant.endedAt !== undefined ? (
    <span className={styles.quiet}>
      <When at={grant.endedAt} prefix={text('apps.ended')} />
    </span>
  ) : grant.deprovisionAt !== undefined ? (
    <span className={styles.owner}>
      <When at={grant.deprovisionAt} />
      {isPast(grant) ? <Chip kind="warn">{text('apps.pastEnd')}</Chip> : null}
    </span>
  ) : (
    '–'
  );
}
