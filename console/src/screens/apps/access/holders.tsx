/** A right's holders now. */
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { PersonLink } from '~/app/people/person-link.tsx';
import { accountName, type Entitlement } from '~/data/inventory/inventory.ts';
import { pageRows } from '~/data/pages.ts';
import { readPages } from '~/data/query.ts';
import { Load } from '~/parts/states/load.tsx';
import { Name } from '~/parts/words/name.tsx';
import { Pages } from '~/parts/tables/pages.tsx';
import { text } from '~/text/text.ts';
import styles from '~/screens/apps/apps.module.css';

export function Holders({ right }: { right: Entitlement }) {
  const query = useInfiniteQuery(readPages('GrantService.List', { appId: right.appId ?? '', entitlementId: right.id ?? '', pageSize: 50 }));
  return (
    <section>
      <h3>
        {text('apps.holders')}{' '}
        <Link to="/apps/$app/$tab" params={{ app: right.appId ?? '', tab: 'grants' }} search={{ right: right.id, ended: true }}>
          {text('apps.allHolders')}
        </Link>
      </h3>
      <Load query={query}>
        {(data) => (
          <>
            <ul className={styles.chosen}>
              {pageRows(data).map(({ grant }) => (
                <li key={`${grant?.account?.id} ${grant?.appearedAt}`}>
                  {grant?.owner === undefined ? <Name>{accountName(grant?.account)}</Name> : <PersonLink person={grant.owner} />}
                  <span className={styles.quiet}>
                    {grant?.owner === undefined ? text('apps.noOwner') : <Name>{accountName(grant.account)}</Name>}
                  </span>
                </li>
              ))}
            </ul>
            <Pages query={query} />
          </>
        )}
      </Load>
    </section>
  );
}
