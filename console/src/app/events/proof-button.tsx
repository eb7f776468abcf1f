/** Gives the proof that an event is in the log as a file, which anybody can check with the log's public key. */
import { useState } from 'react';
import { errorMessage } from '~/data/act.ts';
import { call } from '~/data/query.ts';
import { saveFile } from '~/data/save-file.ts';
import { Button } from '~/parts/controls/button.tsx';
import { toast } from '~/parts/over/toast.tsx';
import { text } from '~/text/text.ts';

export function ProofButton({ eventId }: { eventId: string }) {
  const [isBusy, setBusy] = useState(false);
  const fetchProof = async (): Promise<void> => {
    setBusy(true);
    try {
      const { list } = await call('EventLogService.Prove', { eventUids: [eventId] });
      saveFile(`${eventId}.tlog-proof`, new Blob([list?.[0]?.proofFile ?? ''], { type: 'text/plain' }));
    } catch (error) {
      toast(errorMessage(error as Error));
    }
    setBusy(false);
  };
  return (
    <Button icon="download" busy={isBusy} onClick={() => void fetchProof()}>
      {text('events.proof')}
    </Button>
  );
}
