/** How much one file may take away before it is refused. */
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { Source } from '../../data/inventory.ts';
import { call, ClientError, forget } from '../../data/query.ts';
import { Button } from '../../parts/button.tsx';
import { TextField } from '../../parts/text-field.tsx';
import { toast } from '../../parts/toast.tsx';
import { text } from '../../text/text.ts';
import styles from './sources.module.css';

export function RemovalShare({ source, mayWrite }: { source: Source; mayWrite: boolean }) {
  const now = String(source.removalShare ?? 0);
  const [share, setShare] = useState(now);
  const isNumber = /^\d{1,3}$/.test(share) && Number(share) <= 100;
  const save = useMutation({
    mutationFn: () => call('SourceService.SetRemovalShare', { id: source.id ?? '', removalShare: Number(share) }),
    onSuccess: async () => {
      toast(text('source.saved'));
      await forget('SourceService.Get', 'SourceService.List');
    },
  });
  const failure = save.error instanceof ClientError ? (save.error.violations[0]?.description ?? save.error.message) : undefined;
  return (
    <section className={styles.part}>
      <h2>{text('source.guard')}</h2>
      <p className={styles.quiet}>{text('source.guardHint', { share: now })}</p>
      {mayWrite ? (
        <div className={styles.row}>
          <TextField
            label={text('source.share')}
            type="number"
            min={0}
            max={100}
            value={share}
            onChange={setShare}
            error={isNumber ? failure : text('source.shareWrong')}
          />
          <Button
            busy={save.isPending}
            disabledReason={!isNumber ? text('source.shareWrong') : share === now ? text('source.nothingNew') : undefined}
            onClick={() => save.mutate()}
          >
            {text('source.save')}
          </Button>
        </div>
      ) : null}
    </section>
  );
}
