/** Since when access is held, or since when nobody reviewed it: at most one of them. */
import type { Review } from '~/data/reviews/review.ts';
import { Select } from '~/parts/controls/select.tsx';
import { TextField } from '~/parts/fields/text-field.tsx';
import { text } from '~/text/text.ts';
import styles from '~/screens/scope/edit.module.css';
import { fromLocal, toLocal } from '~/text/local-time.ts';

type Criteria = NonNullable<NonNullable<Review['scopeV2']>['grantsByCriteria']>;
type Times = 'any' | 'daysSinceAdded' | 'daysSinceReviewed' | 'grantsAddedBetween';

function timesOf(criteria: Criteria): Times {
  return criteria.daysSinceAdded !== undefined
    ? 'daysSinceAdded'
    : criteria.daysSinceReviewed !== undefined
      ? 'daysSinceReviewed'
      : criteria.grantsAddedBetween !== undefined
        ? 'grantsAddedBetween'
        : 'any';
}

export function GivenWhen({ criteria, onChange }: { criteria: Criteria; onChange: (next: Criteria) => void }) {
  const { daysSinceAdded: _added, daysSinceReviewed: _reviewed, grantsAddedBetween, ...rest } = criteria;
  const times = timesOf(criteria);
  const choose = (next: Times) =>
    onChange(next === 'any' ? rest : next === 'grantsAddedBetween' ? { ...rest, grantsAddedBetween: {} } : { ...rest, [next]: '90' });
  const setDay = (member: 'startDate' | 'endDate', value: string) => {
    const { [member]: _before, ...other } = grantsAddedBetween ?? {};
    const moment = fromLocal(value === '' ? '' : `${value}T00:00`);
    onChange({ ...rest, grantsAddedBetween: moment === undefined ? other : { ...other, [member]: moment } });
  };
  return (
    <div className={styles.row}>
      <Select<Times>
        label={text('scope.when')}
        value={times}
        onChange={choose}
        options={[
          { value: 'any', label: text('scope.anyTime') },
          { value: 'daysSinceAdded', label: text('scope.longAgo') },
          { value: 'daysSinceReviewed', label: text('scope.notReviewed') },
          { value: 'grantsAddedBetween', label: text('scope.between') },
        ]}
      />
      {times === 'daysSinceAdded' || times === 'daysSinceReviewed' ? (
        <TextField
          label={text('scope.days')}
          type="number"
          min={1}
          value={criteria[times] ?? ''}
          onChange={(days) => onChange({ ...rest, [times]: days === '' ? '1' : days })}
        />
      ) : null}
      {times === 'grantsAddedBetween' ? (
        <>
          <TextField
            label={text('scope.from')}
            type="date"
            value={toLocal(grantsAddedBetween?.startDate).slice(0, 10)}
            onChange={(value) => setDay('startDate', value)}
          />
          <TextField
            label={text('scope.before')}
            type="date"
            value={toLocal(grantsAddedBetween?.endDate).slice(0, 10)}
            onChange={(value) => setDay('endDate', value)}
          />
        </>
      ) : null}
    </div>
  );
}
