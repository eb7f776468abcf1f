/** Lifetime of sessions of a browser. */
import { useForm } from '~/app/forms/use-form.ts';
import { changeMembers } from '~/data/change.ts';
import type { ReplyOf } from '~/data/query.ts';
import { type Choice, Select } from '~/parts/controls/select.tsx';
import { CountField } from '~/parts/fields/count-field.tsx';
import { toast } from '~/parts/over/toast.tsx';
import { FormSection } from '~/screens/settings/tenant/form-section.tsx';
import styles from '~/screens/settings/tenant/tenant.module.css';
import { text } from '~/text/text.ts';
import { durationOf, shownIn } from './durations.ts';

type Limits = NonNullable<ReplyOf<'TenantSettingsService.Get'>['settings']>;
type MailSignInJson = NonNullable<Limits['mailSignIn']>;

const mailOptions = (): readonly Choice<MailSignInJson>[] => [
  { value: 'MAIL_SIGN_IN_UNSPECIFIED', label: text('networks.mailDefault') },
  { value: 'MAIL_SIGN_IN_EVERYBODY', label: text('networks.mailEverybody') },
  { value: 'MAIL_SIGN_IN_NO_ADMINISTRATORS', label: text('networks.mailNoAdministrators') },
  { value: 'MAIL_SIGN_IN_NOBODY', label: text('networks.mailNobody') },
];

type IssuedAnswersJson = NonNullable<Limits['issuedAnswers']>;

const issuedOptions = (): readonly Choice<IssuedAnswersJson>[] => [
  { value: 'ISSUED_ANSWERS_WITHOUT_OTHER_SIGN_IN', label: text('networks.issuedDefault') },
  { value: 'ISSUED_ANSWERS_ALWAYS', label: text('networks.issuedAlways') },
  { value: 'ISSUED_ANSWERS_NEVER', label: text('networks.issuedNever') },
];

type RestoreTakesJson = NonNullable<Limits['restoreTakes']>;

const restoreOptions = (): readonly Choice<RestoreTakesJson>[] => [
  { value: 'RESTORE_TAKES_ONE', label: text('networks.restoreOne') },
  { value: 'RESTORE_TAKES_TWO', label: text('networks.restoreTwo') },
];

/** The limits as they are written. */
interface Written {
  readonly sessionIdle: string;
  readonly sessionLength: string;
}

/** The limits as the API takes them; an empty one is the usual. */
const shape = <T extends Written>({ sessionIdle, sessionLength, ...others }: T) => ({
  ...others,
  sessionIdle: durationOf(sessionIdle, 60),
  sessionLength: durationOf(sessionLength, 3600),
});

export function LimitsForm({ limits, mayWrite }: { limits: Limits; mayWrite: boolean }) {
  const form = useForm({
    values: {
      sessionIdle: shownIn(limits.sessionIdle, 60),
      sessionLength: shownIn(limits.sessionLength, 3600),
      mailSignIn: limits.mailSignIn ?? ('MAIL_SIGN_IN_UNSPECIFIED' as MailSignInJson),
      issuedAnswers: limits.issuedAnswers ?? ('ISSUED_ANSWERS_WITHOUT_OTHER_SIGN_IN' as IssuedAnswersJson),
      restoreTakes: limits.restoreTakes ?? ('RESTORE_TAKES_ONE' as RestoreTakesJson),
    },
    stored: limits,
    send: (values, before, stored) => changeMembers('TenantSettingsService.Update', {}, 'settings', shape(before), shape(values), stored),
    stale: ['TenantSettingsService.Get', 'SessionService.Get', 'PreferenceService.Get'],
    onSent: () => toast(text('networks.saved')),
  });
  return (
    <FormSection form={form} title={text('networks.lengths')} action={text('networks.saveLengths')} mayWrite={mayWrite}>
      <div className={styles.two}>
        <CountField {...form.whole('sessionIdle')} min={0} isFraction label={text('networks.idle')} hint={text('networks.idleHint')} />
        <CountField
          {...form.whole('sessionLength')}
          min={0}
          isFraction
          label={text('networks.length')}
          hint={text('networks.lengthHint')}
        />
      </div>
      <Select
        {...form.at('mailSignIn')}
        label={text('networks.mailSignIn')}
        options={mailOptions()}
        hint={text('networks.mailSignInHint')}
      />
      <Select {...form.at('issuedAnswers')} label={text('networks.issued')} options={issuedOptions()} hint={text('networks.issuedHint')} />
      <Select
        {...form.at('restoreTakes')}
        label={text('networks.restore')}
        options={restoreOptions()}
        hint={text('networks.restoreHint')}
      />
    </FormSection>
  );
}
