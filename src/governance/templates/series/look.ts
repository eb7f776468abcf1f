/**
 * Reviews of people who move or leave: a job of the tenant looks at the people that changed since it looked last, as the database noted them, and makes
 * the reviews that templates want of them. What it costs is in proportion to who changed.
 */
import type { Context } from '../../../context.ts';
import type { JobKind } from '../../../jobs/index.ts';
import { compileExpression } from '../../../lib/cel/compile.ts';
import { evaluateAll, objectValue } from '../../../lib/cel/index.ts';
import { Failure, type Result } from '../../../lib/cel/values.ts';
import { timestamp } from '../../../wire/timestamps.ts';
import { recordEvent } from '../../../foundation/audit/index.ts';
import { lockChanges, removeChanges } from '../../../foundation/directory/index.ts';
import { answerQuestions, type PersonFacts, personValue } from '../../policies/index.ts';
import { makeReview } from './make-review.ts';
import { lockTemplate, type TemplateRow, type TemplateSettings } from '../record/index.ts';
import {
  findWaitingTemplate,
  insertTriggered,
  listLooking,
  listPeopleNow,
  listWaiting,
  peopleKinds,
  type LookingTemplate,
  type TriggerKind,
  type Triggered,
  updateWaiting,
} from './store-triggers.ts';

/** The kind of the job; its subject is the tenant. */
export const lookKind = 'template.look';

/** People of one chunk. */
const peoplePerChunk = 500;
/** Reviews of one chunk. */
const reviewsPerChunk = 20;
/** From more people than this on, one review asks about all of them. */
const maxAlone = 100;
/** Most people a review's list holds. */
const maxTogether = 10_000;
const maxTemplates = 1_000;

/** Somebody before and after a change, and what it was. */
interface Changed {
  readonly before: PersonFacts;
  readonly now: PersonFacts;
  readonly changedAt: Date;
  readonly kinds: readonly TriggerKind[];
}

const isGone = ({ status, employmentStatus }: PersonFacts): boolean => status !== 'ENABLED' || employmentStatus === 'TERMINATED';

/** Changes of somebody. */
function kindsOf(before: PersonFacts, now: PersonFacts): TriggerKind[] {
  const moved = before.department !== now.department || before.jobTitle !== now.jobTitle || before.managerId !== now.managerId;
  return [...(isGone(now) && !isGone(before) ? (['LEAVER'] as const) : []), ...(moved ? (['MOVER'] as const) : [])];
}

/** Judges each of these by the condition of a template. */
async function judge(context: Context, condition: string, changed: readonly Changed[]): Promise<readonly Result[]> {
  if (condition === '' || changed.length === 0) {
    return changed.map(() => true);
  }
  const compiled = compileExpression(condition, 'TRIGGER');
  if ('errors' in compiled) {
    return changed.map(() => new Failure(compiled.errors[0]?.message ?? 'the expression does not compile'));
  }
  const variables = changed.map(({ before, now }) => ({
    ctx: objectValue('TriggerContext', {
      trigger: objectValue('Trigger', { oldUser: personValue(before), newUser: personValue(now) }),
    }),
  }));
  const load = (questions: Parameters<typeof answerQuestions>[1]) => answerQuestions(context, questions);
  return evaluateAll(compiled.expression, variables, { now: context.now, whose: `${context.tenantId} ${context.actor.userId}`, load });
}

/** Writes down for whom one template makes a review. A condition that cannot be evaluated does not hold, and an event says why. */
export async function lookFor(context: Context, template: LookingTemplate, all: readonly Changed[]): Promise<void> {
  const changed = all.flatMap((one) => {
    const kind = one.changedAt < template.since ? undefined : one.kinds.find((found) => template.kinds.includes(found));
    return kind === undefined ? [] : [{ ...one, kind }];
  });
  const results = await judge(context, template.condition, changed);
  const failed = results.filter((result) => result instanceof Failure);
  if (failed.length > 0) {
    await recordEvent(context, {
      kind: 'template.trigger_failed',
      targetId: template.id,
      data: { people: failed.length, error: failed[0]?.message ?? '' },
    });
  }
  const people = changed.flatMap(({ now, kind }, at): Triggered[] => (results[at] === true ? [{ userId: now.id, kind }] : []));
  if (people.length > 0) {
    await insertTriggered(context, template.id, people);
  }
}

