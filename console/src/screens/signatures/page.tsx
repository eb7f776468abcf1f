/** One signature: what is signed, by whom and when; where it still waits, the way to sign it. */
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Page } from '~/app/page.tsx';
import { sayMeans } from '~/app/reviews/say-means.ts';
import { SignatureBox } from '~/app/reviews/signature-box.tsx';
import { count } from '~/data/count.ts';
import { hostOf, isAcknowledgement, type Signature, signatureQuery } from '~/data/reviews/signature.ts';
import { useSession } from '~/data/session/session.ts';
import { Copy } from '~/parts/controls/copy.tsx';
import { Failed } from '~/parts/states/failed.tsx';
import { Note } from '~/parts/states/note.tsx';
import { Skeleton } from '~/parts/states/skeleton.tsx';
import { date, exactTime } from '~/text/format.ts';
import { type PlainTextKey, text } from '~/text/text.ts';
import { RecordPart } from './record-part.tsx';
import { signatureRoute } from './route.tsx';
import styles from './signatures.module.css';
import { NextActions } from './next-actions.tsx';
import { Signing } from './signing.tsx';

const ends: Readonly<Record<string, PlainTextKey>> = {
  EXPIRED: 'signature.endedExpired',
  REPLACED: 'signature.endedReplaced',
  CHANGED: 'signature.endedChanged',
  CLOSED: 'signature.endedClosed',
};

/** Words of an acknowledgement where it differs from a submission. */
const endsOfAcknowledgement: Readonly<Record<string, PlainTextKey>> = {
  ...ends,
  EXPIRED: 'signature.acknowledgeExpired',
  REPLACED: 'signature.acknowledgeReplaced',
  CHANGED: 'signature.acknowledgeChanged',
  CLOSED: 'signature.acknowledgeClosed',
};

/** Returns the time of a signature in words, before it is given and after. */
function sayTime({ signedAt, timeStampServer = '', tspUrl = '' }: Signature): string {
  if (signedAt === undefined) {
    return tspUrl === '' ? text('signature.whenSigned') : text('signature.whenStamped', { host: hostOf(tspUrl) });
  }
  return timeStampServer === '' ? exactTime(signedAt) : text('signature.timeStamped', { time: exactTime(signedAt), host: timeStampServer });
}

/** Returns the heading: what stands with a signature, for its signer and for others. */
function sayStanding(signature: Signature, isOwn: boolean): string {
  const { state, printedName: name = '', certified, denied } = signature;
  if (state === 'SIGNATURE_STATE_SIGNED') {
    return isAcknowledgement(signature)
      ? text('signature.acknowledged')
      : text('signature.signedCount', { count: count(certified) + count(denied) });
  }
  if (state === 'SIGNATURE_STATE_ENDED') {
    return isOwn ? text('signature.notSigned') : text('signature.notSignedBy', { name });
  }
  return isOwn ? text('signature.waits') : text('signature.waitsFor', { name });
}

export function SignaturePage() {
  const { id } = signatureRoute.useParams();
  const { transaction } = signatureRoute.useSearch();
  const session = useSession();
  const query = useQuery(signatureQuery(id));
  const signature = query.data?.signature;
  const isOwn = signature === undefined || session === undefined || signature.userId === session.userId;
  const { accessReviewId: reviewId = '', accessReviewDisplayName = '' } = signature ?? {};
  return (
    <Page
      title={text('signature.one')}
      before={
        isOwn ? (
          <Link to="/my/submissions">{text('nav.submissions')}</Link>
        ) : (
          <Link to="/reviews/$reviewId/$tab" params={{ reviewId, tab: 'submissions' }}>
            {accessReviewDisplayName}
          </Link>
        )
      }
      width="column"
    >
      {query.isPending ? <Skeleton rows={6} /> : null}
      {query.isError && signature === undefined ? <Failed error={query.error} retry={() => void query.refetch()} /> : null}
      {signature === undefined ? null : <One key={id} signature={signature} isOwn={isOwn} transactionId={transaction} />}
    </Page>
  );
}

interface OneProps {
  readonly signature: Signature;
  /** True for the page of its signer. */
  readonly isOwn: boolean;
  readonly transactionId: string | undefined;
}

function One({ signature, isOwn, transactionId }: OneProps) {
  const { state, meaning = '', printedName: name = '', recordSha256 = '' } = signature;
  const acknowledges = isAcknowledgement(signature);
  const isSigned = state === 'SIGNATURE_STATE_SIGNED';
  const isEnded = state === 'SIGNATURE_STATE_ENDED';
  const box = (
    <SignatureBox
      title={isOwn ? text('signature.yours') : text('signature.ofOther', { name })}
      meaning={meaning}
      name={name}
      time={isSigned || (isOwn && !isEnded) ? sayTime(signature) : text('signature.notYet')}
      proof={sayMeans(signature)}
    >
      <Copy shown label={text('signature.hash')} value={recordSha256} />
    </SignatureBox>
  );
  return (
    <div className={styles.page}>
      <div className={styles.head}>
        <h2>{sayStanding(signature, isOwn)}</h2>
        <p>
          {signature.accessReviewDisplayName}.{' '}
          {text(acknowledges ? 'signature.acknowledgedCounts' : 'signature.counts', {
            certified: count(signature.certified),
            denied: count(signature.denied),
          })}
        </p>
      </div>
      {isEnded ? (
        <Note kind="warn">{text((acknowledges ? endsOfAcknowledgement : ends)[signature.endedBy ?? ''] ?? 'signature.notSigned')}</Note>
      ) : null}
      {isSigned || isEnded ? (
        <>
          {box}
          {isSigned ? <RecordPart signature={signature} isOwn={isOwn} /> : null}
          {isOwn ? <NextActions signature={signature} /> : null}
        </>
      ) : isOwn ? (
        <Signing signature={signature} transactionId={transactionId}>
          {box}
        </Signing>
      ) : (
        <>
          <Note>{text('signature.waitsForOther', { name, date: date(signature.expiresAt ?? '') })}</Note>
          {box}
        </>
      )}
    </div>
  );
}
