/** Filters of the list: words, whose, and of which app; and its order. */
import { useQuery } from '@tanstack/react-query';
import { SearchBox } from '~/app/lists/search-box.tsx';
import { Button } from '~/parts/controls/button.tsx';
import { Checkbox } from '~/parts/controls/checkbox.tsx';
import { FilterBar } from '~/parts/fields/filter-bar.tsx';
import { Select } from '~/parts/controls/select.tsx';
import { appQuery } from '~/data/inventory/find.ts';
import { text } from '~/text/text.ts';
import type { ListSearch } from './route.tsx';

export function Filters({ search, onChange }: { search: ListSearch; onChange: (parts: ListSearch) => void }) {
  const { owner, app, q, sort = 'newest' } = search;
  const named = useQuery({ ...appQuery(app ?? ''), enabled: app !== undefined });
  return (
    <FilterBar>
      <SearchBox label={text('reviews.filter')} value={q} onChange={(value) => onChange({ q: value })} />
      <Checkbox
        label={text('reviews.mine')}
        checked={owner === 'me'}
        onChange={(checked) => onChange({ owner: checked ? 'me' : undefined })}
      />
      {app === undefined ? null : (
        <Button variant="quiet" icon="cross" onClick={() => onChange({ app: undefined })}>
          {text('reviews.ofApp', { app: named.data?.app?.displayName ?? '' })}
        </Button>
      )}
      <Select
        label={text('reviews.order')}
        hideLabel
        value={sort}
        onChange={(value) => onChange({ sort: value === 'newest' ? undefined : value })}
        options={[
          { value: 'newest', label: text('reviews.newestFirst') },
          { value: 'due', label: text('reviews.dueFirst') },
          { value: 'name', label: text('reviews.byName') },
        ]}
      />
    </FilterBar>
  );
}
