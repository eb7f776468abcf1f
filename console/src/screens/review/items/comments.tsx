/** Words people wrote in a review, newest first: comments, and the reasons of what they did; of everybody, or of one person. */
import { useInfiniteQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { searchPeople } from '~/data/inventory/find.ts';
import { useNames } from '~/data/names.ts';
import { readPages } from '~/data/query.ts';
import { Combobox } from '~/parts/fields/combobox.tsx';
import { Empty } from '~/parts/states/empty.tsx';
import { Failed } from '~/parts/states/failed.tsx';
import { FilterBar } from '~/parts/fields/filter-bar.tsx';
import { Pages } from '~/parts/tables/pages.tsx';
import { Skeleton } from '~/parts/states/skeleton.tsx';
import { text } from '~/text/text.ts';
import { CommentList } from './comment-list.tsx';
import type { TabProps } from '~/screens/review/props.ts';
import { reviewRoute } from '~/screens/review/route.tsx';

export function CommentsTab({ reviewId }: TabProps) {
  const { reviewer } = reviewRoute.useSearch();
  const navigate = useNavigate();
  const query = useInfiniteQuery(
    readPages('ReviewCommentService.List', { accessReviewId: reviewId, pageSize: 100, ...(reviewer ? { userId: reviewer } : {}) }),
  );
  const comments = (query.data?.pages ?? []).flatMap(({ list }) => list ?? []);
  const names = useNames([reviewer]);
  const choose = (id: string | undefined) =>
    void navigate({ to: '/reviews/$reviewId/$tab', params: { reviewId, tab: 'comments' }, search: { reviewer: id }, replace: true });
  return (
    <>
      <FilterBar>
        <Combobox
          label={text('review.writtenBy')}
          placeholder={text('review.anybody')}
          value={reviewer === undefined ? undefined : { id: reviewer, label: names.get(reviewer) ?? '' }}
          onChange={(one) => choose(one?.id)}
          search={searchPeople}
        />
      </FilterBar>
      {query.isPending ? <Skeleton rows={6} /> : null}
      {query.isError ? <Failed error={query.error} retry={() => void query.refetch()} /> : null}
      {query.isSuccess && comments.length === 0 ? (
        <Empty icon="comment" title={text(reviewer ? 'review.noCommentsBy' : 'review.noComments')}>
          {text('review.noCommentsNext')}
        </Empty>
      ) : null}
      {comments.length === 0 ? null : <CommentList reviewId={reviewId} comments={comments} />}
      <Pages query={query} />
    </>
  );
}
