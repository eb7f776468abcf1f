/** Months in a row, each as high as its days are covered: what is missing at the top is the gap. */
import { number } from '~/text/format.ts';
import { text } from '~/text/text.ts';
import { count } from '~/data/count.ts';
import styles from './coverage.module.css';
import { type Days, sayShare, shareOf } from './days.ts';

interface MonthMapProps {
  /** Months of the period, YYYY-MM, whether or not anything was held. */
  readonly months: readonly string[];
  readonly held: readonly { readonly month?: string; readonly days?: Days }[];
}

function sayMonth(month: string, days: Days | undefined): string {
  return days === undefined
    ? text('coverage.monthEmpty', { month })
    : text('coverage.month', { month, share: sayShare(days), gap: number(count(days.notCovered)) });
}

export function MonthMap({ months, held }: MonthMapProps) {
  const byMonth = new Map(held.map(({ month, days }) => [month, days]));
  return (
    <ol className={styles.map}>
      {months.map((month) => {
        const days = byMonth.get(month);
        const { covered, all } = shareOf(days);
        const said = sayMonth(month, days);
        return (
          <li key={month} title={said} data-state={all === 0 ? 'empty' : covered === all ? 'whole' : 'gap'}>
            <svg viewBox="0 0 10 24" preserveAspectRatio="none" role="img" aria-label={said}>
              <rect width="10" height="24" className={styles.gap} />
              <rect
                width="10"
                y={all === 0 ? 24 : 24 - (24 * covered) / all}
                height={all === 0 ? 0 : (24 * covered) / all}
                className={styles.covered}
              />
            </svg>
          </li>
        );
      })}
    </ol>
  );
}
