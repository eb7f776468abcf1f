/**
 * Signing what waits. Whoever comes back from the provider has agreed there, so it is signed at once; where that fails nothing is submitted, and
 * the page says what to do next.
 */
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useEffect, useRef } from 'react';
import { announce, announceError } from '~/app/announce.ts';
import { errorMessage, useSend } from '~/data/act.ts';
import { leaveTo } from '~/data/leave-to.ts';
import { call, ClientError, isOutage, read } from '~/data/query.ts';
import { sign } from '~/data/queue/prepare-signature.ts';
import { isAcknowledgement, type Signature } from '~/data/reviews/signature.ts';
import { Button } from '~/parts/controls/button.tsx';
import { Note } from '~/parts/states/note.tsx';
import { type PlainTextKey, text } from '~/text/text.ts';
import styles from './signatures.module.css';

interface SigningProps {
  readonly signature: Signature;
  /** The step-up that the signer comes back from. */
  readonly transactionId: string | undefined;
  /** The signature, between what went wrong and what to do next. */
  readonly children: ReactNode;
}

/** True if signing again with the same step-up may work: a server on the way was slow or down. */
const isAgain = (error: unknown): boolean => isOutage(error) || (error instanceof ClientError && error.status === 503);

/** Returns the words on what the signer does next. */
function sayNext(asksProvider: boolean, again: boolean, acknowledges: boolean): PlainTextKey {
  if (asksProvider && again) {
    return 'signature.againWords';
  }
  if (asksProvider) {
    return acknowledges ? 'signature.goAcknowledgeWords' : 'signature.goThereWords';
  }
  return acknowledges ? 'signature.signAcknowledgeWords' : 'signature.signWords';
}

export function Signing({ signature, transactionId, children }: SigningProps) {
  const { id = '', accessReviewId = '', stepUpProviderId = '' } = signature;
  const acknowledges = isAcknowledgement(signature);
  const asksProvider = stepUpProviderId !== '';
  // Whoever comes by another way may have signed in already: the last step-up holds for its 15 minutes.
  const stepUpId = transactionId ?? signature.stepUpTransactionId ?? '';
  const step = useQuery({ ...read('StepUpTransactionService.Get', { id: stepUpId }), enabled: asksProvider && stepUpId !== '' });
  const transaction = step.data?.transaction;
  const isVerified = transaction?.state === 'STEP_UP_TRANSACTION_STATE_VERIFIED' && transaction.signatureId === id;
  const act = useSend({
    mutationFn: () => sign(signature, transaction?.id ?? ''),
    onSuccess: () => announce(text(acknowledges ? 'signature.acknowledged' : 'signature.saidSigned')),
    onError: (error) => announceError(errorMessage(error)),
  });
  const goThere = useSend({
    mutationFn: () => call('SignatureService.StepUp', { id }),
    onSuccess: ({ signature: begun }) => leaveTo(begun?.redirectUrl ?? ''),
  });
  const wasTried = useRef(false);
  const { mutate } = act;
  useEffect(() => {
    if (isVerified && transactionId !== undefined && !wasTried.current) {
      wasTried.current = true;
      mutate();
    }
  }, [isVerified, transactionId, mutate]);
  // What the provider refused is known when the page comes, so nothing that was done here says it.
  const refusal = act.error === null && transactionId !== undefined ? (transaction?.errorMessage ?? '') : '';
  const kept = text(acknowledges ? 'signature.nothingAcknowledged' : 'signature.nothingSubmitted');
  useEffect(() => {
    if (refusal !== '') {
      announceError(`${refusal} ${kept}`);
    }
  }, [refusal, kept]);
  if (act.isPending || (transactionId !== undefined && step.isPending)) {
    return (
      <>
        <Note>{text('signature.signing')}</Note>
        {children}
      </>
    );
  }
  const problem = act.error ?? goThere.error ?? step.error ?? (refusal === '' ? undefined : new Error(refusal));
  const isKept = isVerified && act.error === null && transactionId === undefined && Date.parse(transaction.expiresAt ?? '') > Date.now();
  const again = isKept || (isVerified && isAgain(act.error));
  return (
    <>
      {problem === undefined ? null : (
        <Note kind="fault">
          {errorMessage(problem)} {isAgain(act.error) ? '' : kept}
        </Note>
      )}
      {children}
      <p>{text(sayNext(asksProvider, again, acknowledges))}</p>
      <div className={styles.actions}>
        {acknowledges ? (
          <Link to="/reviews/$reviewId/$tab" params={{ reviewId: accessReviewId, tab: 'checks' }}>
            {text('signature.toQueue')}
          </Link>
        ) : (
          <Link to="/r/$review" params={{ review: accessReviewId }}>
            {text('signature.backToQueue')}
          </Link>
        )}
        {asksProvider && !again ? (
          <Button variant="primary" icon="pen" busy={goThere.isPending} onClick={() => goThere.mutate()}>
            {text('signature.goThere')}
          </Button>
        ) : (
          <Button variant="primary" icon="pen" onClick={() => act.mutate()}>
            {text(again ? 'signature.tryAgain' : 'signature.sign')}
          </Button>
        )}
      </div>
    </>
  );
}
