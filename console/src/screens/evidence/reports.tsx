/** The reports of a review as files, with their hashes, and asking for another one. */
import { useQuery } from '@tanstack/react-query';
import { Button } from '../../parts/button.tsx';
import { Icon } from '../../parts/icon.tsx';
import { Menu } from '../../parts/menu.tsx';
import { Note } from '../../parts/note.tsx';
import { messageOf, useAct } from '../../data/act.ts';
import { read, type RequestOf } from '../../data/query.ts';
import { mayDo, type ReviewView } from '../../data/review.ts';
import { exactTime } from '../../text/format.ts';
import { text } from '../../text/text.ts';
import styles from './evidence.module.css';

type Format = NonNullable<RequestOf<'AccessReviewActionsService.GenerateReport'>['format']>;

const formats: readonly (readonly [Format, string])[] = [
  ['ACCESS_REVIEW_REPORT_FORMAT_XLSX', 'Excel'],
  ['ACCESS_REVIEW_REPORT_FORMAT_CSV', 'CSV'],
  ['ACCESS_REVIEW_REPORT_FORMAT_JSON', 'JSON'],
];

const nameOf = (format: Format | undefined): string => formats.find(([id]) => id === format)?.[1] ?? '';

export function Reports({ reviewId, view }: { reviewId: string; view: ReviewView }) {
  const isAllowed = mayDo(view, 'report');
  const query = useQuery({
    ...read('AccessReviewReportService.List', { accessReviewId: reviewId }),
    enabled: isAllowed,
    refetchInterval: ({ state }) => ((state.data?.list ?? []).some((one) => one.state === 'REPORT_STATE_PENDING') ? 1000 : false),
  });
  const make = useAct('AccessReviewActionsService.GenerateReport', 'AccessReviewReportService.List');
  const reports = query.data?.list ?? [];
  return (
    <section>
      <div className={styles.head}>
        <h2>{text('evidence.files')}</h2>
        {isAllowed ? (
          <Menu
            label={text('evidence.makeReport')}
            trigger={
              <Button icon="plus" busy={make.isPending}>
                {text('review.report')}
              </Button>
            }
            items={formats.map(([format, name]) => ({
              label: text('review.makeReport', { format: name }),
              onSelect: () => make.mutate({ accessReviewId: reviewId, format }),
            }))}
          />
        ) : null}
      </div>
      {make.isError ? <Note kind="fault">{messageOf(make.error)}</Note> : null}
      {isAllowed && query.isSuccess && reports.length === 0 ? <p className={styles.quiet}>{text('evidence.noReports')}</p> : null}
      <ul className={styles.files}>
        {reports.map((report) => (
          <li key={report.id}>
            <Icon name="file" />
            <div>
              {report.state === 'REPORT_STATE_OK' && report.downloadUrl ? (
                <a href={report.downloadUrl} download>
                  {text('evidence.decisions', { format: nameOf(report.format) })}
                </a>
              ) : (
                <span>
                  {text(report.state === 'REPORT_STATE_ERROR' ? 'evidence.reportFailed' : 'evidence.reportPending', {
                    format: nameOf(report.format),
                  })}
                </span>
              )}
              <small>{exactTime(report.createdAt ?? '')}</small>
              {Object.entries(report.hashes ?? {}).map(([name, hash]) => (
                <code key={name} className={styles.hash}>
                  {name} {hash}
                </code>
              ))}
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}
