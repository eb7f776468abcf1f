/** Asking for a report of a review: it is made in the background, and given as a download once it is there. */
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useAct } from '~/data/act.ts';
import { read, type RequestOf } from '~/data/query.ts';
import { downloadFrom } from '~/data/save-file.ts';
import type { ByValue } from '~/text/by-value.ts';

type Format = NonNullable<RequestOf<'AccessReviewActionsService.GenerateReport'>['format']>;

/** Common names of the formats that the server writes. */
const names: ByValue<Format, string> = {
  ACCESS_REVIEW_REPORT_FORMAT_CSV: 'CSV',
  ACCESS_REVIEW_REPORT_FORMAT_XLSX: 'Excel',
  ACCESS_REVIEW_REPORT_FORMAT_PDF: 'PDF',
  ACCESS_REVIEW_REPORT_FORMAT_JSON: 'JSON',
};

/** The formats that a report can have. */
export const reportFormats = Object.keys(names) as Format[];

/** The name of a format. */
export function nameOfFormat(format: Format | undefined): string {
  return names[format ?? ''] ?? '';
}

/** The reports of a review; `make` asks for one, and it is downloaded when it is ready. */
export function useReports(reviewId: string, isAllowed: boolean, onError: (error: unknown) => void) {
  const wanted = useRef<{ readonly format: Format; readonly known: ReadonlySet<string> }>(undefined);
  const act = useAct('AccessReviewActionsService.GenerateReport', 'AccessReviewReportService.List');
  const query = useQuery({
    ...read('AccessReviewReportService.List', { accessReviewId: reviewId }),
    enabled: isAllowed,
    refetchInterval: ({ state }) =>
      wanted.current !== undefined || (state.data?.list ?? []).some((one) => one.state === 'REPORT_STATE_PENDING') ? 1000 : false,
  });
  const reports = query.data?.list ?? [];
  useEffect(() => {
    const { format, known } = wanted.current ?? {};
    const made = (query.data?.list ?? []).find((one) => one.format === format && known?.has(one.id ?? '') === false);
    if (made?.state === 'REPORT_STATE_OK' && made.downloadUrl) {
      wanted.current = undefined;
      downloadFrom(made.downloadUrl);
    } else if (made?.state === 'REPORT_STATE_ERROR') {
      wanted.current = undefined;
    }
  }, [query.data]);
  const make = (format: Format) => {
    wanted.current = { format, known: new Set(reports.map(({ id }) => id ?? '')) };
    act.mutate(
      { accessReviewId: reviewId, format },
      {
        onError: (error) => {
          wanted.current = undefined;
          onError(error);
        },
      },
    );
  };
  return {
    query,
    reports,
    make,
    isMaking: act.isPending || reports.some(({ state }) => state === 'REPORT_STATE_PENDING'),
    error: act.error,
  };
}
