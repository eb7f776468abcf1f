/** How long the files and the log behind them are kept. */
import { useQuery } from '@tanstack/react-query';
import { read } from '../../data/query.ts';
import { useMay } from '../../data/session.ts';
import { text } from '../../text/text.ts';
import styles from './evidence.module.css';

export function Retention() {
  const mayRead = useMay('settings.read');
  const found = useQuery({ ...read('RetentionService.Get', {}), enabled: mayRead }).data?.retention;
  if (found === undefined) {
    return null;
  }
  return (
    <section>
      <h2>{text('evidence.kept')}</h2>
      <p className={styles.quiet}>
        {text('evidence.keptReports', { days: found.reportDays ?? 0 })}{' '}
        {(found.eventYears ?? 0) === 0 ? text('evidence.keptForEver') : text('evidence.keptEvents', { years: found.eventYears ?? 0 })}
      </p>
    </section>
  );
}
