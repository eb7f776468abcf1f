/**
 * Figures: what an expression costs as SQL beside SQL written for the same question, asked of the owner of every grant; and a preview of every grant
 * whose policy has three rules beside the bare count of running.ts.
 */
import { compileExpression } from '../src/lib/cel/compile.ts';
import { renderSql, sql } from '../src/lib/sql.ts';
import { getTranslationSql } from '../src/governance/snapshots/expressions/store-translate.ts';
import { AccessReviewService } from '../src/gen/c1/api/accessreview/v1/access_review_service_pb.js';
import { PolicyService } from '../src/gen/c1/api/policy/v1/policy_service_pb.js';
import { ReviewSelectionService } from '../src/gen/countersign/v1/review_pb.js';
import { policyByRules } from './choosing.ts';
import { atMost, type Figure, type FigureResult, median, seconds } from './figure.ts';
import { countBare, timeInSeconds } from './running.ts';
import type { World } from './data/world.ts';
import '../src/slots.ts';

/** The same question twice. */
const expression =
  'subject.email.endsWith("@company.example") && subject.department in ["Finance", "Legal"] && subject.jobTitle != "" || subject.profile.level == "high"';
const written = `p.email LIKE '%@company.example' AND p.department IN ('Finance', 'Legal') AND p.job_title <> '' OR p.profile ->> 'level' = 'high'`;

async function measureExpression(world: World): Promise<FigureResult> {
  const compiled = compileExpression(expression, 'REVIEW_USERS');
  const translated = 'expression' in compiled ? getTranslationSql({ tenantId: '', now: new Date() }, compiled.expression) : undefined;
  if (translated === undefined) {
    throw new Error('the expression is not translated');
  }
  const appId = await world.appId();
  const client = await world.server.superuser();
  const question = (verdict: typeof translated) =>
    renderSql(sql`SELECT count(*) FILTER (WHERE ${verdict})::integer AS count FROM countersign.grants g
      JOIN countersign.accounts a ON a.tenant_id = g.tenant_id AND a.app_id = g.app_id AND a.id = g.account_id
      JOIN (SELECT u.tenant_id, u.id AS user_id, u.email, u.department, u.job_title, u.profile FROM countersign.users u) p
        ON p.tenant_id = a.tenant_id AND p.user_id = a.user_id
      WHERE g.app_id = ${appId} AND g.removed_revision IS NULL`);
  try {
    const counts = new Set<number>();
    const ask = async (verdict: typeof translated): Promise<void> => {
      counts.add((await client.query<{ count: number }>(question(verdict))).rows[0]?.count ?? -1);
    };
    const ours = median(await timeInSeconds(5, () => ask(translated)));
    const peer = median(await timeInSeconds(5, () => ask(sql([written]))));
    if (counts.size !== 1) {
      throw new Error(`the answers differ: ${[...counts].join(', ')}`);
    }
    const title = `an expression as SQL, asked of the owners of ${world.size.grants.toLocaleString('en')} grants`;
    return atMost(1.5, { title, ours: seconds(ours), peer: seconds(peer), ratio: ours / peer }, 'times SQL written for it');
  } finally {
    await client.end();
  }
}

async function measurePreviewByRules(world: World): Promise<FigureResult> {
  const { admin } = world.server;
  const policyId = (await admin.call(PolicyService.method.create, policyByRules)).policy?.id ?? '';
  const created = await admin.call(AccessReviewService.method.create, { displayName: 'To look at, by rules' });
  const id = created.accessReview?.accessReview?.id ?? '';
  await admin.call(AccessReviewService.method.update, { id, accessReview: { singleApp: { appId: await world.appId() }, policyId } });
  const ours = median(await timeInSeconds(3, () => admin.call(ReviewSelectionService.method.preview, { accessReviewId: id })));
  const peer = await countBare(world);
  const title = `preview of ${world.size.grants.toLocaleString('en')} grants with three rules`;
  return atMost(
    2,
    { title, ours: seconds(ours), peer: seconds(peer), ratio: ours / peer },
    'times the bare count by reviewer and entitlement',
  );
}

/** At most one and a half times SQL written for the question, and twice the bare count. */
export const measureTranslated: Figure = async function* (open) {
  const world = await open();
  yield await measureExpression(world);
  yield await measurePreviewByRules(world);
};
