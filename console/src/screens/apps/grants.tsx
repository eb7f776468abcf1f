/** Who has what in an app: now, as of a day, or with all that has ended. */
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { SearchBox } from '../../app/search-box.tsx';
import { accountName, type App, type Grant, nameOf, wordsOf } from '../../data/inventory.ts';
import { rowsOf, useFurtherPages } from '../../data/pages.ts';
import { readPages } from '../../data/query.ts';
import { Checkbox } from '../../parts/checkbox.tsx';
import { Empty } from '../../parts/empty.tsx';
import { FilterBar } from '../../parts/filter-bar.tsx';
import { Load } from '../../parts/load.tsx';
import { Name } from '../../parts/name.tsx';
import { Pages } from '../../parts/pages.tsx';
import { Table } from '../../parts/table.tsx';
import { TextField } from '../../parts/text-field.tsx';
import { When } from '../../parts/when.tsx';
import { text } from '../../text/text.ts';
import styles from './apps.module.css';
import { useAppAddress } from './use-app.ts';

/** Whether a grant was held at the end of a day. */
export function isHeldOn(grant: Grant, day: string): boolean {
  const end = new Date(`${day}T23:59:59.999`).getTime();
  return new Date(grant.appearedAt ?? 0).getTime() <= end && (grant.endedAt === undefined || new Date(grant.endedAt).getTime() > end);
}

function holds(grant: Grant, words: string): boolean {
  const said = [nameOf(grant.owner), accountName(grant.account), grant.entitlement?.displayName, grant.entitlement?.description];
  return said.join(' ').toLowerCase().includes(words.toLowerCase());
}

export function Grants({ app }: { app: App }) {
  const { search, change } = useAppAddress();
  const { q = '', asof = '', ended = false } = search;
  const query = useInfiniteQuery(
    readPages('GrantService.List', { appId: app.id ?? '', includeEnded: ended || asof !== '', pageSize: 100 }),
  );
  // The server lists; text and day are looked for here, in all that is read.
  const isWhole = useFurtherPages(query, q !== '' || asof !== '', 50);
  const rows = rowsOf(query.data)
    .map((view) => view.grant ?? {})
    .filter((grant) => grant.isDerived !== true)
    .filter((grant) => (q === '' || holds(grant, q)) && (asof === '' || isHeldOn(grant, asof)));
  return (
    <>
      <FilterBar>
        <SearchBox label={text('apps.findGrant')} value={search.q} onChange={(value) => change({ q: value })} />
        <Checkbox
          label={text('apps.alsoEnded')}
          checked={ended}
          onChange={(value: boolean) => change({ ended: value || undefined })}
          {...(asof === '' ? {} : { disabledReason: text('apps.alsoEndedNot') })}
        />
        <div className={styles.edge}>
          <TextField label={text('apps.asOf')} type="date" value={asof} onChange={(value) => change({ asof: value || undefined })} />
        </div>
      </FilterBar>
      <Load query={query}>
        {() =>
          rows.length === 0 && isWhole ? (
            <Empty icon="key" title={q || asof ? text('apps.noGrantFound') : text('apps.noGrants')} />
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
                    cell: (grant) => <Moment at={grant.grantedAt ?? grant.appearedAt} />,
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
