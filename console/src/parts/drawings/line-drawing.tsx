/** One line over time as a drawing: positions are shares of its width, so that it fits any. */
import styles from './lifelines.module.css';
import type { Line } from './lifelines.tsx';

interface LineDrawingProps {
  readonly line: Line;
  readonly ticks: readonly { readonly at: number }[];
  readonly moments: readonly { readonly at: number }[];
  readonly share: (at: number) => number;
}

export function LineDrawing({ line, ticks, moments, share }: LineDrawingProps) {
  return (
    <svg className={styles.drawing} aria-hidden="true">
      {ticks.map((tick) => (
        <line key={tick.at} className={styles.tick} x1={`${share(tick.at)}%`} x2={`${share(tick.at)}%`} y1="0" y2="100%" />
      ))}
      {moments.map(({ at }) => (
        <line key={at} className={styles.moment} x1={`${share(at)}%`} x2={`${share(at)}%`} y1="0" y2="100%" />
      ))}
      <line className={styles.today} x1="100%" x2="100%" y1="0" y2="100%" />
      {line.periods
        .filter((period) => share(period.to) > 0)
        .map((period) => (
          <line
            key={`${period.from} ${period.to}`}
            className={styles[period.tone]}
            x1={`${share(period.from)}%`}
            x2={`${share(period.to)}%`}
            y1="50%"
            y2="50%"
          />
        ))}
      {line.marks
        .filter((mark) => share(mark.at) > 0)
        .map((mark) => (
          <svg key={`${mark.at} ${mark.label}`} x={`${share(mark.at)}%`} y="50%" overflow="visible">
            <title>{mark.label}</title>
            <circle className={styles[mark.kind]} r="7" />
            <path
              className={styles.sign}
              d={mark.kind === 'certified' ? 'M-3 0.2l2.2 2.2 3.8-4.4' : 'M-2.4-2.4l4.8 4.8M2.4-2.4l-4.8 4.8'}
            />
          </svg>
        ))}
    </svg>
  );
}
