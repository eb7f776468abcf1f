/** Asks before a credential is taken away: whatever uses it stops within seconds. */
import { useSend } from '~/data/act.ts';
import { call, forget } from '~/data/query.ts';
import { Button } from '~/parts/controls/button.tsx';
import { Dialog } from '~/parts/over/dialog.tsx';
import { Note } from '~/parts/states/note.tsx';
import { toast } from '~/parts/over/toast.tsx';
import { Rich } from '~/text/rich.tsx';
import { text } from '~/text/text.ts';
import type { Credential } from './types.ts';

export function RevokeDialog({ credential, onClose }: { credential: Credential; onClose: () => void }) {
  const name = credential.displayName ?? '';
  const revoke = useSend({
    mutationFn: () => call('PersonalClientService.Delete', { id: credential.id ?? '' }),
    onSuccess: async () => {
      onClose();
      toast(text('credentials.revoked', { name }));
      await forget('PersonalClientService.List');
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
      title={text('credentials.revokeTitle', { name })}
      footer={
        <>
          <Button onClick={onClose}>{text('credentials.keep')}</Button>
          <Button variant="danger" busy={revoke.isPending} onClick={() => revoke.mutate()}>
            {text('credentials.revoke')}
          </Button>
        </>
      }
    >
      <p>
        <Rich id="credentials.revokeWords" values={{ clientId: credential.clientId ?? '' }} />
      </p>
      {revoke.isError ? <Note kind="fault">{revoke.error.message}</Note> : null}
    </Dialog>
  );
}
