/** Share one file may take away before it is refused. */
import { useSend } from '~/data/act.ts';
import { useState } from 'react';
import type { Source } from '~/data/inventory/inventory.ts';
import { call, forget } from '~/data/query.ts';
import { toast } from '~/parts/over/toast.tsx';
import { text } from '~/text/text.ts';
import { SavedNumber } from './saved-number.tsx';
import styles from './sources.module.css';

export function RemovalShare({ source, mayWrite }: { source: Source; mayWrite: boolean }) {
  const now = String(source.removalShare ?? 0);
  const [share, setShare] = useState(now);
  const save = useSend({
    mutationFn: () => call('SourceService.SetRemovalShare', { id: source.id ?? '', removalShare: Number(share) }),
    onSuccess: async () => {
      toast(text('source.saved'));
      await forget('SourceService.Get', 'SourceService.List');
    },
  });
  return (
    <section className={styles.part}>
      <h2>{text('source.guard')}</h2>
      <p className={styles.quiet}>{text('source.guardHint', { share: now })}</p>
      {mayWrite ? (
        <SavedNumber
          label={text('source.share')}
          min={0}
          max={100}
          value={share}
          saved={now}
          onChange={setShare}
          wrong={text('source.shareWrong')}
          save={save}
          onSave={() => save.mutate()}
        />
      ) : null}
    </section>
  );
}
