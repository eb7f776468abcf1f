/** How all known access of the apps became the items: what each filter leaves out. */
import { count } from '../../data/count.ts';
import type { Preview } from '../../data/review.ts';
import { number } from '../../text/format.ts';
import { type PlainTextKey, text } from '../../text/text.ts';
import styles from './check.module.css';

const filters: Readonly<Record<string, PlainTextKey>> = {
  NOT_CHOSEN: 'check.notChosen',
  EXCLUDED_BY_LIST: 'check.excludedByList',
  EXCLUSION_SCOPE: 'check.exclusionScope',
  LEGACY: 'check.legacy',
  ACCOUNT: 'check.account',
  ACCOUNT_CEL: 'check.accountCel',
  UNOWNED: 'check.unownedFilter',
  USER: 'check.user',
  USER_CEL: 'check.userCel',
  CEL_ERROR: 'check.celError',
  GRANT: 'check.grant',
};

export function Funnel({ preview }: { preview: Preview }) {
  const funnel = preview.funnel ?? [];
  const all = funnel.reduce((sum, { grants }) => sum + count(grants), 0);
  return (
    <section>
      <h2>{text('check.funnel', { all: number(all), items: number(count(preview.items)) })}</h2>
      <table className={styles.funnel}>
        <tbody>
          <tr>
            <th scope="row">{text('check.allAccess')}</th>
            <td>{number(all)}</td>
          </tr>
          {funnel
            .filter(({ filter, grants }) => filter !== 'ITEM' && count(grants) > 0)
            .map(({ filter = '', grants, samples }) => (
              <tr key={filter} title={(samples ?? []).join(', ')}>
                <th scope="row">{filters[filter] === undefined ? filter : text(filters[filter])}</th>
                <td>{number(-count(grants))}</td>
              </tr>
            ))}
          {count(preview.linkItems) > 0 ? (
            <tr>
              <th scope="row">{text('check.links')}</th>
              <td>{number(count(preview.linkItems))}</td>
            </tr>
          ) : null}
          <tr>
            <th scope="row">{text('check.askedItems')}</th>
            <td>{number(count(preview.items))}</td>
          </tr>
        </tbody>
      </table>
    </section>
  );
}
