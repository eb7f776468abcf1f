/** Who holds a right now. */
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { accountName, type Entitlement, nameOf } from '../../data/inventory.ts';
import { rowsOf } from '../../data/pages.ts';
import { readPages } from '../../data/query.ts';
import { Load } from '../../parts/load.tsx';
import { Name } from '../../parts/name.tsx';
import { Pages } from '../../parts/pages.tsx';
import { text } from '../../text/text.ts';
import styles from './apps.module.css';

export function Holders({ right }: { right: Entitlement }) {
  const query = useInfiniteQuery(readPages('GrantService.List', { appId: right.appId ?? '', entitlementId: right.id ?? '', pageSize: 50 }));
  return (
    <section>
      <h3>
        {text('apps.holders')}{' '}
        <Link to={`/apps/${right.appId}/grants` as string} search={{ right: right.id, ended: true } as never}>
          {text('apps.allHolders')}
        </Link>
      </h3>
      <Load query={query}>
        {(data) => (
          <>
            <ul className={styles.chosen}>
              {rowsOf(data).map(({ grant }) => (
                <li key={`${grant?.account?.id} ${grant?.appearedAt}`}>
                  {grant?.owner === undefined ? (
                    <Name>{accountName(grant?.account)}</Name>
                  ) : (
                    <Link to={`/people/${grant.owner.id}/now` as string}>
                      <Name>{nameOf(grant.owner)}</Name>
                    </Link>
                  )}
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
