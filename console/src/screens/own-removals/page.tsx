/** Denied access that asks me: whether it may be removed, or to remove it. What I say moves it on; a later sync proves it. */
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ExportRemovals } from '~/app/removals/export-removals.tsx';
import { Page } from '~/app/page.tsx';
import { idsInRemoval, withNamesSince } from '~/data/inventory/removals.ts';
import { useNamesSince } from '~/data/names-since.ts';
import { FilterBar } from '~/parts/fields/filter-bar.tsx';
import { SearchField } from '~/parts/fields/search-field.tsx';
import { Empty } from '~/parts/states/empty.tsx';
import { Load } from '~/parts/states/load.tsx';
import { Pages } from '~/parts/tables/pages.tsx';
import { text } from '~/text/text.ts';
import { type Answer, possibleAnswers, type Removal } from './answers.ts';
import { BulkBar } from './bulk-bar.tsx';
import styles from './own-removals.module.css';
import { RemovalRow } from './removal-row.tsx';
import { SayDialog } from './say-dialog.tsx';
import { ownRemovalsQuery } from './route.tsx';

export function OwnRemovalsPage() {
  const [words, setWords] = useState('');
  const request = { asksMe: true, ...(words === '' ? {} : { query: words }) };
  const query = useInfiniteQuery(ownRemovalsQuery(request));
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const [said, setSaid] = useState<{ readonly removals: readonly Removal[]; readonly answer: Answer } | undefined>();
  const found = (query.data?.pages ?? []).flatMap(({ list }) => list ?? []);
  const since = useNamesSince(found.flatMap(idsInRemoval));
  const shown = found.map((row) => withNamesSince(row, since));
  const chosen = shown.filter((one) => selected.has(one.id ?? '') && possibleAnswers(one).length > 0);
  const choose = (id: string, isOn: boolean) => setSelected(new Set(isOn ? [...selected, id] : [...selected].filter((one) => one !== id)));
  return (
    <Page title={text('ownRemovals.title')} width="column">
      <p className={styles.quiet}>{text('ownRemovals.what')}</p>
      <FilterBar>
        <SearchField label={text('revocations.filter')} value={words} onChange={setWords} keys="/" />
        <ExportRemovals title={text('ownRemovals.title')} request={request} />
      </FilterBar>
      <Load
        query={query}
        empty={
          <Empty icon="check" title={text('ownRemovals.none')}>
            {text('ownRemovals.noneNext')}
          </Empty>
        }
      >
        {() => (
          <>
            <BulkBar removals={shown} chosen={chosen} onChoose={setSelected} onSay={(answer) => setSaid({ removals: chosen, answer })} />
            <ul className={styles.list}>
              {shown.map((removal) => (
                <RemovalRow
                  key={removal.id}
                  removal={removal}
                  isChosen={selected.has(removal.id ?? '')}
                  onChoose={shown.length < 2 ? undefined : (isOn) => choose(removal.id ?? '', isOn)}
                  onSay={(answer) => setSaid({ removals: [removal], answer })}
                />
              ))}
            </ul>
            <Pages query={query} />
          </>
        )}
      </Load>
      {said === undefined ? null : (
        <SayDialog key={`${said.removals[0]?.id ?? ''} ${said.answer}`} {...said} onClose={() => setSaid(undefined)} />
      )}
    </Page>
  );
}
