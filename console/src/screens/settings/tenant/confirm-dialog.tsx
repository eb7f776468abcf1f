/** Asks before something is taken away for good, and stays open with the server's words where it refuses. */
import { errorMessage, useSend } from '~/data/act.ts';
import { Button } from '~/parts/controls/button.tsx';
import { Dialog } from '~/parts/over/dialog.tsx';
import { Note } from '~/parts/states/note.tsx';
import { toast } from '~/parts/over/toast.tsx';
import { text } from '~/text/text.ts';

interface ConfirmDialogProps {
  readonly title: string;
  readonly words: string;
  readonly action: string;
  /** Message once it is done. */
  readonly done: string;
  readonly run: () => Promise<void>;
  readonly onClose: () => void;
}

export function ConfirmDialog({ title, words, action, done, run, onClose }: ConfirmDialogProps) {
  const act = useSend({
    mutationFn: run,
    onSuccess: () => {
      onClose();
      toast(done);
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
      title={title}
      footer={
        <>
          <Button onClick={onClose}>{text('settings.cancel')}</Button>
          <Button variant="danger" busy={act.isPending} onClick={() => act.mutate()}>
            {action}
          </Button>
        </>
      }
    >
      <p>{words}</p>
      {act.isError ? <Note kind="fault">{errorMessage(act.error)}</Note> : null}
    </Dialog>
  );
}
