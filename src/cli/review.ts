/** `countersign review list|create|preview|prepare|start|close`: a review's life through the API. Its report is in review-report.ts. */
import { readFile } from 'node:fs/promises';
import { type Command, Option } from 'commander';
import type { AccessReviewJson, AccessReviewViewJson, CloseDecisionJson } from '../gen/c1/api/accessreview/v1/accessreview_pb.js';
import { AccessReviewService } from '../gen/c1/api/accessreview/v1/access_review_service_pb.js';
import {
  ReviewActionsService,
  ReviewSelectionService,
  type ReviewSelectionServicePreviewResponseJson,
} from '../gen/countersign/v1/review_pb.js';
import { isJsonObject } from '../lib/json.ts';
import { type ConnectOptions, connect, withConnection } from './connect.ts';
import { createReview, type ReviewDraft } from './create-review.ts';
import { CommandFailure, type CommandIo, formatTable, UsageError, writeJson, writeLines } from './io.ts';
import { addReportCommand } from './review-report.ts';
import { waitForPhase } from './wait.ts';

interface PhaseOptions extends ConnectOptions {
  readonly wait: boolean;
}

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

  addCreate(group, io);

  withConnection(group.command('preview').description('count what the review would ask, and list its reviewers'))
    .argument('<review>', 'id of the review')
    .action(async (id: string, options: ConnectOptions) => {
      const preview = await connect(io, options).call(ReviewSelectionService.method.preview, { accessReviewId: id });
      if (options.json === true) {
        writeJson(io.stdout, preview);
      } else {
        printPreview(io, preview);
      }
    });

  addPhase(group, io, 'prepare', 'take the snapshot and make the tasks', ReviewActionsService.method.prepare);
  addPhase(group, io, 'start', 'open the tasks to their reviewers', ReviewActionsService.method.start);

  withConnection(group.command('close').description('close the review; revoked access has to be removed in the applications'))
    .argument('<review>', 'id of the review')
    .addOption(
      new Option(
        '--decision <what>',
        'what becomes of undecided tasks (default: the setting of the review, else skip); revoke changes nothing in the applications',
      ).choices(['skip', 'revoke', 'no-action']),
    )
    .option('--no-wait', 'do not wait until it is closed')
    .action(async (id: string, options: PhaseOptions & { decision?: keyof typeof closeDecisions }) => {
      const client = connect(io, options);
      const decision = options.decision === undefined ? {} : { decision: closeDecisions[options.decision] };
      const reply = await client.call(ReviewActionsService.method.close, { accessReviewId: id, ...decision });
      await finishPhase(io, options, id, reply.accessReview);
    });

  addReportCommand(group, io);
}

const closeDecisions = {
  skip: 'CLOSE_DECISION_SKIP',
  revoke: 'CLOSE_DECISION_REVOKED',
  'no-action': 'CLOSE_DECISION_NO_ACTION',
} as const satisfies Record<string, CloseDecisionJson>;

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
      await finishPhase(io, options, id, reply.accessReview);
    });
}

async function finishPhase(io: CommandIo, options: PhaseOptions, id: string, asked: AccessReviewViewJson | undefined): Promise<void> {
  const client = connect(io, options);
  let review = asked?.accessReview;
  if (options.wait) {
    await waitForPhase(io, client, id);
    review = (await client.call(AccessReviewService.method.get, { id })).accessReview?.accessReview;
  }
  if (review === undefined) {
    throw new CommandFailure('the server answered without the review');
  }
  if (options.json === true) {
    writeJson(io.stdout, review);
    return;
  }
  const items =
    review.expectedTicketCount === undefined
      ? ''
      : `, ${review.expectedTicketCount.toLocaleString('en')} item${review.expectedTicketCount === 1 ? '' : 's'}`;
  writeLines(io.stdout, `${review.displayName ?? id}: ${stateOf(review)}${items}`);
}

/** The state without its prefix, as people say it. */
function stateOf(review: AccessReviewJson): string {
  return (review.state ?? '').replace('ACCESS_REVIEW_STATE_', '');
}

function addCreate(group: Command, io: CommandIo): void {
  const collect = (value: string, all: string[] = []): string[] => [...all, value];
  withConnection(group.command('create').description('create a draft'))
    .option('--name <name>', 'display name')
    .option('--description <text>', 'description')
    .option('--app <name>', 'an app whose access is reviewed, by name or id; repeat it for several', collect)
    .option('--app-access', 'ask only whether people should have an account in these apps at all')
    .option('--owner <person>', 'owner by mail address or id (default: you); repeat it for several', collect)
    .option('--policy <id>', 'policy that decides who reviews (default: the policy the tenant started with)')
    .option('--file <file>', 'JSON of an AccessReview with anything else; - for standard input')
    .action(async (options: ConnectOptions & ReviewDraft & { file?: string }) => {
      const document = options.file === undefined ? {} : await readDocument(io, options.file);
      const review = await createReview(connect(io, options), { ...options, document });
      if (options.json === true) {
        writeJson(io.stdout, review);
        return;
      }
      writeLines(io.stdout, `${review.id ?? ''}  ${review.displayName ?? ''}`);
    });
}

async function readDocument(io: CommandIo, path: string): Promise<AccessReviewJson> {
  const pieces: Buffer[] = [];
  if (path === '-') {
    for await (const piece of io.stdin) {
      pieces.push(Buffer.from(piece as Buffer));
    }
  } else {
    pieces.push(await readFile(path));
  }
  try {
    const value: unknown = JSON.parse(Buffer.concat(pieces).toString('utf8'));
    if (isJsonObject(value)) {
      return value as AccessReviewJson;
    }
  } catch {
    // Said below, together with JSON of another shape.
  }
  throw new UsageError(`${path} must hold one JSON object: the fields of an access review`);
}

function printPreview(io: CommandIo, preview: ReviewSelectionServicePreviewResponseJson): void {
  const count = (value: string | number | undefined): string => Number(value ?? 0).toLocaleString('en');
  const counted = (value: string | undefined, one: string, many = `${one}s`): string =>
    `${count(value)} ${Number(value) === 1 ? one : many}`;
  writeLines(
    io.stdout,
    [
      `${counted(preview.items, 'item')}: ${counted(preview.people, 'person', 'people')}`,
      counted(preview.accounts, 'account'),
      counted(preview.entitlements, 'entitlement'),
      counted(preview.appCount, 'app'),
    ].join(', '),
    '',
    formatTable(
      ['APP', 'ITEMS'],
      (preview.apps ?? []).map((app) => [app.displayName ?? '', count(app.items)]),
    ),
    '',
    formatTable(
      ['REVIEWER', 'BECAUSE', 'ITEMS'],
      (preview.reviewers ?? []).map((one) => [one.displayName ?? one.userId ?? '', one.reason ?? '', count(one.items)]),
    ),
    '',
    `to a fallback: ${count(preview.fallbackItems)}; without a reviewer: ${count(preview.unassignedItems)}`,
  );
}
