/** Mails that go out to people, and which of that is the same for everybody. */
import { useSend } from '~/data/act.ts';
import { useQuery } from '@tanstack/react-query';
import { changeWhole } from '~/data/change.ts';
import { forget, queries, read } from '~/data/query.ts';
import { Checkbox } from '~/parts/controls/checkbox.tsx';
import { Load } from '~/parts/states/load.tsx';
import { Switch } from '~/parts/controls/switch.tsx';
import { toast } from '~/parts/over/toast.tsx';
import { text } from '~/text/text.ts';
import { type Channels, type MailKind, mailKinds, mailWish, type Wish, withPending } from '~/screens/settings/mails/kinds.ts';
import { Fault } from '~/screens/settings/tenant/fault.tsx';
import styles from '~/screens/settings/tenant/tenant.module.css';

export function Wishes({ mayWrite }: { mayWrite: boolean }) {
  const wanted = read('OrgNotificationSettingsService.Get', {});
  const query = useQuery(wanted);
  const save = useSend({
    mutationFn: ({ before, after }: { readonly before: Channels; readonly after: Channels }) =>
      changeWhole('OrgNotificationSettingsService.Update', {
        address: {},
        before: { channelSettings: before },
        after: { channelSettings: after },
        readNow: async () => ({
          channelSettings: (await queries.fetchQuery({ ...wanted, staleTime: 0 })).orgNotificationSettings?.channelSettings ?? {},
        }),
      }),
    onSettled: () => forget('OrgNotificationSettingsService.Get', 'UserNotificationSettingsService.Get'),
  });
  const readOnly = mayWrite ? undefined : text('settings.readOnly');
  const send = (channels: Channels, email: Channels['email']) =>
    save.mutate(
      { before: channels, after: { ...channels, email: { ...channels.email, ...email } } },
      { onSuccess: () => toast(text('mails.saved')) },
    );
  return (
    <section className={styles.section} aria-labelledby="wishes">
      <h3 id="wishes">{text('mails.tenant')}</h3>
      <p className={styles.hint}>{text('mails.tenantIntro')}</p>
      <Fault of={save.error} />
      <Load query={query}>
        {(data) => {
          const stored = data.orgNotificationSettings?.channelSettings ?? {};
          const channels = withPending(stored, save.isPending ? save.variables.after : undefined);
          const isOn = channels.email?.enabled === true;
          const set = (kind: MailKind, wish: Wish) => send(channels, { [kind]: wish });
          return (
            <div className={`${styles.choices} ${styles.page}`}>
              <Switch
                label={text('mails.tenantAll')}
                hint={text('mails.tenantAllHint')}
                checked={isOn}
                disabledReason={readOnly}
                onChange={(enabled) => send(channels, { enabled })}
              />
              {mailKinds.map(({ id, label, hint }) => {
                const wish = mailWish(channels, id);
                return (
                  <div key={id} className={styles.two}>
                    <Switch
                      label={text(label)}
                      hint={text(hint)}
                      checked={wish.enabled}
                      disabledReason={readOnly}
                      onChange={(enabled) => set(id, { ...wish, enabled })}
                    />
                    <Checkbox
                      label={text('mails.lock', { what: text(label) })}
                      checked={wish.locked}
                      disabledReason={readOnly}
                      onChange={(locked) => set(id, { ...wish, locked })}
                    />
                  </div>
                );
              })}
            </div>
          );
        }}
      </Load>
    </section>
  );
}
