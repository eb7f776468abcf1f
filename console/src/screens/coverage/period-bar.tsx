/** Chooses the period that is counted, and for how long a certification is valid. */
import { useNavigate } from '@tanstack/react-router';
import { changeSearch } from '~/app/search.ts';
import type { ReplyOf } from '~/data/query.ts';
import { FilterBar } from '~/parts/fields/filter-bar.tsx';
import { DateField } from '~/parts/fields/date-field.tsx';
import { CountField } from '~/parts/fields/count-field.tsx';
import { text } from '~/text/text.ts';
import { dayBefore } from './days.ts';
import type { CoverageSearch } from './route.tsx';

interface PeriodBarProps {
  readonly search: CoverageSearch;
  /** The app whose gaps are shown; without it all apps. */
  readonly appId?: string | undefined;
  /** Period that was counted, where the search says none. */
  readonly period: ReplyOf<'CoverageService.Get'>['period'] | undefined;
}

export function PeriodBar({ search, appId, period }: PeriodBarProps) {
  const navigate = useNavigate();
  const go = (next: CoverageSearch) => {
    const to = { search: changeSearch(next), replace: true };
    void (appId === undefined ? navigate({ to: '/coverage', ...to }) : navigate({ to: '/coverage/$appId', params: { appId }, ...to }));
  };
  return (
    <FilterBar>
      <DateField
        label={text('coverage.since')}
        value={search.since ?? period?.fromDay ?? ''}
        onWhole={(since) => go({ since })}
        onClear={() => go({ since: undefined })}
      />
      <DateField
        label={text('coverage.until')}
        value={search.until ?? dayBefore(period?.untilDay)}
        onWhole={(until) => go({ until })}
        onClear={() => go({ until: undefined })}
      />
      <CountField
        label={text('coverage.valid')}
        min={1}
        max={3660}
        value={search.valid ?? '365'}
        onWhole={(valid) => go({ valid: valid === '365' ? undefined : valid })}
      />
    </FilterBar>
  );
}
