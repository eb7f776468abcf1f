/** Asks for a report in a format, which is downloaded once it is made, and gives those that were made before. */
import { Button } from '~/parts/controls/button.tsx';
import { Menu } from '~/parts/over/menu.tsx';
import { toast } from '~/parts/over/toast.tsx';
import { errorMessage } from '~/data/act.ts';
import { nameOfFormat, reportFormats, useReports } from '~/data/reviews/reports.ts';
import { downloadFrom } from '~/data/save-file.ts';
import { exactTime } from '~/text/format.ts';
import { text } from '~/text/text.ts';

export function ReportMenu({ reviewId }: { reviewId: string }) {
  const { reports, make, isMaking } = useReports(reviewId, true, (error) => toast(errorMessage(error)));
  return (
    <Menu
      label={text('review.report')}
      trigger={
        <Button variant="quiet" icon="download" busy={isMaking}>
          {text('review.report')}
        </Button>
      }
      items={[
        ...reportFormats.map((format) => ({
          label: text('review.makeReport', { format: nameOfFormat(format) }),
          icon: 'file' as const,
          onSelect: () => {
            toast(text('review.reportComes'));
            make(format);
          },
        })),
        ...reports
          .filter(({ state, downloadUrl }) => state === 'REPORT_STATE_OK' && downloadUrl)
          .slice(0, 5)
          .map((report) => ({
            label: text('review.downloadReport', { format: nameOfFormat(report.format), at: exactTime(report.createdAt ?? '') }),
            icon: 'download' as const,
            onSelect: () => downloadFrom(report.downloadUrl ?? ''),
          })),
      ]}
    />
  );
}
