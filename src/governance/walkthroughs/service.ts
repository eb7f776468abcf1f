/** The contract's methods about walkthroughs: each calls one rule and shapes the reply. */
import { SamplePopulation, WalkthroughService } from '../../gen/countersign/v1/walkthroughs_pb.js';
import { type BoundService, implement } from '../../wire/service.ts';
import { drawSample } from './draw-sample.ts';
import type { Population } from './store-sample.ts';
import { checkEvents, type NamedSync, type Walkthrough, walkThrough } from './walk-through.ts';

const populations: Readonly<Record<SamplePopulation, Population>> = {
  [SamplePopulation.UNSPECIFIED]: 'ALL',
  [SamplePopulation.ALL]: 'ALL',
  [SamplePopulation.CERTIFIED]: 'CERTIFIED',
  [SamplePopulation.DENIED]: 'DENIED',
  [SamplePopulation.NOT_DECIDED]: 'NOT_DECIDED',
};

function shapeSync(sync: NamedSync | undefined) {
  return (
    sync && {
      id: sync.id,
      connectorId: sync.sourceId,
      connectorDisplayName: sync.sourceName,
      fileSha256: sync.fileSha256,
      startedAt: sync.startedAt,
      endedAt: sync.endedAt,
      rows: sync.rows,
      rejected: sync.rejected,
      revision: sync.revision,
    }
  );
}

function shapeWalkthrough({ review, item, addedBy, heldBy, endedBy, seenIn, events, checked }: Walkthrough) {
  const { grant, removal } = item;
  return {
    ...item,
    accessReviewId: review.id,
    accessReviewDisplayName: review.document.displayName ?? '',
    grant: grant && {
      ...grant,
      addedBy: shapeSync(addedBy),
      heldBy: shapeSync(heldBy),
      endedBy: shapeSync(endedBy),
      row: grant,
    },
    snapshot: {
      ...item,
      revision: review.preparedRevision,
      takenAt: review.sourcesFrozenAt,
      inputHash: review.scopeHash,
      itemsHash: review.itemsHash,
    },
    removal: removal && { ...removal, seenIn: shapeSync(seenIn) },
    events: events.map(({ id, position, kind, occurredAt, actorId }) => ({
      eventUid: id,
      position: position ?? -1,
      kind,
      at: occurredAt,
      actorUserId: actorId,
    })),
    logCheck: checked,
  };
}

const walkthroughs = implement(WalkthroughService, {
  drawSample: (context, { accessReviewId, seed, size, population }) =>
    drawSample(context, accessReviewId, { seed, size, population: populations[population] }),
  get: async (context, { accessReviewId, taskId }) => shapeWalkthrough(await walkThrough(context, accessReviewId, taskId)),
  checkEvents: async (context, { accessReviewId, fromPosition }) => {
    const { next, ...check } = await checkEvents(context, accessReviewId, Number(fromPosition));
    return { check, nextPosition: next };
  },
});

/** Services of this module. */
export const services: readonly BoundService[] = [walkthroughs];
