/** How the access is held: since when, when it was last reviewed or used, directly or through something else, for good or for a time. */
import { Select } from '../../parts/select.tsx';
import { TextField } from '../../parts/text-field.tsx';
import { violationOf } from '../../data/act.ts';
import type { Review } from '../../data/review.ts';
import { text } from '../../text/text.ts';
import { Clause } from './clause.tsx';
import styles from './edit.module.css';
import type { PartProps } from './props.ts';

type Criteria = NonNullable<NonNullable<Review['scopeV2']>['grantsByCriteria']>;
type Times = 'any' | 'daysSinceAdded' | 'daysSinceReviewed';

/** The criteria without what says nothing; undefined where nothing is left. */
export function compact(criteria: Criteria): Criteria | undefined {
  const said = Object.fromEntries(
    Object.entries(criteria).filter(([, value]) => value !== undefined && value !== '' && !String(value).endsWith('_UNSPECIFIED')),
  ) as Criteria;
  return Object.keys(said).length === 0 ? undefined : said;
}

export function Given({ draft: { review, change, error } }: PartProps) {
  const { allGrants: _all, grantsByCriteria, ...others } = review.scopeV2 ?? {};
  const criteria = grantsByCriteria ?? {};
  const set = (next: Criteria) => {
    const said = compact(next);
    change({ scopeV2: said === undefined ? others : { ...others, grantsByCriteria: said } });
  };
  const times: Times =
    criteria.daysSinceAdded !== undefined ? 'daysSinceAdded' : criteria.daysSinceReviewed !== undefined ? 'daysSinceReviewed' : 'any';
  const { daysSinceAdded: _added, daysSinceReviewed: _reviewed, ...rest } = criteria;
  return (
    <Clause
      word={text('scope.given')}
      error={violationOf(error, 'grantsByCriteria', 'grantsByCriteria.daysSinceAdded', 'grantsByCriteria.daysSinceReviewed')}
    >
      <div className={styles.row}>
        <Select<Times>
          label={text('scope.when')}
          value={times}
          onChange={(next) => set(next === 'any' ? rest : { ...rest, [next]: '90' })}
          options={[
            { value: 'any', label: text('scope.anyTime') },
            { value: 'daysSinceAdded', label: text('scope.longAgo') },
            { value: 'daysSinceReviewed', label: text('scope.notReviewed') },
          ]}
        />
        {times === 'any' ? null : (
          <TextField
            label={text('scope.days')}
            type="number"
            min={1}
            value={criteria[times] ?? ''}
            onChange={(days) => set({ ...rest, [times]: days === '' ? '1' : days })}
          />
        )}
      </div>
      <div className={styles.row}>
        <TextField
          label={text('scope.unusedFor')}
          type="number"
          min={1}
          value={criteria.daysSinceLastUsed ?? ''}
          hint={text('scope.unusedHint')}
          error={violationOf(error, 'daysSinceLastUsed')}
          onChange={(days) => set({ ...criteria, daysSinceLastUsed: days })}
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
    </Clause>
  );
}
