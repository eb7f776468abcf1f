/** Actions on a policy as a whole: deleting it, after asking. */
import { useSend } from '~/data/act.ts';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { call, forget } from '~/data/query.ts';
import { Button } from '~/parts/controls/button.tsx';
import { Dialog } from '~/parts/over/dialog.tsx';
import { Note } from '~/parts/states/note.tsx';
import { toast } from '~/parts/over/toast.tsx';
import { text } from '~/text/text.ts';
import type { Policy } from './types.ts';

export function PolicyMenu({ policy }: { policy: Policy }) {
  const navigate = useNavigate();
  const [isAsked, setAsked] = useState(false);
  const name = policy.displayName ?? '';
  const remove = useSend({
    mutationFn: () => call('PolicyService.Delete', { id: policy.id ?? '' }),
    onSuccess: async () => {
      toast(text('policies.deleted', { name }));
      await forget('PolicyService.List');
      await navigate({ to: '/policies' });
    },
  });
  return (
    <>
      <Button variant="danger" onClick={() => setAsked(true)}>
        {text('policies.delete')}
      </Button>
      <Dialog
        open={isAsked}
        onOpenChange={setAsked}
        title={text('policies.deleteTitle', { name })}
        footer={
          <>
            <Button onClick={() => setAsked(false)}>{text('settings.cancel')}</Button>
            <Button variant="danger" busy={remove.isPending} onClick={() => remove.mutate()}>
              {text('policies.delete')}
            </Button>
          </>
        }
      >
        <p>{text('policies.deleteWords')}</p>
        {remove.isError ? <Note kind="fault">{remove.error.message}</Note> : null}
      </Dialog>
    </>
  );
}
