/** Filters of the list: words, whose, and of which app. */
import { useQuery } from '@tanstack/react-query';
import { Button } from '../../parts/button.tsx';
import { Checkbox } from '../../parts/checkbox.tsx';
import { FilterBar } from '../../parts/filter-bar.tsx';
import { SearchField } from '../../parts/search-field.tsx';
import { appQuery } from '../../data/find.ts';
import { text } from '../../text/text.ts';
import type { ListSearch } from './route.tsx';

export function Filters({ search, onChange }: { search: ListSearch; onChange: (next: ListSearch) => void }) {
  const { owner, app, q, ...rest } = search;
  const change = (next: { owner?: 'me' | undefined; app?: string | undefined; q?: string | undefined }) => {
    const merged = { owner, app, q, ...next };
    onChange({
      ...rest,
      ...(merged.owner ? { owner: merged.owner } : {}),
      ...(merged.app ? { app: merged.app } : {}),
      ...(merged.q ? { q: merged.q } : {}),
    });
  };
  const named = useQuery({ ...appQuery(app ?? ''), enabled: app !== undefined });
  return (
    <FilterBar>
      <SearchField label={text('reviews.filter')} value={q ?? ''} onChange={(value) => change({ q: value })} keys="/" />
      <Checkbox
        label={text('reviews.mine')}
        checked={owner === 'me'}
        onChange={(checked) => change({ owner: checked ? 'me' : undefined })}
      />
      {app === undefined ? null : (
        <Button variant="quiet" icon="cross" onClick={() => change({ app: undefined })}>
          {text('reviews.ofApp', { app: named.data?.app?.displayName ?? '' })}
        </Button>
      )}
    </FilterBar>
  );
}
