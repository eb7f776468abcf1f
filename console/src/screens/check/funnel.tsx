/** Funnel from all known access of the apps to items: what each filter leaves out. */
import { count } from '~/data/count.ts';
import type { Preview } from '~/data/reviews/review.ts';
import { Sums } from '~/parts/tables/sums.tsx';
import { number } from '~/text/format.ts';
import { type PlainTextKey, text } from '~/text/text.ts';

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
      <Sums
        label={text('check.funnel', { all: number(all), items: number(count(preview.items)) })}
        parts={[
          { id: 'all', words: text('check.allAccess'), value: all },
          ...funnel
            .filter(({ filter, grants }) => filter !== 'ITEM' && count(grants) > 0)
            .map(({ filter = '', grants, samples }) => ({
              id: filter,
              words: (
                <span title={(samples ?? []).join(', ')}>
                  {filters[filter] === undefined ? filter : text(filters[filter])}
                  {filter === 'NOT_CHOSEN' ? <small>{text('check.notChosenWhat')}</small> : null}
                </span>
              ),
              value: -count(grants),
            })),
          ...(count(preview.linkItems) > 0 ? [{ id: 'links', words: text('check.links'), value: count(preview.linkItems) }] : []),
          { id: 'items', words: text('check.askedItems'), value: count(preview.items), isTotal: true },
        ]}
      />
    </section>
  );
}
