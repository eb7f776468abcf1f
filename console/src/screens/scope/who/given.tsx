/**
 * Way the access is held: since when, when it was last reviewed or used, directly or through something else, for good or for a time, by a profile
 * or not.
 */
import { Select } from '~/parts/controls/select.tsx';
import { CountField } from '~/parts/fields/count-field.tsx';
import { fieldViolation } from '~/data/act.ts';
import type { Review } from '~/data/reviews/review.ts';
import { choicesOf } from '~/parts/controls/choices-of.ts';
import type { ByValue } from '~/text/by-value.ts';
import { type PlainTextKey, text } from '~/text/text.ts';
import { Clause } from '~/screens/scope/clause.tsx';
import { compact } from '~/screens/scope/left-out/compact.ts';
import styles from '~/screens/scope/edit.module.css';
import { GivenWhen } from './given-when.tsx';
import { Disclosure } from '~/parts/layout/disclosure.tsx';
import { Profiles } from '~/screens/scope/about/profiles.tsx';
import type { ClauseProps } from '~/screens/scope/props.ts';

type Criteria = NonNullable<NonNullable<Review['scopeV2']>['grantsByCriteria']>;

const sources: ByValue<Criteria['sourceFilter'], PlainTextKey> = {
  GRANT_SOURCE_FILTER_UNSPECIFIED: 'scope.anySource',
  GRANT_SOURCE_FILTER_DIRECT: 'scope.direct',
  GRANT_SOURCE_FILTER_INHERITED: 'scope.inherited',
};
const lengths: ByValue<Criteria['typeFilter'], PlainTextKey> = {
  GRANT_FILTER_TYPE_UNSPECIFIED: 'scope.anyLength',
  GRANT_FILTER_TYPE_PERMANENT: 'scope.permanent',
  GRANT_FILTER_TYPE_TEMPORARY: 'scope.temporary',
};

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
          value={criteria.sourceFilter ?? 'GRANT_SOURCE_FILTER_UNSPECIFIED'}
          onChange={(sourceFilter) => set({ ...criteria, sourceFilter })}
          options={choicesOf(sources)}
        />
        <Select
          label={text('scope.length')}
          value={criteria.typeFilter ?? 'GRANT_FILTER_TYPE_UNSPECIFIED'}
          onChange={(typeFilter) => set({ ...criteria, typeFilter })}
          options={choicesOf(lengths)}
        />
      </div>
      <Disclosure label={text('scope.byProfile')} isSet={criteria.accessProfileFilter !== undefined}>
        <Profiles
          filter={criteria.accessProfileFilter}
          error={fieldViolation(error, 'accessProfileFilter.filterType')}
          onChange={(next) => {
            const { accessProfileFilter: _before, ...rest } = criteria;
            set(next === undefined ? rest : { ...rest, accessProfileFilter: next });
          }}
        />
      </Disclosure>
    </Clause>
  );
}