/** Looks at the next people that changed; how many there were. */
async function look(context: Context): Promise<number> {
  const changes = await lockChanges(context, peoplePerChunk);
  if (changes.length === 0) {
    return 0;
  }
  const ids = changes.map(({ userId }) => userId);
  const now = new Map((await listPeopleNow(context, ids)).map((person) => [person.id, person]));
  const changed = changes.flatMap(({ userId, before, changedAt }): Changed[] => {
    const person = now.get(userId);
    const was = before as unknown as PersonFacts;
    return person === undefined ? [] : [{ before: was, now: person, changedAt, kinds: kindsOf(was, person) }];
  });
  for (const template of await listLooking(context, peopleKinds, maxTemplates)) {
    await lookFor(context, template, changed);
  }
  await removeChanges(context, ids);
  return changes.length;
}

/** The people of the template's own inclusion scope that are among these; all of these where it names none. */
function withinScope({ inclusionScope }: TemplateSettings, people: readonly string[]): readonly string[] {
  const own = inclusionScope?.userIds ?? [];
  return own.length === 0 ? people : people.filter((id) => own.includes(id));
}

/** Makes one review of a template for those of these people who are in its scope, which starts at once; how many it made. */
async function makeFor(context: Context, template: TemplateRow, people: readonly (Triggered & { displayName: string })[]): Promise<number> {
  const ids = withinScope(
    template.document,
    people.map(({ userId }) => userId),
  );
  if (ids.length > 0) {
    const [first] = people;
    const whom = people.length === 1 ? (first?.displayName ?? '').slice(0, 80) : `${people.length} people`;
    const review = await makeReview(context, template, {
      at: context.now,
      createdById: template.createdById,
      triggeredFor: { people: ids, whom },
    });
    await recordEvent(context, {
      kind: 'template.triggered',
      targetId: template.id,
      reviewId: review.id,
      data: {
        accessReviewId: review.id,
        kinds: [...new Set(people.map(({ kind }) => kind))].sort(),
        people: ids.length,
        userIds: ids.slice(0, maxAlone),
        startedAt: timestamp(context.now) ?? '',
      },
    });
    await updateWaiting(context, template.id, ids, review.id);
  }
  // Those whom the scope of the template leaves out.
  await updateWaiting(
    context,
    template.id,
    people.map(({ userId }) => userId),
    '',
  );
  return ids.length > 0 ? 1 : 0;
}

/** Makes the next reviews of a template that people wait for. */
async function makeWaiting(context: Context, templateId: string): Promise<void> {
  const waiting = await listWaiting(context, templateId, maxTogether);
  const template = await lockTemplate(context, templateId);
  if (template === undefined) {
    await updateWaiting(
      context,
      templateId,
      waiting.map(({ userId }) => userId),
      '',
    );
    return;
  }
  const groups = waiting.length > maxAlone ? [waiting] : waiting.slice(0, reviewsPerChunk).map((person) => [person]);
  let made = template.reviewsMade;
  for (const people of groups) {
    made += await makeFor(context, { ...template, reviewsMade: made }, people);
  }
}

/** Looks until nobody is left who changed, then makes the reviews: so all whom one sync changed count together. */
export const lookJob: JobKind = {
  // Giving up would silently end all triggers.
  maxAttempts: Number.MAX_SAFE_INTEGER,
  async handler(context, job) {
    const looked = await look(context);
    if (looked > 0) {
      return { cursor: {}, done: job.done + looked, total: 0 };
    }
    const templateId = await findWaitingTemplate(context);
    if (templateId === undefined) {
      return 'finished';
    }
    await makeWaiting(context, templateId);
    return { cursor: {}, done: job.done, total: 0 };
  },
};
