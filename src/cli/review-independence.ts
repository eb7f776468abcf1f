/** `countersign review independence`: which relations of reviewers block a decision, and which decisions were made in spite of one. */
import type { Command } from 'commander';
import {
  type RelatedDecisionJson,
  type ReviewerRelationJson,
  type ReviewIndependenceJson,
  ReviewIndependenceService,
} from '../gen/countersign/v1/independence_pb.js';
import { type ConnectOptions, connect, withConnection } from './connect.ts';
import { type CommandIo, formatTable, UsageError, writeJson, writeLines } from './io.ts';

const names = ['SELF', 'MANAGER', 'REPORT', 'GRANTER', 'APP_OWNER', 'APP_ADMINISTRATOR', 'ISSUED_CREDENTIAL', 'RECIPROCAL'];
const prefix = 'REVIEWER_RELATION_';

interface IndependenceOptions extends ConnectOptions {
  readonly block?: string;
  readonly list?: string;
}

/** Adds `review independence`. */
export function addIndependenceCommand(group: Command, io: CommandIo): void {
  withConnection(
    group.command('independence').description('show or set which relations of a reviewer to what is reviewed block a decision'),
  )
    .argument('<review>', 'id of the review')
    .option('--block <relations>', `block these, and no others; separated by commas: ${names.join(', ')}; "none" blocks nothing`)
    .option('--list <relations>', 'list the decisions of people with one of these relations; "any" for all')
    .action((id: string, options: IndependenceOptions) => showIndependence(io, id, options));
}

function readRelations(option: string, text: string, empty: string): ReviewerRelationJson[] {
  const words = text.split(',').map((word) => word.trim().toUpperCase().replaceAll('-', '_'));
  if (words.length === 1 && words[0] === empty.toUpperCase()) {
    return [];
  }
  const unknown = words.find((word) => !names.includes(word));
  if (unknown !== undefined) {
    throw new UsageError(`${option} knows no relation "${unknown}": use ${names.join(', ')}, or ${empty}`);
  }
  return words.map((word) => `${prefix}${word}` as ReviewerRelationJson);
}

async function showIndependence(io: CommandIo, accessReviewId: string, options: IndependenceOptions): Promise<void> {
  const client = connect(io, options);
  const { getIndependence, setIndependence, listRelatedDecisions } = ReviewIndependenceService.method;
  const blocked = options.block === undefined ? undefined : readRelations('--block', options.block, 'none');
  const asked = options.list === undefined ? undefined : readRelations('--list', options.list, 'any');
  const { independence = {} } =
    blocked === undefined
      ? await client.call(getIndependence, { accessReviewId })
      : await client.call(setIndependence, { accessReviewId, blocked });
  const list: RelatedDecisionJson[] = [];
  if (asked !== undefined) {
    for await (const decision of client.pages(listRelatedDecisions, { accessReviewId, relations: asked })) {
      list.push(decision);
    }
  }
  if (options.json === true) {
    writeJson(io.stdout, { ...independence, ...(asked === undefined ? {} : { list }) });
    return;
  }
  writeLines(io.stdout, ...formatCounts(independence));
  if (list.length > 0) {
    const rows = list.map((one) => [
      one.decidedAt ?? '',
      one.userId ?? '',
      one.approved === true ? 'approved' : 'denied',
      one.taskId ?? '',
      (one.relations ?? []).map(wordOf).join(', '),
    ]);
    writeLines(io.stdout, '', formatTable(['WHEN', 'REVIEWER', 'DECISION', 'TASK', 'RELATIONS'], rows));
  }
}

const wordOf = (relation: string): string => relation.slice(prefix.length);

function formatCounts({ blocked = [], counts = [] }: ReviewIndependenceJson): string[] {
  const barred = blocked.map(wordOf).join(', ');
  const lines = [barred === '' ? 'no relation blocks a decision' : `blocked: ${barred}`];
  return counts.length === 0
    ? [...lines, 'nobody with a relation decided']
    : [
        ...lines,
        '',
        formatTable(
          ['RELATION', 'DECISIONS', 'APPROVALS'],
          counts.map((one) => [wordOf(one.relation ?? ''), String(one.decisions ?? 0), String(one.approvals ?? 0)]),
        ),
      ];
}
