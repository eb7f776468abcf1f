/** `countersign hold list|set|lift`: legal holds, through the API. */
import { LegalHoldService } from '../../gen/countersign/v1/holds_pb.js';
import type { Commands } from '../frame/commands.ts';

/** Adds the `hold` commands. */
export function addHoldCommands(group: Commands): void {
  group.list('list', {
    description: 'list legal holds, the newest first',
    options: {
      '--standing': { text: 'without those that are lifted', field: 'standingOnly' },
      '--limit <number>': { text: 'at most so many', fallback: '25' },
    },
    method: LegalHoldService.method.list,
    columns: {
      ID: 'id',
      COVERS: ({ accessReviewId = '', accessReviewDisplayName }) =>
        accessReviewId === '' ? 'the company' : accessReviewDisplayName || accessReviewId,
      SET: 'setAt',
      BY: ({ setByDisplayName, setById }) => setByDisplayName || setById || '',
      LIFTED: 'liftedAt',
      REASON: 'reason',
    },
  });
  group.call('set', {
    description: 'set a legal hold on the company, or on one review',
    operands: { '<reason>': 'why, for everybody who reads the review' },
    options: { '--review <id>': { text: 'id of the review; without it the whole company', field: 'accessReviewId' } },
    method: LegalHoldService.method.set,
    text: ({ id = '' }) => `The legal hold ${id} stands.`,
  });
  group.call('lift', {
    description: 'ask for a legal hold to be lifted; another Super Administrator confirms it',
    operands: { '<id>': 'id of the hold', '<reason>': 'why' },
    method: LegalHoldService.method.lift,
    text: ({ id = '' }) => `Another Super Administrator has to confirm it: request ${id}.`,
  });
}
