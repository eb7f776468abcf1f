/** The evidence bundle of a review: one file that holds without this service, its hash, and having it made. */
import { useQuery } from '@tanstack/react-query';
import { errorMessage, useAct } from '~/data/act.ts';
import { count } from '~/data/count.ts';
import { read } from '~/data/query.ts';
import { Button } from '~/parts/controls/button.tsx';
import { Note } from '~/parts/states/note.tsx';
import { bytes } from '~/text/format-size.ts';
import { text } from '~/text/text.ts';
import styles from './evidence.module.css';
import { MadeFile } from './made-file.tsx';

export function Bundle({ reviewId, isClosed }: { reviewId: string; isClosed: boolean }) {
  const of = { accessReviewId: reviewId };
  const query = useQuery({
    ...read('EvidenceService.List', of),
    refetchInterval: ({ state }) => ((state.data?.list ?? []).some((one) => one.state === 'EVIDENCE_BUNDLE_STATE_PENDING') ? 1000 : false),
  });
  const make = useAct('EvidenceService.Generate', 'EvidenceService.List');
  const bundles = query.data?.list ?? [];
  const isMaking = make.isPending || bundles.some(({ state }) => state === 'EVIDENCE_BUNDLE_STATE_PENDING');
  return (
    <section>
      <div className={styles.head}>
        <h2>{text('evidence.bundle')}</h2>
        {isClosed ? (
          <Button icon="plus" busy={isMaking} onClick={() => make.mutate(of)}>
            {text('evidence.makeBundle')}
          </Button>
        ) : null}
      </div>
      <p className={styles.quiet}>{text(isClosed ? 'evidence.bundleWhat' : 'evidence.bundleLater')}</p>
      {make.isError ? <Note kind="fault">{errorMessage(make.error)}</Note> : null}
      <ul className={styles.files}>
        {bundles.map((bundle) => (
          <MadeFile
            key={bundle.id}
            icon="shield"
            name={text('evidence.bundleFile', { size: bytes(count(bundle.sizeBytes)) })}
            url={bundle.downloadUrl}
            state={bundle.state === 'EVIDENCE_BUNDLE_STATE_ERROR' ? bundle.error : text('evidence.bundlePending')}
            createdAt={bundle.createdAt}
            hashes={bundle.hashes}
          />
        ))}
      </ul>
    </section>
  );
}
