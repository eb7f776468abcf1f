/** The roles of one person: all of them with a check, saved at once. What the server refuses, it says here. */
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { errorMessage, useSend } from '~/data/act.ts';
import { changeWhole } from '~/data/change.ts';
import { personName } from '~/data/inventory/inventory.ts';
import { call, forget, queries, read } from '~/data/query.ts';
import { sessionQuery, useSession } from '~/data/session/session.ts';
import { Button } from '~/parts/controls/button.tsx';
import { Checkbox } from '~/parts/controls/checkbox.tsx';
import { Dialog } from '~/parts/over/dialog.tsx';
import { Load } from '~/parts/states/load.tsx';
import { Note } from '~/parts/states/note.tsx';
import { Skeleton } from '~/parts/states/skeleton.tsx';
import { toast } from '~/parts/over/toast.tsx';
import { text } from '~/text/text.ts';
import styles from '~/screens/settings/tenant/tenant.module.css';
import { basicUser, type Holder } from './roles.ts';
import type { KnownRoles } from './use-roles.ts';

interface RolesDialogProps {
  readonly person: Holder;
  readonly roles: KnownRoles;
  readonly onClose: () => void;
}

export function RolesDialog({ person, roles, onClose }: RolesDialogProps) {
  const userId = person.id ?? '';
  const name = personName(person);
  const own = useSession()?.userId === userId;
  // Not from an earlier opening: what is saved is the whole set.
  const held = useQuery({ ...read('UserRoleService.GetRoles', { userId }), staleTime: 0, gcTime: 0 });
  const [edit, setEdit] = useState<{ readonly first: readonly string[]; readonly chosen: readonly string[] }>();
  const stored = held.data?.roleIds ?? [];
  const { first, chosen: value } = edit ?? { first: stored, chosen: stored };
  const save = useSend({
    mutationFn: () =>
      changeWhole('UserRoleService.SetRoles', {
        address: { userId },
        before: { roleIds: [...first] },
        after: { roleIds: [...value] },
        readNow: async () => ({ roleIds: (await call('UserRoleService.GetRoles', { userId })).roleIds ?? [] }),
      }),
    onSuccess: async () => {
      onClose();
      toast(text('roles.saved', { name }));
      await forget('UserService.Search', 'UserRoleService.GetRoles');
      if (own) {
        await queries.invalidateQueries({ queryKey: sessionQuery.queryKey });
      }
    },
  });
  return (
    <Dialog
      open
      onOpenChange={(open) => {
        if (!open) {
          onClose();
        }
      }}
      title={text('roles.dialogTitle', { name })}
      footer={
        <>
          <Button onClick={onClose}>{text('settings.cancel')}</Button>
          <Button variant="primary" busy={save.isPending || held.isPending} onClick={() => save.mutate()}>
            {text('settings.save')}
          </Button>
        </>
      }
    >
      <Load query={held} skeleton={<Skeleton rows={5} />} isEmpty={() => false}>
        {() => (
          <div className={styles.form}>
            <fieldset className={styles.choices} aria-label={text('settings.roles')}>
              {roles.list.map((role) => (
                <Checkbox
                  key={role.id}
                  label={role.name}
                  hint={hintOf(role.id)}
                  checked={role.id === basicUser || value.includes(role.id)}
                  disabledReason={role.id === basicUser ? text('roles.everybody') : undefined}
                  onChange={(isOn) => setEdit({ first, chosen: isOn ? [...value, role.id] : value.filter((id) => id !== role.id) })}
                />
              ))}
            </fieldset>
            {own ? <Note kind="warn">{text('roles.own')}</Note> : null}
            {save.isError ? (
              <div role="alert">
                <Note kind="fault">{errorMessage(save.error)}</Note>
              </div>
            ) : null}
          </div>
        )}
      </Load>
    </Dialog>
  );
}

/** Explains a role, for the roles that every installation has. */
function hintOf(id: string): string | undefined {
  switch (id.replace(/^0+/, '')) {
    case 'SuperAdministrator':
      return text('roles.superHint');
    case 'CampaignAdministrator':
      return text('roles.campaignHint');
    case 'ReadOnlyAdministrator':
      return text('roles.readOnlyHint');
    case 'ReadOnlySystemLogs':
      return text('roles.logsHint');
    default:
      return undefined;
  }
}
