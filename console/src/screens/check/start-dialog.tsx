/** The last look before a review starts: how much is asked of whom, until when, and who learns of it. Nothing begins before it is confirmed. */
import { useState } from 'react';
import { ChangedMeanwhile } from '~/app/forms/changed-meanwhile.tsx';
import { Button } from '~/parts/controls/button.tsx';
import { Checkbox } from '~/parts/controls/checkbox.tsx';
import { Dialog } from '~/parts/over/dialog.tsx';
import { Facts } from '~/parts/words/facts.tsx';
import { Name } from '~/parts/words/name.tsx';
import { Note } from '~/parts/states/note.tsx';
import { Switch } from '~/parts/controls/switch.tsx';
import { DateField } from '~/parts/fields/date-field.tsx';
import { errorMessage, useSend } from '~/data/act.ts';
import { change, readChange } from '~/data/change.ts';
import { count } from '~/data/count.ts';
import { forget } from '~/data/query.ts';
import { ofReviews, type Preview, type Review } from '~/data/reviews/review.ts';
import { number, relative, timeZone, weekday } from '~/text/format.ts';
import { dayStart, fromLocal, toDay, toLocal } from '~/text/local-time.ts';
import { addDays } from '~/text/whole-date.ts';
import { text } from '~/text/text.ts';
import styles from './check.module.css';
import { NotReached } from './not-reached.tsx';
import { whomWords } from './reason.ts';

interface StartDialogProps {
  readonly review: Review;
  readonly preview: Preview;
  readonly onClose: () => void;
  /** Starts it; what was changed here is stored by then. */
  readonly onStart: () => void;
}

/** Offers a due date to a review without one: two weeks, until the evening. */
function dueInTwoWeeks(): string {
  return dayStart(addDays(toDay(new Date()), 14), '18:00:00');
}

/** Due date to begin with, as the field has it. */
const offered = ({ completionDate = '' }: Review): string =>
  toLocal(completionDate === '' || Date.parse(completionDate) < Date.now() ? dueInTwoWeeks() : completionDate);

/** Says which day a due date is, and whether most people are at work then; '' for none. */
function sayDay(due: string): string {
  const at = fromLocal(due);
  if (at === undefined) {
    return '';
  }
  const day = new Date(`${due.slice(0, 10)}T12:00:00Z`).getUTCDay();
  const said = text('check.dueIs', { day: weekday(at), when: relative(at, 365) });
  return day === 0 || day === 6 ? `${said} ${text('check.dueWeekend')}` : said;
}

/** Mails to begin with. Where nobody has said anything of them, people get them: a review that nobody hears of is not answered. */
const mailsOf = ({ notificationConfig }: Review) => ({ sendKickoff: true, sendReminders: true, ...notificationConfig });

export function StartDialog({ review, preview, onClose, onStart }: StartDialogProps) {
  /** The review as this dialog began with it. */
  const [read, setRead] = useState(review);
  const [due, setDue] = useState(offered(review));
  const [hasDue, setHasDue] = useState(true);
  const [mails, setMails] = useState(mailsOf(review));
  const mailLeaves = preview.reach?.sendsMail === true;
  const update = useSend({
    mutationFn: ({ completionDate, asRead }: { readonly completionDate: string | undefined; readonly asRead: Review }) =>
      change(
        'AccessReviewService.Update',
        {
          id: review.id ?? '',
          accessReview: { notificationConfig: mails, ...(completionDate === undefined ? {} : { completionDate }) },
          updateMask: 'completionDate,notificationConfig',
        },
        { accessReview: { notificationConfig: asRead.notificationConfig, completionDate: asRead.completionDate } },
      ),
    onSettled: () => forget(...ofReviews),
  });
  const other = readChange(update.error);
  const load = (): void => {
    setRead(review);
    setDue(offered(review));
    setHasDue(true);
    setMails(mailsOf(review));
    update.reset();
  };
  const completionDate = hasDue ? fromLocal(due) : undefined;
  const wrongDue = hasDue && (completionDate === undefined || Date.parse(completionDate) <= Date.now());
  // What is here goes out with the start, which somebody presses once more.
  const keep = (): void => {
    setRead(review);
    update.reset();
  };
  const start = (): void => update.mutate({ completionDate, asRead: read }, { onSuccess: onStart });
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={text('check.startTitle', { name: review.displayName || text('reviews.unnamed') })}
      footer={
        <>
          <Button onClick={onClose}>{text('review.cancel')}</Button>
          <Button
            variant="primary"
            keys="mod+Enter"
            busy={update.isPending}
            disabledReason={wrongDue ? text('check.dueAhead') : undefined}
            onClick={start}
          >
            {text('check.startNow', { count: count(preview.items) })}
          </Button>
        </>
      }
    >
      <div className={styles.start}>
        <Facts
          rows={[
            { term: text('check.startItems'), children: number(count(preview.items)) },
            { term: text('check.startPeople'), children: <Name>{whomWords(preview)}</Name> },
            ...(count(preview.unassignedItems) > 0
              ? [{ term: text('check.startNobody'), children: number(count(preview.unassignedItems)) }]
              : []),
          ]}
        />
        {hasDue ? (
          <DateField
            kind="datetime-local"
            label={text('scope.due')}
            value={due}
            onWhole={setDue}
            onClear={() => setDue('')}
            onPartial={() => setDue('')}
            hint={[sayDay(due), text('scope.inZone', { zone: timeZone() })].filter(Boolean).join(' ')}
            error={wrongDue ? text('check.dueAhead') : undefined}
          />
        ) : null}
        <Checkbox
          label={text('check.noDue')}
          hint={hasDue ? undefined : text('check.noDueHint')}
          checked={!hasDue}
          onChange={(isNone) => setHasDue(!isNone)}
        />
        {mailLeaves ? (
          <>
            <Switch
              label={text('check.tell', { count: count(preview.reviewerCount) })}
              checked={mails.sendKickoff}
              onChange={(sendKickoff) => setMails({ ...mails, sendKickoff })}
            />
            <Switch
              label={text('scope.reminders')}
              checked={mails.sendReminders}
              onChange={(sendReminders) => setMails({ ...mails, sendReminders })}
            />
          </>
        ) : null}
        <NotReached reviewId={review.id ?? ''} preview={preview} isTold={mailLeaves && mails.sendKickoff === true} />
        {other !== undefined ? (
          <ChangedMeanwhile change={other} busy={update.isPending} onLoad={load} onAgain={keep} />
        ) : update.isError ? (
          <Note kind="fault">{errorMessage(update.error)}</Note>
        ) : null}
      </div>
    </Dialog>
  );
}
