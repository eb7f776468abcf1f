/** State of the log: how much of it is sealed, and what its last check found. */
import { useQuery } from '@tanstack/react-query';
import { count } from '~/data/count.ts';
import { read } from '~/data/query.ts';
import { useMay } from '~/data/session/session.ts';
import { Note } from '~/parts/states/note.tsx';
import { exactTime, number } from '~/text/format.ts';
import { text } from '~/text/text.ts';
import styles from './log.module.css';

export function LogState() {
  const mayCheck = useMay('settings.read');
  const checkpoint = useQuery({ ...read('EventLogService.GetCheckpoint', {}), retry: false }).data?.checkpoint;
  const settings = useQuery({ ...read('EventLogService.GetSettings', {}), enabled: mayCheck, retry: false }).data?.settings;
  const { checkedAt, findings = 0, sentences = [] } = settings ?? {};
  return (
    <>
      {checkpoint === undefined ? null : (
        <p className={styles.state}>
          {text('log.sealed', { size: number(count(checkpoint.size)), at: exactTime(checkpoint.signedAt ?? '') })}{' '}
          {settings === undefined || findings > 0
            ? null
            : checkedAt === undefined
              ? text('log.unchecked')
              : text('log.checked', { at: exactTime(checkedAt) })}
        </p>
      )}
      {findings === 0 ? null : (
        <Note kind="fault">
          {text('log.found', { count: findings, at: exactTime(checkedAt ?? '') })} {sentences.join(' ')}
        </Note>
      )}
    </>
  );
}
