/** The program behind a code, what confirming gives it, and the two answers. Refusing is as near as confirming. */
import { useSend } from '~/data/act.ts';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { answerDevice, deviceQuery } from '~/data/session/device.ts';
import { useSession } from '~/data/session/session.ts';
import { Button } from '~/parts/controls/button.tsx';
import { Facts } from '~/parts/words/facts.tsx';
import { Failed } from '~/parts/states/failed.tsx';
import { Note } from '~/parts/states/note.tsx';
import { When } from '~/parts/words/when.tsx';
import { text } from '~/text/text.ts';
import styles from './device.module.css';

export function Asking({ code }: { code: string }) {
  const session = useSession();
  const asking = useQuery(deviceQuery(code));
  const answer = useSend({ mutationFn: (word: 'APPROVE' | 'DENY') => answerDevice(code, word) });
  if (answer.isSuccess) {
    return (
      <div role="status" className={styles.form}>
        <Note kind={answer.variables === 'APPROVE' ? 'ok' : 'info'}>
          {text(answer.variables === 'APPROVE' ? 'device.approved' : 'device.denied')}
        </Note>
      </div>
    );
  }
  if (asking.isError) {
    return (
      <div className={styles.form}>
        <Failed error={asking.error} retry={() => void asking.refetch()} />
        <Link to="/device" search={{}}>
          {text('device.otherCode')}
        </Link>
      </div>
    );
  }
  if (asking.data === undefined) {
    return <p aria-busy="true">{text('device.looking')}</p>;
  }
  const { userCode, program, agent, address, isFromHere, createdAt } = asking.data;
  return (
    <div className={styles.form}>
      <p>{text('device.asks', { program, name: session?.name ?? '' })}</p>
      <p className={styles.code}>{userCode}</p>
      <p>{text('device.compare')}</p>
      <Facts
        rows={[
          { term: text('device.program'), children: agent === '' ? program : text('device.programAs', { program, agent }) },
          { term: text('device.address'), children: address },
          { term: text('device.since'), children: <When at={createdAt} /> },
        ]}
      />
      {isFromHere ? null : <Note kind="warn">{text('device.elsewhere')}</Note>}
      <Note kind="info">{text('device.beware')}</Note>
      {answer.isError ? <Failed error={answer.error} /> : null}
      <div className={styles.answers}>
        <Button variant="primary" busy={answer.isPending} onClick={() => answer.mutate('APPROVE')}>
          {text('device.approve')}
        </Button>
        <Button busy={answer.isPending} onClick={() => answer.mutate('DENY')}>
          {text('device.deny')}
        </Button>
      </div>
    </div>
  );
}
