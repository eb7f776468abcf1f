/** The question before the samples are removed: what goes, what stays, and what is in the way. */
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { errorMessage, useAct } from '~/data/act.ts';
import { queries, read, type ReplyOf } from '~/data/query.ts';
import { Button } from '~/parts/controls/button.tsx';
import { Dialog } from '~/parts/over/dialog.tsx';
import { Note } from '~/parts/states/note.tsx';
import { text } from '~/text/text.ts';
import { announce } from '~/app/announce.ts';
import styles from './remove-samples.module.css';

export type SampleCompany = NonNullable<ReplyOf<'SampleService.Get'>['sampleCompany']>;

interface RemoveSamplesProps {
  readonly company: SampleCompany;
  readonly onClose: () => void;
}

export function RemoveSamples({ company, onClose }: RemoveSamplesProps) {
  const navigate = useNavigate();
  // What was in the way when the page came may be gone by now.
  const now = useQuery({ ...read('SampleService.Get', {}), refetchOnMount: 'always' }).data?.sampleCompany ?? company;
  const remove = useAct('SampleService.Remove', 'SampleService.Get');
  const { people = 0, apps = 0, accessReviews = 0, conflictMonitors = 0, obstacles = [] } = now;
  const done = async (): Promise<void> => {
    announce(text('samples.removed'));
    onClose();
    await navigate({ to: '/start' });
    await queries.invalidateQueries();
  };
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={text('samples.title')}
      footer={
        <>
          <Button variant="quiet" onClick={onClose}>
            {text('samples.keep')}
          </Button>
          <Button
            variant="danger"
            busy={remove.isPending}
            {...(obstacles.length > 0 ? { disabledReason: text('samples.blockedNext') } : {})}
            onClick={() => remove.mutate({}, { onSuccess: () => void done() })}
          >
            {text('samples.remove')}
          </Button>
        </>
      }
    >
      <div className={styles.words}>
        <p>{text('samples.goes', { people, apps, reviews: accessReviews, monitors: conflictMonitors })}</p>
        <p>{text('samples.stays')}</p>
        {obstacles.length === 0 ? null : (
          <Note kind="warn">
            <strong>{text('samples.blocked')}</strong>
            <ul>
              {obstacles.map((obstacle) => (
                <li key={obstacle}>{obstacle}</li>
              ))}
            </ul>
          </Note>
        )}
        {remove.isError ? <Note kind="fault">{errorMessage(remove.error)}</Note> : null}
      </div>
    </Dialog>
  );
}
