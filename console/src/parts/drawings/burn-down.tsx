/** Items left of a review by day, beside an even pace to its due date and where the present pace leads. A table says the same to screen readers. */
import { date, number } from '~/text/format.ts';
import { text } from '~/text/text.ts';
import styles from './burn-down.module.css';
import { planBurnDown } from './burn-down-plan.ts';

export interface BurnDownProps {
  /** Number open at the end of each day, oldest first. */
  readonly days: readonly { readonly day: string; readonly open: number }[];
  readonly total: number;
  /** Open now. */
  readonly left: number;
  readonly startedAt: string | undefined;
  readonly dueAt: string | undefined;
  /** Decided each day so far. */
  readonly perDay: number;
  readonly isOver: boolean;
}

export function BurnDown(props: BurnDownProps) {
  const plan = planBurnDown(props, new Date());
  const { width, height, points, now, due, ticks, dates } = plan;
  const line = points.map(({ x, y }) => `${x},${y}`).join(' ');
  const first = points[0];
  return (
    <figure className={styles.figure}>
      <div className={styles.legend} aria-hidden="true">
        <span className={styles.leftKey}>{text('burndown.left')}</span>
        {due === undefined ? null : <span className={styles.evenKey}>{text('burndown.even')}</span>}
      </div>
      <svg className={styles.chart} viewBox={`0 0 ${width + 96} ${height + 28}`} role="img" aria-label={text('burndown.label')}>
        {ticks.map(({ y, value }) => (
          <g key={value}>
            <line className={styles.grid} x1="0" x2={width} y1={y} y2={y} />
            {due !== undefined && due.left > 0 && !props.isOver && Math.abs(due.y - y) < 14 ? null : (
              <text className={styles.tick} x={width + 8} y={y + 4}>
                {number(value)}
              </text>
            )}
          </g>
        ))}
        {first === undefined || now === undefined ? null : (
          <>
            <polygon className={styles.area} points={`${first.x},${height} ${line} ${now.x},${height}`} />
            {due === undefined ? null : <line className={styles.even} x1={first.x} y1={plan.top} x2={due.x} y2={height} />}
            <polyline className={styles.line} points={line} />
            {due === undefined || props.isOver || due.x <= now.x ? null : (
              <>
                <line className={styles.ahead} x1={now.x} y1={now.y} x2={due.x} y2={due.y} />
                <circle className={styles.end} cx={due.x} cy={due.y} r="3.5" />
                {due.left > 0 ? (
                  <text className={styles.word} x={due.x + 8} y={due.y + 4}>
                    {text('burndown.whenDue', { count: due.left })}
                  </text>
                ) : null}
              </>
            )}
            <circle className={styles.now} cx={now.x} cy={now.y} r="4" />
            <text className={styles.word} x={now.x + 8} y={Math.max(12, now.y - 8)}>
              {text('burndown.leftNow', { count: props.left })}
            </text>
          </>
        )}
        {dates.map(({ x, at, isNow }) => (
          <text key={at} className={isNow ? styles.word : styles.tick} x={x} y={height + 20} textAnchor={x < 20 ? 'start' : 'middle'}>
            {isNow ? text('burndown.today') : date(at, true)}
          </text>
        ))}
      </svg>
      <table className={styles.table}>
        <caption>{text('burndown.label')}</caption>
        <thead>
          <tr>
            <th scope="col">{text('burndown.day')}</th>
            <th scope="col">{text('burndown.left')}</th>
          </tr>
        </thead>
        <tbody>
          {props.days.map(({ day, open }) => (
            <tr key={day}>
              <th scope="row">{date(`${day}T12:00:00Z`)}</th>
              <td>{number(open)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </figure>
  );
}
