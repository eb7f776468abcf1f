/** `countersign review ...`: a review's life through the API, from draft to report. */
import type { AccessReviewJson } from '../../gen/c1/api/accessreview/v1/accessreview_pb.js';
import { AccessReviewService } from '../../gen/c1/api/accessreview/v1/access_review_service_pb.js';
import { ReviewActionsService } from '../../gen/countersign/v1/review_pb.js';
import type { Commands } from '../frame/commands.ts';
import { collect, UsageError } from '../frame/io.ts';
import { readDocument } from '../frame/read-document.ts';
import { addArrivalCommands } from './review-arrivals.ts';
import { addCloseCommand } from './close-review.ts';
import { createReview } from './create-review.ts';
import { finishPhase, printWarnings } from './finish-phase.ts';
import { addStartCommand } from './start-review.ts';
import { addEvidenceCommand } from './review-evidence.ts';
import { addFiguresCommand } from './review-figures.ts';
import { addIndependenceCommand } from './review-independence.ts';
import { addLifeCommands } from './review-life.ts';
import { addPreviewCommands } from './review-preview.ts';
import { addProgressCommand } from './review-progress.ts';
import { addReportCommand } from './review-report.ts';
import { addRollForwardCommand } from './review-roll-forward.ts';
import { addSampleCommands } from './review-sample.ts';
import { addScopeCommand } from './review-scope.ts';
import { addSecondReviewCommand } from './review-second.ts';
import { addShowCommand } from './review-show.ts';

/** Adds the `review` commands. */
export function addReviewCommands(group: Commands): void {
  group.list('list', {
    description: 'list the reviews you may see',
    method: AccessReviewService.method.list,
    item: 'accessReview',
    columns: { ID: 'id', STATE: 'state', ITEMS: ({ expectedTicketCount = '' }) => String(expectedTicketCount), NAME: 'displayName' },
  });
  addShowCommand(group);
  addCreateCommand(group);
  addScopeCommand(group);
  addPreviewCommands(group);
  group.run('prepare', {
    description: 'take the snapshot and make the tasks',
    operands: { '<review>': 'id of the review' },
    options: { '--no-wait': 'do not wait until it is done' },
    act: async ({ review, wait }, session) => {
      const reply = await session.client.call(ReviewActionsService.method.prepare, { accessReviewId: review });
      printWarnings(session.io, reply.warnings);
      return finishPhase(session, review, wait, reply.accessReview);
    },
  });
  addStartCommand(group);
  addProgressCommand(group);
  addArrivalCommands(group);
  addIndependenceCommand(group);
  addFiguresCommand(group);
  addSecondReviewCommand(group);
  addSampleCommands(group);
  addCloseCommand(group);
  addLifeCommands(group);
  addDeleteCommand(group);
  addReportCommand(group);
  addEvidenceCommand(group);
  addRollForwardCommand(group);
}

function addCreateCommand(group: Commands): void {
  group.run('create', {
    description: 'create a draft',
    options: {
      '--name <name>': 'display name',
      '--description <text>': 'description',
      '--app <name>': { text: 'an app whose access is reviewed, by name or id; repeat it for several', parse: collect },
      '--app-access': 'ask only whether people should have an account in these apps at all',
      '--owner <person>': { text: 'owner by mail address or id (default: you); repeat it for several', parse: collect },
      '--policy <id>': 'policy that decides who reviews (default: the policy the tenant started with)',
      '--file <file>': 'JSON of an AccessReview with anything else; - for standard input',
    },
    act: async (given, session) => {
      const document = given.file === undefined ? {} : await readDocument(session.io, given.file, 'the fields of an access review');
      const review = await createReview(session.client, { ...given, document: document as AccessReviewJson });
      return { json: review, text: `${review.id ?? ''}  ${review.displayName ?? ''}` };
    },
  });
}

function addDeleteCommand(group: Commands): void {
  group.run('delete', {
    description: 'delete a review that is not closed; its tombstone and its events stay',
    operands: { '<review>': 'id of the review' },
    options: {
      '--reason <text>': 'why; needed for an open review, and kept by the tombstone',
      '--yes': {
        text: 'delete it; without this nothing is deleted',
        otherwise: () => new UsageError('deleting a review cannot be undone: repeat it with --yes'),
      },
    },
    act: async ({ review: id, reason: given = '' }, { client }) => {
      const reason = given.trim();
      // Clients of the public API send no reason, so the server asks for none. Whoever sits here can say why people are asked no longer.
      const review = (await client.call(AccessReviewService.method.get, { id })).accessReview?.accessReview;
      if (review?.state === 'ACCESS_REVIEW_STATE_OPEN' && reason === '') {
        throw new UsageError('the review is open, and its tasks end with it: say why, with --reason');
      }
      await client.call(AccessReviewService.method.delete, { id, reason });
      return { json: {}, text: `The review ${id} is deleted.` };
    },
  });
}
