/** `countersign review independence`: which relations of reviewers block a decision, and which decisions were made in spite of one. */
import {
  type ReviewerRelationJson,
  ReviewerRelationSchema,
  type ReviewIndependenceJson,
  ReviewIndependenceService,
} from '../../gen/countersign/v1/independence_pb.js';
import type { Commands } from '../frame/commands.ts';
import { formatTable, UsageError } from '../frame/io.ts';
import { listAll } from '../frame/list.ts';
import { enumPrefix } from '../frame/send-request.ts';

const prefix = enumPrefix(ReviewerRelationSchema);
const names = ReviewerRelationSchema.values.filter(({ number }) => number !== 0).map(({ name }) => wordOf(name));

/** Adds `review independence`. */
export function addIndependenceCommand(group: Commands): void {
  group.run('independence', {
    description: 'show or set which relations of a reviewer to what is reviewed block a decision',
    operands: { '<review>': 'id of the review' },
    options: {
      '--block <relations>': `block these, and no others; separated by commas: ${names.join(', ')}; "none" blocks nothing`,
      '--list <relations>': 'list the decisions of people with one of these relations; "any" for all',
    },
    act: async ({ review: accessReviewId, block, list: asked }, session) => {
      const { getIndependence, setIndependence, listRelatedDecisions } = ReviewIndependenceService.method;
      const blocked = block === undefined ? undefined : readRelations('--block', block, 'none');
      const relations = asked === undefined ? undefined : readRelations('--list', asked, 'any');
      const { client } = session;
      const { independence = {} } =
        blocked === undefined
          ? await client.call(getIndependence, { accessReviewId })
          : await client.call(setIndependence, { accessReviewId, blocked });
      const list = relations === undefined ? undefined : await listAll(client.pages(listRelatedDecisions, { accessReviewId, relations }));
      const rows = (list ?? []).map((one) => [
        one.decidedAt ?? '',
        one.userId ?? '',
        one.approved === true ? 'approved' : 'denied',
        one.taskId ?? '',
        (one.relations ?? []).map(wordOf).join(', '),
      ]);
      return {
        json: { ...independence, ...(list && { list }) },
        text: [
          ...formatCounts(independence),
          ...(rows.length > 0 ? ['', formatTable(['WHEN', 'REVIEWER', 'DECISION', 'TASK', 'RELATIONS'], rows)] : []),
        ],
      };
    },
  });
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

function wordOf(relation: string): string {
  return relation.slice(prefix.length);
}

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
