/** Asks whether to leave what is not saved. */
import { Button } from '~/parts/controls/button.tsx';
import { Dialog } from '~/parts/over/dialog.tsx';
import { text } from '~/text/text.ts';

interface LeaveDialogProps {
  readonly onOpenChange: (open: boolean) => void;
  readonly onLeave: () => void;
}

export function LeaveDialog({ onOpenChange, onLeave }: LeaveDialogProps) {
  return (
    <Dialog
      open
      onOpenChange={onOpenChange}
      title={text('leave.title')}
      footer={
        <>
          <Button onClick={onLeave}>{text('leave.leave')}</Button>
          <Button variant="primary" onClick={() => onOpenChange(false)}>
            {text('leave.stay')}
          </Button>
        </>
      }
    >
      <p>{text('leave.hint')}</p>
    </Dialog>
  );
}
