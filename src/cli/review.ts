/**
 * `countersign review list|create|prepare|start`: a review's life through the API. Its preview is in review-preview.ts, its progress in review-progress.ts, its close in
 * close-review.ts, its report in review-report.ts.
 */
import type { Command } from 'commander';
import type { AccessReviewJson } from '../gen/c1/api/accessreview/v1/accessreview_pb.js';
import { AccessReviewService } from '../gen/c1/api/accessreview/v1/access_review_service_pb.js';
import { ReviewActionsService } from '../gen/countersign/v1/review_pb.js';
import { addCloseCommand } from './close-review.ts';
import { type ConnectOptions, connect, withConnection } from './connect.ts';
import { createReview, type ReviewDraft } from './create-review.ts';
import { addDeleteCommand } from './delete-review.ts';
import { finishPhase, type PhaseOptions, printWarnings, stateOf } from './finish-phase.ts';
import { addLifeCommands } from './review-life.ts';
import { collect, type CommandIo, formatTable, writeJson, writeLines } from './io.ts';
import { addPreviewCommands } from './review-preview.ts';
import { addIndependenceCommand } from './review-independence.ts';
import { addFiguresCommand } from './review-figures.ts';
import { addProgressCommand } from './review-progress.ts';
import { addRollForwardCommand } from './review-roll-forward.ts';
import { readDocument } from './read-document.ts';
import { addReportCommand } from './review-report.ts';
import { addSecondReviewCommand } from './review-second.ts';
import { addScopeCommand } from './review-scope.ts';
import { addShowCommand } from './review-show.ts';

/** Adds the `review` commands. */
export function addReviewCommands(program: Command, io: CommandIo): void {
  const group = program.command('review').description('access reviews, from draft to report');

  withConnection(group.command('list').description('list the reviews you may see')).action(async (options: ConnectOptions) => {
    const reviews: AccessReviewJson[] = [];
    for await (const view of connect(io, options).pages(AccessReviewService.method.list, {})) {
      if (view.accessReview !== undefined) {
        reviews.push(view.accessReview);
      }
    }
    if (options.json === true) {
      writeJson(io.stdout, reviews);
      return;
    }
    const rows = reviews.map((one) => [one.id ?? '', stateOf(one), String(one.expectedTicketCount ?? ''), one.displayName ?? '']);
    writeLines(io.stdout, formatTable(['ID', 'STATE', 'ITEMS', 'NAME'], rows));
  });

  addShowCommand(group, io);
  addCreate(group, io);

  addScopeCommand(group, io);
  addPreviewCommands(group, io);

  addPhase(group, io, 'prepare', 'take the snapshot and make the tasks', ReviewActionsService.method.prepare);
  addPhase(group, io, 'start', 'open the tasks to their reviewers', ReviewActionsService.method.start);

  addProgressCommand(group, io);
  addIndependenceCommand(group, io);
  addFiguresCommand(group, io);
  addSecondReviewCommand(group, io);
  addCloseCommand(group, io);
  addLifeCommands(group, io);
  addDeleteCommand(group, io);
  addReportCommand(group, io);
  addRollForwardCommand(group, io);
}

function addPhase(
  group: Command,
  io: CommandIo,
  name: string,
  description: string,
  method: typeof ReviewActionsService.method.prepare | typeof ReviewActionsService.method.start,
): void {
  withConnection(group.command(name).description(description))
    .argument('<review>', 'id of the review')
    .option('--no-wait', 'do not wait until it is done')
    .action(async (id: string, options: PhaseOptions) => {
      const reply = await connect(io, options).call(method as typeof ReviewActionsService.method.prepare, { accessReviewId: id });
      printWarnings(io, reply.warnings);
      await finishPhase(io, options, id, reply.accessReview);
    });
}

function addCreate(group: Command, io: CommandIo): void {
  withConnection(group.command('create').description('create a draft'))
    .option('--name <name>', 'display name')
    .option('--description <text>', 'description')
    .option('--app <name>', 'an app whose access is reviewed, by name or id; repeat it for several', collect)
    .option('--app-access', 'ask only whether people should have an account in these apps at all')
    .option('--owner <person>', 'owner by mail address or id (default: you); repeat it for several', collect)
    .option('--policy <id>', 'policy that decides who reviews (default: the policy the tenant started with)')
    .option('--file <file>', 'JSON of an AccessReview with anything else; - for standard input')
    .action(async (options: ConnectOptions & ReviewDraft & { file?: string }) => {
      const document =
        options.file === undefined ? {} : ((await readDocument(io, options.file, 'the fields of an access review')) as AccessReviewJson);
      const review = await createReview(connect(io, options), { ...options, document });
      if (options.json === true) {
        writeJson(io.stdout, review);
        return;
      }
      writeLines(io.stdout, `${review.id ?? ''}  ${review.displayName ?? ''}`);
    });
}
