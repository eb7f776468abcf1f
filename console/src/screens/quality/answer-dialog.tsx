/** The answer to whose a record is, with what follows from it, before it is given. */
import { errorMessage, useAct } from '~/data/act.ts';
import { type Candidate, isPushed, type PersonRecord, recordName } from '~/data/inventory/person-records.ts';
import { Button } from '~/parts/controls/button.tsx';
import { Dialog } from '~/parts/over/dialog.tsx';
import { toast } from '~/parts/over/toast.tsx';
import { Note } from '~/parts/states/note.tsx';
import { text } from '~/text/text.ts';
import { announce } from '~/app/announce.ts';
import styles from './quality.module.css';

/** An answer that is about to be given: this person, somebody new, or nobody. */
export type GivenAnswer = { readonly record: PersonRecord } & (
  | { readonly person: Candidate; readonly verdict?: never }
  | { readonly verdict: 'NEW_PERSON' | 'IGNORED'; readonly person?: never }
);

export function AnswerDialog({ given, onClose }: { given: GivenAnswer; onClose: () => void }) {
  const { record, person, verdict } = given;
  const answer = useAct(
    'PersonRecordService.Answer',
    'PersonRecordService.ListDisputed',
    'PersonRecordService.List',
    'PersonClaimService.List',
  );
  const name = recordName(record);
  const of = { record: name, person: person?.displayName || person?.email || '' };
  const send = () =>
    answer.mutate(
      {
        id: record.id ?? '',
        ...(person === undefined
          ? { verdict: `PERSON_RECORD_VERDICT_${verdict}` as const }
          : { verdict: 'PERSON_RECORD_VERDICT_SAME_PERSON' as const, userId: person.userId ?? '' }),
      },
      {
        onSuccess: () => {
          const said = text('disputed.answered', { record: name });
          toast(said);
          announce(said);
          onClose();
        },
      },
    );
  const action = text(verdict === undefined ? 'disputed.same' : verdict === 'NEW_PERSON' ? 'disputed.new' : 'disputed.ignore');
  return (
    <Dialog
      open
      onOpenChange={(open) => (open ? undefined : onClose())}
      title={
        verdict === undefined
          ? text('disputed.sameTitle', of)
          : text(verdict === 'NEW_PERSON' ? 'disputed.newTitle' : 'disputed.ignoreTitle', of)
      }
      footer={
        <>
          <Button onClick={onClose}>{text('disputed.cancel')}</Button>
          <Button variant="primary" busy={answer.isPending} onClick={send}>
            {action}
          </Button>
        </>
      }
    >
      <div className={styles.answer}>
        {answer.error === null ? null : <Note kind="fault">{errorMessage(answer.error)}</Note>}
        <p>
          {verdict === undefined
            ? text('disputed.sameFollows', of)
            : text(verdict === 'NEW_PERSON' ? 'disputed.newFollows' : 'disputed.ignoreFollows')}
        </p>
        {verdict === 'IGNORED' ? null : <p>{text(isPushed(record) ? 'disputed.atOnce' : 'disputed.withImport')}</p>}
        <p>{text('disputed.once')}</p>
      </div>
    </Dialog>
  );
}
