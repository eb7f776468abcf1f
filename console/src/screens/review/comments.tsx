/** What people wrote in a review, the newest first: comments, and the reasons of what they did; of everybody, or of one person. */
import { useInfiniteQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { searchPeople } from '../../data/find.ts';
import { useNames } from '../../data/names.ts';
import { readPages } from '../../data/query.ts';
import { Combobox } from '../../parts/combobox.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Failed } from '../../parts/failed.tsx';
import { FilterBar } from '../../parts/filter-bar.tsx';
import { Pages } from '../../parts/pages.tsx';
import { Skeleton } from '../../parts/skeleton.tsx';
import { text } from '../../text/text.ts';
import { CommentList } from './comment-list.tsx';
import type { TabProps } from './props.ts';
import type { ReviewSearch } from './route.tsx';

export function CommentsTab({ reviewId }: TabProps) {
  const { reviewer } = useSearch({ strict: false }) as ReviewSearch;
  const navigate = useNavigate();
  const query = useInfiniteQuery(
    readPages('ReviewCommentService.List', { accessReviewId: reviewId, pageSize: 100, ...(reviewer ? { userId: reviewer } : {}) }),
  );
  const comments = (query.data?.pages ?? []).flatMap(({ list }) => list ?? []);
  const names = useNames([reviewer]);
  const choose = (id: string | undefined) =>
    void navigate({ to: `/reviews/${reviewId}/comments` as string, search: (id ? { reviewer: id } : {}) as never, replace: true });
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
