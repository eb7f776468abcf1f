/** Share one file may take away before it is refused. */
import { ChangedMeanwhile } from '~/app/forms/changed-meanwhile.tsx';
import { useSaved } from '~/app/forms/use-saved.ts';
import { change } from '~/data/change.ts';
import type { Source } from '~/data/inventory/inventory.ts';
import { toast } from '~/parts/over/toast.tsx';
import { text } from '~/text/text.ts';
import { SavedNumber } from './saved-number.tsx';
import styles from './sources.module.css';

export function RemovalShare({ source, mayWrite }: { source: Source; mayWrite: boolean }) {
  const now = String(source.removalShare ?? 0);
  const share = useSaved({
    stored: { removalShare: now },
    send: ({ wanted, asRead }) =>
      change(
        'SourceService.SetRemovalShare',
        { id: source.id ?? '', removalShare: Number(wanted.removalShare) },
        { removalShare: Number(asRead.removalShare) },
      ),
    stale: ['SourceService.Get', 'SourceService.List'],
    onSaved: () => toast(text('source.saved')),
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
          value={share.draft.removalShare}
          saved={now}
          onChange={(removalShare) => share.set({ removalShare })}
          wrong={text('source.shareWrong')}
          save={{ isPending: share.isBusy, error: share.error }}
          onSave={share.save}
        />
      ) : null}
      {share.changed === undefined ? null : <ChangedMeanwhile {...share.changed} />}
    </section>
  );
}
