/**
 * Brings the sample company in and gets its review running, through the API alone, as any client would. Every step looks first whether it
 * was done: loading that was stopped half-way goes on where it stopped.
 */
import type { Operations } from '../gen/routes.js';
import { sampleAppNames, sampleManualApp, writeSampleGrants, writeSampleTills } from './access.ts';
import { type SampleFile, samplePeople, sampleReviewName, writeSamplePeople } from './company.ts';
import { watchSamplePayments } from './conflict.ts';
import { areMarked, markSamples } from './mark.ts';
import { isSamplePerson } from './names.ts';
import { listAll, listAppIds, listEntitlementIds, type SampleServer } from './server.ts';
import { describeEntitlements } from './words.ts';

const daysToReview = 14;
const sampleInstructions =
  'For each right: does this person still need it for their work? Certify what is needed, and deny what is not. What stands out comes first.';
const sampleDescription = 'Made with the samples: does everybody in the sample company still need what they hold?';

/** A source of its own: a file of real people, sent to the usual one, then does not say that all samples have left. */
const samplePeopleSource = 'samples';

type ReviewView = NonNullable<Operations['AccessReviewService.Get']['reply']['accessReview']>;
type Review = NonNullable<ReviewView['accessReview']>;

/** Step under way. */
export type SampleStep =
  | { readonly kind: 'people'; readonly count: number }
  | { readonly kind: 'access'; readonly app: string; readonly source: string }
  | { readonly kind: 'words' | 'keys' | 'conflicts' | 'review' | 'prepare' | 'start' };

export interface SampleOptions {
  /** True if the review asks for mails to its reviewers, whose addresses are invented. */
  readonly sendMails: boolean;
  /** Hears each step before it is done, and how many of all steps were done before it. */
  readonly say: (step: SampleStep, done: number, total: number) => void;
}

/** Result of loading. */
export interface LoadedSamples {
  readonly userId: string;
  readonly review: Review & { readonly id: string };
}

interface Task {
  readonly step: SampleStep;
  readonly isDone?: boolean;
  readonly run: () => Promise<unknown>;
}

/** Loads what is missing and returns what is there. */
export async function loadSamples(server: SampleServer, { sendMails, say }: SampleOptions): Promise<LoadedSamples> {
  const userId = (await server.call('AuthService.Introspect', {})).userId ?? '';
  const { id, state } = (await findSampleReview(server)) ?? {};
  const isMarked = await areMarked(server);
  const isDraft = state === 'ACCESS_REVIEW_STATE_DRAFT';
  // A review that was closed meanwhile is left as it is.
  const isReady = id !== undefined && !isDraft;
  const isPrepared = isReady && state !== 'ACCESS_REVIEW_STATE_PREPARING';
  const isStarted = isPrepared && state !== 'ACCESS_REVIEW_STATE_REVIEW' && state !== 'ACCESS_REVIEW_STATE_STARTING';
  let reviewId = id ?? '';
  const act = async (operation: 'ReviewActionsService.Prepare' | 'ReviewActionsService.Start'): Promise<void> => {
    await server.call(operation, { accessReviewId: reviewId });
    await server.waitForPhase(reviewId);
  };
  const tasks: readonly Task[] = [
    ...(id === undefined ? await listInventoryTasks(server, userId) : []),
    {
      step: { kind: 'review' },
      isDone: isReady,
      run: async () => {
        reviewId = await writeReview(server, reviewId, sendMails);
        await markSamples(server, reviewId);
      },
    },
    { step: { kind: 'prepare' }, isDone: isPrepared, run: () => act('ReviewActionsService.Prepare') },
    { step: { kind: 'start' }, isDone: isStarted, run: () => act('ReviewActionsService.Start') },
  ];
  for (const [done, { step, isDone = false, run }] of tasks.entries()) {
    if (!isDone) {
      say(step, done, tasks.length);
      await run();
    }
  }
  // Loaded by a version that did not mark yet.
  if (!isMarked && isReady) {
    await markSamples(server, reviewId);
  }
  const { accessReview } = await server.call('AccessReviewService.Get', { id: reviewId });
  return { userId, review: { ...accessReview?.accessReview, id: reviewId } };
}

/** The review of the samples. A closed one counts while its apps are there: it is kept when the samples are removed, and loaded again they get a new one. */
async function findSampleReview(server: SampleServer): Promise<Review | undefined> {
  const views = await listAll(server, 'AccessReviewService.List', {});
  const found = views.map(({ accessReview }) => accessReview).filter((review) => review?.displayName === sampleReviewName);
  const live = found.find((review) => review?.state !== 'ACCESS_REVIEW_STATE_CLOSED');
  return live ?? ((await listAppIds(server)).has(sampleManualApp.name) ? found[0] : undefined);
}

