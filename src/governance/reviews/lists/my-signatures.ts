/** Signatures that running reviews ask of the caller: where they sign in for them, whether they can sign, and what waits for it. */
import type { Context } from '../../../context.ts';
import { isThemselves } from '../../../foundation/authority/index.ts';
import { listWaiting, mapProviderNames } from '../../../foundation/signatures/index.ts';
import type { AskedReviewRow } from './store-my-reviews.ts';

/** The signature that a running review asks of the caller, as the contract has it. */
export interface MySignature {
  readonly providerDisplayName: string;
  readonly maySign: boolean;
  readonly waitingId: string;
  readonly waitingDecisions: number;
  readonly waitingUntil: Date | undefined;
}

/** Maps the reviews among these that ask for signatures to what they ask of the caller. */
export async function mapMySignatures(
  context: Context,
  rows: readonly Pick<AskedReviewRow, 'id' | 'document'>[],
): Promise<ReadonlyMap<string, MySignature>> {
  const asking = rows.filter(({ document }) => document.signatureConfig?.requireSignature === true);
  if (asking.length === 0) {
    return new Map();
  }
  const providerOf = ({ document }: (typeof asking)[number]): string => document.signatureConfig?.stepUpProviderId ?? '';
  const names = await mapProviderNames(context, asking.map(providerOf));
  const waiting = await listWaiting(
    context,
    asking.map(({ id }) => id),
  );
  const waitingOf = new Map(waiting.map((one) => [one.reviewId, one]));
  return new Map(
    asking.map((row) => {
      const one = waitingOf.get(row.id);
      return [
        row.id,
        {
          providerDisplayName: names.get(providerOf(row)) ?? '',
          maySign: isThemselves(context.actor),
          waitingId: one?.id ?? '',
          waitingDecisions: (one?.certified ?? 0) + (one?.denied ?? 0),
          waitingUntil: one?.expiresAt,
        },
      ];
    }),
  );
}
