/** The reports of a review as files, with their hashes, and asking for another one. */
import { Button } from '~/parts/controls/button.tsx';
import { Menu } from '~/parts/over/menu.tsx';
import { Note } from '~/parts/states/note.tsx';
import { errorMessage } from '~/data/act.ts';
import { nameOfFormat, reportFormats, useReports } from '~/data/reviews/reports.ts';
import { mayDo, type ReviewView } from '~/data/reviews/review.ts';
import { text } from '~/text/text.ts';
import styles from './evidence.module.css';
import { MadeFile } from './made-file.tsx';

export function Reports({ reviewId, view }: { reviewId: string; view: ReviewView }) {
  const isAllowed = mayDo(view, 'report');
  const { query, reports, make, isMaking, error } = useReports(reviewId, isAllowed, () => undefined);
  return (
    <section>
      <div className={styles.head}>
        <h2>{text('evidence.files')}</h2>
        {isAllowed ? (
          <Menu
            label={text('evidence.makeReport')}
            trigger={
              <Button icon="plus" busy={isMaking}>
                {text('review.report')}
              </Button>
            }
            items={reportFormats.map((format) => ({
              label: text('review.makeReport', { format: nameOfFormat(format) }),
              onSelect: () => make(format),
            }))}
          />
        ) : null}
      </div>
      {error === null ? null : <Note kind="fault">{errorMessage(error)}</Note>}
      {isAllowed && query.isSuccess && reports.length === 0 ? <p className={styles.quiet}>{text('evidence.noReports')}</p> : null}
      <ul className={styles.files}>
        {reports.map(({ id, format, state, downloadUrl, createdAt, hashes }) => (
          <MadeFile
            key={id}
            icon="file"
            name={text('evidence.decisions', { format: nameOfFormat(format) })}
            url={state === 'REPORT_STATE_OK' ? downloadUrl : undefined}
            state={text(state === 'REPORT_STATE_ERROR' ? 'evidence.reportFailed' : 'evidence.reportPending', {
              format: nameOfFormat(format),
            })}
            createdAt={createdAt}
            hashes={hashes}
          />
        ))}
      </ul>
    </section>
  );
}
