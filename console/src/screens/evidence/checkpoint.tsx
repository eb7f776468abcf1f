/** The signed checkpoint of the log as it is now: what an auditor keeps, to hold the log to it later. */
import { useQuery } from '@tanstack/react-query';
import { count } from '~/data/count.ts';
import { read } from '~/data/query.ts';
import { saveFile } from '~/data/save-file.ts';
import { useMay } from '~/data/session/session.ts';
import { Button } from '~/parts/controls/button.tsx';
import { exactTime, number } from '~/text/format.ts';
import { text } from '~/text/text.ts';
import styles from './evidence.module.css';

export function Checkpoint() {
  const mayRead = useMay('log.read');
  const checkpoint = useQuery({ ...read('EventLogService.GetCheckpoint', {}), enabled: mayRead, retry: false }).data?.checkpoint;
  if (checkpoint === undefined) {
    return null;
  }
  const { note = '' } = checkpoint;
  return (
    <section>
      <h2>{text('evidence.checkpoint')}</h2>
      <p className={styles.quiet}>
        {text('evidence.checkpointWhat', { size: number(count(checkpoint.size)), at: exactTime(checkpoint.signedAt ?? '') })}
      </p>
      <code className={styles.hash}>{checkpoint.root}</code>
      <div>
        <Button icon="download" onClick={() => saveFile('checkpoint.txt', new Blob([note], { type: 'text/plain' }))}>
          {text('evidence.keepCheckpoint')}
        </Button>
      </div>
    </section>
  );
}
