/** Mails one gets: each kind on or off, at once, unless the company decided it for everybody. */
import { useQuery } from '@tanstack/react-query';
import { useAct } from '~/data/act.ts';
import { Load } from '~/parts/states/load.tsx';
import { Note } from '~/parts/states/note.tsx';
import { Switch } from '~/parts/controls/switch.tsx';
import { toast } from '~/parts/over/toast.tsx';
import { text } from '~/text/text.ts';
import { SettingsFrame } from '~/screens/settings/frame.tsx';
import { Fault } from '~/screens/settings/tenant/fault.tsx';
import styles from '~/screens/settings/tenant/tenant.module.css';
import { type Channels, changeOwn, mailKinds, mailWish, withPending } from './kinds.ts';
import { ownMailsQuery } from '~/screens/settings/route.tsx';

export function MailsPage() {
  const query = useQuery(ownMailsQuery);
  const save = useAct('UserNotificationSettingsService.Update', 'UserNotificationSettingsService.Get');
  const send = (channelSettings: Channels) => save.mutate({ channelSettings }, { onSuccess: () => toast(text('mails.saved')) });
  // On was asked for, and the answer is off: the company turned all mails off.
  const isCompanyOff =
    save.data !== undefined &&
    save.variables.channelSettings?.email?.enabled === true &&
    save.data.userNotificationSettings?.channelSettings?.email?.enabled !== true;
  return (
    <SettingsFrame title={text('settings.mails')} intro={text('mails.intro')}>
      <Fault of={save.error} />
      {isCompanyOff ? <Note kind="warn">{text('mails.companyOff')}</Note> : null}
      <Load query={query}>
        {(data) => {
          const stored = data.userNotificationSettings?.channelSettings ?? {};
          const channels = withPending(stored, save.isPending ? save.variables.channelSettings : undefined);
          const isOn = channels.email?.enabled === true;
          return (
            <div className={`${styles.choices} ${styles.page}`}>
              <Switch
                label={text('mails.all')}
                hint={text('mails.allHint')}
                checked={isOn}
                onChange={(enabled) => send(changeOwn(channels, { enabled }))}
              />
              {mailKinds.map(({ id, label, hint }) => {
                const { enabled, locked } = mailWish(channels, id);
                return (
                  <Switch
                    key={id}
                    label={text(label)}
                    hint={text(hint)}
                    checked={isOn && enabled}
                    disabledReason={locked ? text('mails.locked') : isOn ? undefined : text('mails.off')}
                    onChange={(wanted) => send(changeOwn(channels, { kinds: { [id]: wanted } }))}
                  />
                );
              })}
              <Switch label={text('mails.links')} checked disabledReason={text('mails.linksReason')} onChange={() => undefined} />
            </div>
          );
        }}
      </Load>
    </SettingsFrame>
  );
}
