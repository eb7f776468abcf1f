/** Comments as people wrote them, each with who did what with it, and what it is about. */
import { Link } from '@tanstack/react-router';
import { useNamesAt } from '~/data/names-at.ts';
import type { ReplyOf } from '~/data/query.ts';
import { Initials } from '~/parts/words/initials.tsx';
import { When } from '~/parts/words/when.tsx';
import type { ByValue } from '~/text/by-value.ts';
import { type PlainTextKey, text } from '~/text/text.ts';
import styles from './comments.module.css';

type Comment = NonNullable<ReplyOf<'ReviewCommentService.List'>['list']>[number];

const deeds: ByValue<Comment['kind'], PlainTextKey> = {
  REVIEW_COMMENT_KIND_COMMENT: 'review.didComment',
  REVIEW_COMMENT_KIND_CERTIFIED: 'review.didCertify',
  REVIEW_COMMENT_KIND_DENIED: 'review.didDeny',
  REVIEW_COMMENT_KIND_REASSIGNED: 'review.didPassOn',
  REVIEW_COMMENT_KIND_OTHER: 'review.didSomething',
};

export function CommentList({ reviewId, comments }: { reviewId: string; comments: readonly Comment[] }) {
  const nameAt = useNamesAt(
    comments.flatMap(({ userId, issuerId, createdAt }) => [userId, issuerId].map((id) => [id, createdAt] as const)),
  );
  return (
    <ol className={styles.list}>
      {comments.map((one) => (
        <li key={one.id}>
          <Initials name={one.displayName ?? ''} />
          <div>
            <p className={styles.head}>
              <Link to="/reviews/$reviewId/$tab" params={{ reviewId, tab: 'comments' }} search={{ reviewer: one.userId }}>
                {nameAt(one.userId, one.createdAt) || one.displayName}
              </Link>
              {(one.issuerId ?? '') !== '' && one.issuerId !== one.userId && (
                <span>{text('review.issuedBy', { name: nameAt(one.issuerId, one.createdAt) || one.issuerDisplayName || '' })}</span>
              )}
              <span>{text(deeds[one.kind ?? ''] ?? 'review.didSomething')}</span>
              <When at={one.createdAt ?? ''} />
            </p>
            <blockquote>{one.comment}</blockquote>
            <p className={styles.about}>
              {text('review.commentAbout', {
                person: one.subjectDisplayName ?? '',
                right: one.entitlementDisplayName ?? '',
                app: one.appDisplayName ?? '',
              })}
            </p>
          </div>
        </li>
      ))}
    </ol>
  );
}
