/** Removals as a file: all that the list shows, page by page. */
import { exportCsv } from '~/data/csv.ts';
import { safeFileName } from '~/data/save-file.ts';
import type { RequestOf } from '~/data/query.ts';
import type { Removal } from '~/data/inventory/removals.ts';
import { nameBy } from '~/text/name-by.ts';
import { text } from '~/text/text.ts';
import { ExportButton } from '~/app/lists/export-button.tsx';
import { removalWord } from './removal-state.tsx';

interface ExportRemovalsProps {
  readonly title: string;
  readonly request: RequestOf<'RevocationService.List'>;
}

export function ExportRemovals({ title, request }: ExportRemovalsProps) {
  return (
    <ExportButton
      run={(onRows) =>
        exportCsv(
          `${safeFileName(title)}.csv`,
          'RevocationService.List',
          { ...request, pageSize: 100 },
          ({ list }): Removal[] => [...(list ?? [])],
          [
            { head: text('review.who'), value: (row) => row.userDisplayName || text('review.unowned') },
            { head: text('revocations.account'), value: (row) => row.account },
            { head: text('review.app'), value: (row) => row.appDisplayName },
            { head: text('review.right'), value: (row) => row.entitlementDisplayName },
            { head: text('revocations.reason'), value: (row) => row.reason },
            { head: text('revocations.reviewer'), value: (row) => nameBy(row.reviewerDisplayName, row.reviewerIssuerDisplayName) },
            { head: text('reviews.review'), value: (row) => row.accessReviewDisplayName },
            { head: text('review.state'), value: (row) => removalWord(row.state) },
            { head: text('review.dueDate'), value: (row) => row.dueAt },
            { head: text('revocations.saidBy'), value: (row) => nameBy(row.claimedByDisplayName, row.claimedIssuerDisplayName) },
            { head: text('review.id'), value: (row) => row.id },
            { head: text('revocations.whoId'), value: (row) => row.userId },
            { head: text('revocations.reviewerId'), value: (row) => nameBy(row.reviewerUserId, row.reviewerIssuerId) },
            { head: text('revocations.saidById'), value: (row) => nameBy(row.claimedByUserId, row.claimedIssuerId) },
          ],
          onRows,
        )
      }
    />
  );
}
