/** Times the review starts by itself and is due, and which mails it sends. */
import { Switch } from '~/parts/controls/switch.tsx';
import { DateField } from '~/parts/fields/date-field.tsx';
import { fieldViolation } from '~/data/act.ts';
import { timeZone } from '~/text/format.ts';
import { text } from '~/text/text.ts';
import styles from '~/screens/scope/edit.module.css';
import { fromLocal, toLocal } from '~/text/local-time.ts';
import type { PartProps } from '~/screens/scope/props.ts';

export function DatesPart({ draft: { review, change, error } }: PartProps) {
  const mails = review.notificationConfig ?? {};
  const hasStarted = review.startedAt !== undefined;
  return (
    <div className={styles.fields}>
      <DateField
        kind="datetime-local"
        isStored
        label={text('scope.due')}
        value={toLocal(review.completionDate)}
        onWhole={(value) => change({ completionDate: fromLocal(value) })}
        onClear={() => change({ completionDate: undefined })}
        hint={text('scope.inZone', { zone: timeZone() })}
        error={fieldViolation(error, 'completionDate')}
      />
      {hasStarted ? null : (
        <>
          <Switch
            label={text('scope.startsItself')}
            checked={review.autoStartCampaign === true}
            onChange={(autoStartCampaign) => change({ autoStartCampaign })}
          />
          {review.autoStartCampaign ? (
            <DateField
              kind="datetime-local"
              isStored
              label={text('scope.start')}
              value={toLocal(review.scheduledStartDate)}
              onWhole={(value) => change({ scheduledStartDate: fromLocal(value) })}
              onClear={() => change({ scheduledStartDate: undefined })}
              error={fieldViolation(error, 'scheduledStartDate')}
            />
          ) : null}
        </>
      )}
      <fieldset className={styles.group}>
        <legend>{text('scope.mails')}</legend>
        <Switch
          label={text('scope.kickoff')}
          checked={mails.sendKickoff === true}
          onChange={(sendKickoff) => change({ notificationConfig: { ...mails, sendKickoff } })}
        />
        <Switch
          label={text('scope.reminders')}
          checked={mails.sendReminders === true}
          onChange={(sendReminders) => change({ notificationConfig: { ...mails, sendReminders } })}
        />
        <Switch
          label={text('scope.closing')}
          checked={mails.sendClose === true}
          onChange={(sendClose) => change({ notificationConfig: { ...mails, sendClose } })}
        />
      </fieldset>
    </div>
  );
}