/** Lists tasks before the review: files that were not imported yet, and what no file says. */
async function listInventoryTasks(server: SampleServer, userId: string): Promise<Task[]> {
  const files = await listMissingFiles(server);
  return [
    ...files.map((file): Task => ({ step: stepOf(file), run: () => send(server, file) })),
    { step: { kind: 'words' }, run: () => describeEntitlements(server) },
    { step: { kind: 'keys' }, run: () => handOutKeys(server, userId) },
    { step: { kind: 'conflicts' }, run: () => watchSamplePayments(server) },
  ];
}

function stepOf({ app, source }: SampleFile): SampleStep {
  return app === '' ? { kind: 'people', count: samplePeople.length } : { kind: 'access', app, source };
}

/** The files in their order, without the first of each app that are in already: a former state must not follow a later one. */
async function listMissingFiles(server: SampleServer): Promise<SampleFile[]> {
  const now = new Date();
  const apps = await listAppIds(server);
  const imports = await listAll(server, 'ImportService.List', {});
  const people = (await listAll(server, 'UserService.List', {})).filter(({ user }) => isSamplePerson(user?.email ?? ''));
  const there = new Map([['', people.length < samplePeople.length ? 0 : 1]]);
  for (const { appId = '', source = '', state } of imports.map((view) => view.import ?? {})) {
    // An app that was deleted left its imports behind.
    if (state === 'IMPORT_STATE_DONE' && appId !== '' && apps.get(source) === appId) {
      there.set(source, (there.get(source) ?? 0) + 1);
    }
  }
  return [writeSamplePeople(), ...writeSampleGrants(now), writeSampleTills(now)].filter(({ app }) => {
    const left = there.get(app) ?? 0;
    there.set(app, left - 1);
    return left <= 0;
  });
}

function send(server: SampleServer, { app, source, csv }: SampleFile): Promise<unknown> {
  return app === ''
    ? server.upload('ImportService.ImportPeople', { source: samplePeopleSource }, csv)
    : server.upload('ImportService.ImportGrants', { app, source }, csv);
}

/** Writes down who has which key, and who is asked about accounts that nobody owns: whoever loads the samples. */
async function handOutKeys(server: SampleServer, userId: string): Promise<void> {
  const { name, entitlements } = sampleManualApp;
  const apps = await listAppIds(server);
  const appId = apps.get(name) ?? (await createManualApp(server, name, userId));
  const users = await listAll(server, 'UserService.List', {});
  const idOf = new Map(users.map(({ user }) => [user?.email ?? '', user?.id ?? '']));
  const there = await listEntitlementIds(server, appId);
  for (const { name: displayName, emails } of entitlements) {
    let id = there.get(displayName);
    if (id === undefined) {
      const { appEntitlementView } = await server.call('AppEntitlementService.Create', { appId, displayName });
      id = appEntitlementView?.appEntitlement?.id ?? '';
    }
    const userIds = emails.flatMap((email) => idOf.get(email) ?? []);
    await server.call('AppEntitlementService.AddManuallyManagedMembers', { appId, appEntitlementId: id, userIds });
  }
  for (const owned of ['Sample Ledger', 'Sample Code']) {
    await server.call('AppOwnerService.Add', { appId: apps.get(owned) ?? '', userId });
  }
}

async function createManualApp(server: SampleServer, displayName: string, userId: string): Promise<string> {
  const description = 'Keys that are handed out manually. No source reports them.';
  return (await server.call('AppService.Create', { displayName, description, owners: [userId] })).app?.id ?? '';
}

/** Makes the draft unless it is there, and says what it is to be; returns its id. */
async function writeReview(server: SampleServer, draftId: string, sendMails: boolean): Promise<string> {
  const created =
    draftId === ''
      ? await server.call('AccessReviewService.Create', { displayName: sampleReviewName, description: sampleDescription })
      : {};
  const id = created.accessReview?.accessReview?.id ?? draftId;
  const apps = await listAppIds(server);
  const appIds = sampleAppNames.map((name) => apps.get(name) ?? '');
  const accessReview = {
    displayName: sampleReviewName,
    description: sampleDescription,
    autoResolve: true,
    multiApp: { appEntitlements: Object.fromEntries(appIds.map((appId) => [appId, { appId, entitlementIds: [] }])) },
    reviewInstructions: sampleInstructions,
    completionDate: new Date(Date.now() + daysToReview * 86_400_000).toISOString(),
    notificationConfig: { sendKickoff: sendMails, sendReminders: sendMails, sendClose: sendMails },
  };
  await server.call('AccessReviewService.Update', { id, accessReview });
  return id;
}
