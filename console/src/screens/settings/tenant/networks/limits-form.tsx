/** Lifetime of sessions of a browser. */
import { useForm } from '~/app/forms/use-form.ts';
import { changeMembers } from '~/data/change.ts';
import type { ReplyOf } from '~/data/query.ts';
import { Select } from '~/parts/controls/select.tsx';
import { CountField } from '~/parts/fields/count-field.tsx';
import { toast } from '~/parts/over/toast.tsx';
import { FormSection } from '~/screens/settings/tenant/form-section.tsx';
import styles from '~/screens/settings/tenant/tenant.module.css';
import { choicesOf } from '~/parts/controls/choices-of.ts';
import type { ByValue } from '~/text/by-value.ts';
import { type PlainTextKey, text } from '~/text/text.ts';
import { durationOf, shownIn } from './durations.ts';

type Limits = NonNullable<ReplyOf<'TenantSettingsService.Get'>['settings']>;

const mailNames: ByValue<Limits['mailSignIn'], PlainTextKey> = {
  MAIL_SIGN_IN_UNSPECIFIED: 'networks.mailDefault',
  MAIL_SIGN_IN_EVERYBODY: 'networks.mailEverybody',
  MAIL_SIGN_IN_NO_ADMINISTRATORS: 'networks.mailNoAdministrators',
  MAIL_SIGN_IN_NOBODY: 'networks.mailNobody',
};

const issuedNames: ByValue<Limits['issuedAnswers'], PlainTextKey> = {
  ISSUED_ANSWERS_WITHOUT_OTHER_SIGN_IN: 'networks.issuedDefault',
  ISSUED_ANSWERS_ALWAYS: 'networks.issuedAlways',
  ISSUED_ANSWERS_NEVER: 'networks.issuedNever',
};

const restoreNames: ByValue<Limits['restoreTakes'], PlainTextKey> = {
  RESTORE_TAKES_ONE: 'networks.restoreOne',
  RESTORE_TAKES_TWO: 'networks.restoreTwo',
};

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
      mailSignIn: limits.mailSignIn ?? ('MAIL_SIGN_IN_UNSPECIFIED' as const),
      issuedAnswers: limits.issuedAnswers ?? ('ISSUED_ANSWERS_WITHOUT_OTHER_SIGN_IN' as const),
      restoreTakes: limits.restoreTakes ?? ('RESTORE_TAKES_ONE' as const),
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
        options={choicesOf(mailNames)}
        hint={text('networks.mailSignInHint')}
      />
      <Select
        {...form.at('issuedAnswers')}
        label={text('networks.issued')}
        options={choicesOf(issuedNames)}
        hint={text('networks.issuedHint')}
      />
      <Select
        {...form.at('restoreTakes')}
        label={text('networks.restore')}
        options={choicesOf(restoreNames)}
        hint={text('networks.restoreHint')}
      />
    </FormSection>
  );
}
