/** The answer to whose a record is, with what follows from it, before it is given. */
import { useState } from 'react';
import { errorMessage, useAct } from '~/data/act.ts';
import { findAnybody, type Found } from '~/data/inventory/find.ts';
import { isPushed, type PersonRecord, recordName } from '~/data/inventory/person-records.ts';
import { Button } from '~/parts/controls/button.tsx';
import { Combobox } from '~/parts/fields/combobox.tsx';
import { Dialog } from '~/parts/over/dialog.tsx';
import { toast } from '~/parts/over/toast.tsx';
import { Note } from '~/parts/states/note.tsx';
import { text } from '~/text/text.ts';
import { announce } from '~/app/announce.ts';
import styles from './quality.module.css';

/** An answer that is about to be given: a person, one who is still to be found where none is named, somebody new, or nobody. */
export interface GivenAnswer {
  readonly record: PersonRecord;
  readonly verdict: 'SAME_PERSON' | 'NEW_PERSON' | 'IGNORED';
  readonly person?: Found | undefined;
}

const actions = { SAME_PERSON: 'disputed.same', NEW_PERSON: 'disputed.new', IGNORED: 'disputed.ignore' } as const;
const follows = { SAME_PERSON: 'disputed.sameFollows', NEW_PERSON: 'disputed.newFollows', IGNORED: 'disputed.ignoreFollows' } as const;
const titles = { SAME_PERSON: 'disputed.sameTitle', NEW_PERSON: 'disputed.newTitle', IGNORED: 'disputed.ignoreTitle' } as const;

export function AnswerDialog({ given, onClose }: { given: GivenAnswer; onClose: () => void }) {
  const { record, verdict } = given;
  const isFinding = verdict === 'SAME_PERSON' && given.person === undefined;
  const [person, setPerson] = useState(given.person);
  const answer = useAct(
    'PersonRecordService.Answer',
    'PersonRecordService.ListDisputed',
    'PersonRecordService.List',
    'PersonClaimService.List',
  );
  const name = recordName(record);
  const of = { record: name, person: person?.label ?? '' };
  const send = () =>
    answer.mutate(
      { id: record.id ?? '', verdict: `PERSON_RECORD_VERDICT_${verdict}` as const, userId: person?.id ?? '' },
      {
        onSuccess: () => {
          const said = text('disputed.answered', { record: name });
          toast(said);
          announce(said);
          onClose();
        },
      },
    );
  return (
    <Dialog
      open
      onOpenChange={(open) => (open ? undefined : onClose())}
      title={text(isFinding ? 'disputed.otherTitle' : titles[verdict], of)}
      footer={
        <>
          <Button onClick={onClose}>{text('disputed.cancel')}</Button>
          <Button
            variant="primary"
            busy={answer.isPending}
            {...(isFinding && person === undefined ? { disabledReason: text('disputed.choose') } : {})}
            onClick={send}
          >
            {text(actions[verdict])}
          </Button>
        </>
      }
    >
      <div className={styles.answer}>
        {answer.error === null ? null : <Note kind="fault">{errorMessage(answer.error)}</Note>}
        {isFinding ? (
          <Combobox
            label={text('disputed.person')}
            value={person}
            onChange={(found: Found | undefined | null) => setPerson(found ?? undefined)}
            search={findAnybody}
            placeholder={text('disputed.find')}
          />
        ) : null}
        {isFinding && person === undefined ? null : <p>{text(follows[verdict], of)}</p>}
        {verdict === 'IGNORED' ? null : <p>{text(isPushed(record) ? 'disputed.atOnce' : 'disputed.withImport')}</p>}
        <p>{text('disputed.once')}</p>
      </div>
    </Dialog>
  );
}
