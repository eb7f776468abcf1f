/** Asks for a report in a format, waits until it is made, and gives its link. */
import { useQuery } from '@tanstack/react-query';
import { Button } from '../../parts/button.tsx';
import { Menu } from '../../parts/menu.tsx';
import { toast } from '../../parts/toast.tsx';
import { messageOf, useAct } from '../../data/act.ts';
import { read } from '../../data/query.ts';
import { text } from '../../text/text.ts';
import { fileNameOf } from './report-format.ts';

const formats = ['ACCESS_REVIEW_REPORT_FORMAT_XLSX', 'ACCESS_REVIEW_REPORT_FORMAT_CSV', 'ACCESS_REVIEW_REPORT_FORMAT_JSON'] as const;

export function ReportMenu({ reviewId }: { reviewId: string }) {
  const make = useAct('AccessReviewActionsService.GenerateReport', 'AccessReviewReportService.List');
  const list = useQuery({
    ...read('AccessReviewReportService.List', { accessReviewId: reviewId }),
    refetchInterval: ({ state }) => ((state.data?.list ?? []).some((one) => one.state === 'REPORT_STATE_PENDING') ? 1000 : false),
  });
  const reports = list.data?.list ?? [];
  const isMaking = reports.some(({ state }) => state === 'REPORT_STATE_PENDING');
  return (
    <Menu
      label={text('review.report')}
      trigger={
        <Button variant="quiet" icon="download" busy={make.isPending || isMaking}>
          {text('review.report')}
        </Button>
      }
      items={[
        ...formats.map((format) => ({
          label: text('review.makeReport', { format: fileNameOf(format) }),
          icon: 'file' as const,
          onSelect: () => make.mutate({ accessReviewId: reviewId, format }, { onError: (error) => toast(messageOf(error)) }),
        })),
        ...reports
          .filter(({ state, downloadUrl }) => state === 'REPORT_STATE_OK' && downloadUrl)
          .slice(0, 5)
          .map((report) => ({
            label: text('review.downloadReport', { format: fileNameOf(report.format) }),
            icon: 'download' as const,
            onSelect: () => window.location.assign(report.downloadUrl ?? ''),
          })),
      ]}
    />
  );
}
