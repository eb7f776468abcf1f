/**
 * Way the access is held: since when, when it was last reviewed or used, directly or through something else, for good or for a time, by a profile
 * or not.
 */
import { Select } from '~/parts/controls/select.tsx';
import { CountField } from '~/parts/fields/count-field.tsx';
import { fieldViolation } from '~/data/act.ts';
import type { Review } from '~/data/reviews/review.ts';
import { text } from '~/text/text.ts';
import { Clause } from '~/screens/scope/clause.tsx';
import { compact } from '~/screens/scope/left-out/compact.ts';
import styles from '~/screens/scope/edit.module.css';
import { GivenWhen } from './given-when.tsx';
import { More } from '~/parts/layout/more.tsx';
import { Profiles } from '~/screens/scope/about/profiles.tsx';
import type { ClauseProps } from '~/screens/scope/props.ts';

type Criteria = NonNullable<NonNullable<Review['scopeV2']>['grantsByCriteria']>;

export function Given({ draft: { review, change, error }, count }: ClauseProps) {
  const { allGrants: _all, grantsByCriteria, ...others } = review.scopeV2 ?? {};
  const criteria = grantsByCriteria ?? {};
  const set = (next: Criteria) => {
    const said = compact(next);
    change({ scopeV2: said === undefined ? others : { ...others, grantsByCriteria: said } });
  };
  return (
    <Clause
      word={text('scope.given')}
      count={count}
      error={fieldViolation(
        error,
        'grantsByCriteria',
        'grantsByCriteria.daysSinceAdded',
        'grantsByCriteria.daysSinceReviewed',
        'grantsByCriteria.grantsAddedBetween',
      )}
    >
      <GivenWhen criteria={criteria} onChange={set} />
      <div className={styles.row}>
        <CountField
          label={text('scope.unusedFor')}
          min={1}
          value={criteria.daysSinceLastUsed ?? ''}
          hint={text('scope.unusedHint')}
          error={fieldViolation(error, 'daysSinceLastUsed')}
          onWhole={(days) => set({ ...criteria, daysSinceLastUsed: days })}
          onClear={() => set({ ...criteria, daysSinceLastUsed: '' })}
        />
      </div>
      <div className={styles.row}>
        <Select
          label={text('scope.source')}
          value={String(criteria.sourceFilter ?? 'GRANT_SOURCE_FILTER_UNSPECIFIED')}
          onChange={(value) => set({ ...criteria, sourceFilter: value as NonNullable<Criteria['sourceFilter']> })}
          options={[
            { value: 'GRANT_SOURCE_FILTER_UNSPECIFIED', label: text('scope.anySource') },
            { value: 'GRANT_SOURCE_FILTER_DIRECT', label: text('scope.direct') },
            { value: 'GRANT_SOURCE_FILTER_INHERITED', label: text('scope.inherited') },
          ]}
        />
        <Select
          label={text('scope.length')}
          value={String(criteria.typeFilter ?? 'GRANT_FILTER_TYPE_UNSPECIFIED')}
          onChange={(value) => set({ ...criteria, typeFilter: value as NonNullable<Criteria['typeFilter']> })}
          options={[
            { value: 'GRANT_FILTER_TYPE_UNSPECIFIED', label: text('scope.anyLength') },
            { value: 'GRANT_FILTER_TYPE_PERMANENT', label: text('scope.permanent') },
            { value: 'GRANT_FILTER_TYPE_TEMPORARY', label: text('scope.temporary') },
          ]}
        />
      </div>
      <More label={text('scope.byProfile')} isSet={criteria.accessProfileFilter !== undefined}>
        <Profiles
          filter={criteria.accessProfileFilter}
          error={fieldViolation(error, 'accessProfileFilter.filterType')}
          onChange={(next) => {
            const { accessProfileFilter: _before, ...rest } = criteria;
            set(next === undefined ? rest : { ...rest, accessProfileFilter: next });
          }}
        />
      </More>
    </Clause>
  );
}
