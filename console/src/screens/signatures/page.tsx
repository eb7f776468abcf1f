/** One signature: what is signed, by whom and when; where it still waits, the way to sign it. */
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Page } from '~/app/page.tsx';
import { SignatureBox } from '~/app/reviews/signature-box.tsx';
import { count } from '~/data/count.ts';
import { isAcknowledgement, type Signature, signatureQuery } from '~/data/reviews/signature.ts';
import { ButtonLink } from '~/parts/controls/button-link.tsx';
import { Copy } from '~/parts/controls/copy.tsx';
import { Failed } from '~/parts/states/failed.tsx';
import { Note } from '~/parts/states/note.tsx';
import { Skeleton } from '~/parts/states/skeleton.tsx';
import { exactTime } from '~/text/format.ts';
import { type PlainTextKey, text } from '~/text/text.ts';
import { signatureRoute } from './route.tsx';
import styles from './signatures.module.css';
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

export function SignaturePage() {
  const { id } = signatureRoute.useParams();
  const { transaction } = signatureRoute.useSearch();
  const query = useQuery(signatureQuery(id));
  const signature = query.data?.signature;
  return (
    <Page title={text('signature.one')} before={<Link to="/my/submissions">{text('nav.submissions')}</Link>} width="column">
      {query.isPending ? <Skeleton rows={6} /> : null}
      {query.isError && signature === undefined ? <Failed error={query.error} retry={() => void query.refetch()} /> : null}
      {signature === undefined ? null : <One key={id} signature={signature} transactionId={transaction} />}
    </Page>
  );
}

function One({ signature, transactionId }: { signature: Signature; transactionId: string | undefined }) {
  const { state, accessReviewId = '', meaning = '', printedName = '', signedAt, timeStampServer = '', issuerUrl = '' } = signature;
  const { stepUpProviderId = '', recordSha256 = '' } = signature;
  const acknowledges = isAcknowledgement(signature);
  const isSigned = state === 'SIGNATURE_STATE_SIGNED';
  const isEnded = state === 'SIGNATURE_STATE_ENDED';
  const time =
    signedAt === undefined
      ? text('signature.whenSigned')
      : timeStampServer === ''
        ? exactTime(signedAt)
        : text('signature.timeStamped', { time: exactTime(signedAt), host: timeStampServer });
  const box = (
    <SignatureBox
      meaning={meaning}
      name={printedName}
      time={time}
      proof={
        issuerUrl !== ''
          ? text('signature.issuer', { issuer: issuerUrl })
          : text(stepUpProviderId === '' ? 'signature.bySession' : 'signature.signingInAgain')
      }
    >
      <Copy shown label={text('signature.hash')} value={recordSha256} />
    </SignatureBox>
  );
  return (
    <div className={styles.page}>
      <div className={styles.head}>
        <h2>
          {isSigned
            ? acknowledges
              ? text('signature.acknowledged')
              : text('signature.signedCount', { count: count(signature.certified) + count(signature.denied) })
            : text(isEnded ? 'signature.notSigned' : 'signature.waits')}
        </h2>
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
        box
      ) : (
        <Signing signature={signature} transactionId={transactionId}>
          {box}
        </Signing>
      )}
      {isSigned ? (
        <div className={styles.actions}>
          {acknowledges ? (
            <ButtonLink to="/reviews/$reviewId/$tab" params={{ reviewId: accessReviewId, tab: 'checks' }}>
              {text('signature.toQueue')}
            </ButtonLink>
          ) : (
            <ButtonLink to="/r/$review" params={{ review: accessReviewId }}>
              {text('signature.toQueue')}
            </ButtonLink>
          )}
          <ButtonLink to="/home" variant="primary">
            {text('signature.done')}
          </ButtonLink>
        </div>
      ) : null}
      {isEnded && signature.endedBy !== 'CLOSED' ? (
        <div className={styles.actions}>
          {acknowledges ? (
            <ButtonLink to="/reviews/$reviewId/$tab" params={{ reviewId: accessReviewId, tab: 'checks' }} variant="primary">
              {text('signature.toQueue')}
            </ButtonLink>
          ) : (
            <ButtonLink to="/r/$review/submit" params={{ review: accessReviewId }} variant="primary">
              {text('signature.signAnew')}
            </ButtonLink>
          )}
        </div>
      ) : null}
    </div>
  );
}
