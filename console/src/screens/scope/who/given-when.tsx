/** Since when access is held, or since when nobody reviewed it: at most one of them. */
import type { Review } from '~/data/reviews/review.ts';
import { Select } from '~/parts/controls/select.tsx';
import { DateField } from '~/parts/fields/date-field.tsx';
import { CountField } from '~/parts/fields/count-field.tsx';
import { text } from '~/text/text.ts';
import styles from '~/screens/scope/edit.module.css';
import { dayStart, toDay } from '~/text/local-time.ts';
import { addDays } from '~/text/whole-date.ts';

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
  // What is stored ends before a moment; the field says the last day.
  const lastDay = (end: string | undefined) => (end === undefined ? '' : toDay(new Date(Date.parse(end) - 1)));
  const day = (member: 'startDate' | 'endDate') => {
    const { [member]: moment, ...other } = grantsAddedBetween ?? {};
    return {
      value: member === 'startDate' ? toDay(moment) : lastDay(moment),
      onWhole: (day: string) =>
        onChange({ ...rest, grantsAddedBetween: { ...other, [member]: dayStart(member === 'startDate' ? day : addDays(day, 1)) } }),
      onClear: () => onChange({ ...rest, grantsAddedBetween: other }),
      isStored: true,
    };
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
        <CountField
          label={text('scope.days')}
          min={1}
          value={criteria[times] ?? ''}
          onWhole={(days) => onChange({ ...rest, [times]: days })}
        />
      ) : null}
      {times === 'grantsAddedBetween' ? (
        <>
          <DateField label={text('scope.from')} {...day('startDate')} />
          <DateField label={text('scope.lastDay')} {...day('endDate')} />
        </>
      ) : null}
    </div>
  );
}
