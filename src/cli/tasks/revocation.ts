/** `countersign revocation list|show|claim|confirm|retry|export|counts`: what became of access that was denied, through the API. */
import { type RevocationJson, RevocationService, type RevocationStateJson } from '../../gen/countersign/v1/revocations_pb.js';
import { nameBy } from '../../lib/names/name-by.ts';
import { quoteName } from '../../lib/names/visible-text.ts';
import { type Commands, formatFacts, formatRows } from '../frame/commands.ts';
import type { CsvColumn } from '../frame/csv.ts';
import { formatTable } from '../frame/io.ts';

const states = [
  'held',
  'requested',
  'refused',
  'in_progress',
  'claimed',
  'still_present',
  'verified',
  'attested',
  'reappeared',
  'error',
  'cancelled',
] as const;

const filters = {
  '--state <state...>': { text: 'only those in one of these states', choices: states, field: 'states' },
  '--review <id>': { text: 'only those of this review', field: 'accessReviewId' },
  '--app <id>': { text: 'only those of this app', field: 'appId' },
  '--mine': 'only open ones of apps that you own: what you have to remove',
  '--overdue': 'only open ones that are due',
  '--query <text>': 'only those with these words in the names of account, owner, entitlement, resource or app',
} as const;

/** Adds the commands about revocations. */
export function addRevocationCommands(group: Commands): void {
  const operands = { '<id>': 'id of the revocation' } as const;
  group.list('list', {
    description: 'list revocations, the oldest first',
    options: { ...filters, '--limit <number>': { text: 'at most so many', fallback: '25' } },
    method: RevocationService.method.list,
    columns: {
      ID: 'id',
      ACCOUNT: 'account',
      ACCESS: whatOf,
      STATE: { lower: 'state' },
      DUE: ({ dueAt }) => dueAt?.slice(0, 10),
      REVIEWER: reviewerOf,
      REASON: 'reason',
      REVIEW: 'accessReviewDisplayName',
      OUTCOME: 'outcome',
    },
  });

  group.call('show', {
    description: 'show one revocation with its history and its proof',
    operands,
    method: RevocationService.method.get,
    pick: ({ revocation = {}, history = [] }) => ({ revocation, history }),
    text: ({ revocation, history }) => {
      const rows = history.map((one) => [
        one.at ?? '',
        stateOf(one.state),
        nameBy(one.actorDisplayName || one.actorUserId || '', one.actorIssuerDisplayName ?? '') || one.syncId || '',
        one.note ?? '',
      ]);
      return [...describe(revocation), '', formatTable(['AT', 'STATE', 'BY', 'NOTE'], rows)];
    },
  });

  for (const [name, description] of [
    ['claim', 'say that the access was removed; a later sync has to prove it'],
    ['confirm', 'confirm what somebody else claimed, of access that no sync reports'],
    ['retry', 'start a removal anew that failed or whose access reappeared'],
  ] as const) {
    group.call(name, {
      description,
      operands,
      options: { '--comment <text>': { text: 'what was done, such as the number of a ticket', fallback: '' } },
      // The three differ in their path alone.
      method: RevocationService.method[name] as typeof RevocationService.method.claim,
      text: describe,
    });
  }

  group.list('export', {
    description: 'write all revocations as CSV to standard output',
    options: filters,
    method: RevocationService.method.list,
    csv: exported,
  });

  group.call('counts', {
    description: 'count revocations by state and age',
    options: {
      '--review <id>': { text: 'only those of this review', field: 'accessReviewId' },
      '--app <id>': { text: 'only those of this app', field: 'appId' },
      '--mine': 'only open ones of apps that you own',
    },
    method: RevocationService.method.count,
    text: ({ list = [] }) =>
      formatRows(
        ['STATE', 'TOTAL', 'UNDER 7 DAYS', 'UNDER 30 DAYS', 'OLDER', 'OVERDUE'],
        list.map((one) => [
          stateOf(one.state),
          ...[one.total, one.underSevenDays, one.underThirtyDays, one.older, one.overdue].map((number) => number ?? '0'),
        ]),
      ),
  });
}

function stateOf(state: RevocationStateJson = 'REVOCATION_STATE_UNSPECIFIED'): string {
  return state.replace('REVOCATION_STATE_', '').toLowerCase();
}

function whatOf({ appDisplayName = '', resourceDisplayName = '', entitlementDisplayName = '' }: RevocationJson): string {
  return [appDisplayName, resourceDisplayName, entitlementDisplayName].filter((part) => part !== '').join(' / ');
}

/** Whoever denied the access. */
function reviewerOf({ reviewerDisplayName = '', reviewerIssuerDisplayName = '' }: RevocationJson): string {
  return nameBy(reviewerDisplayName, reviewerIssuerDisplayName);
}

/** Whoever says that the access was removed. */
function claimerOf({ claimedByDisplayName = '', claimedIssuerDisplayName = '' }: RevocationJson): string {
  return nameBy(claimedByDisplayName, claimedIssuerDisplayName);
}

/** Other ways by which the access is held, each of which has to be cut as well. */
function residualOf({ residualAccess = [] }: RevocationJson): string {
  return residualAccess
    .map(({ account = '', appEntitlementId = '', entitlementDisplayName = '', looksTheSame }) => {
      if (looksTheSame) {
        return `under a name that looks the same: account ${quoteName(account)}, ${quoteName(entitlementDisplayName)}`;
      }
      return account ? `by the account ${account}` : `through ${entitlementDisplayName || appEntitlementId}`;
    })
    .join(', ');
}

function describe(one: RevocationJson): string[] {
  return formatFacts({
    id: one.id,
    state: stateOf(one.state),
    outcome: one.outcome,
    unknown: one.unknown || undefined,
    'also held': residualOf(one) || undefined,
    account: one.account,
    owner: one.userDisplayName || undefined,
    access: whatOf(one),
    review: [one.accessReviewDisplayName, one.accessReviewId].filter(Boolean).join(', ') || undefined,
    reviewer: reviewerOf(one) || undefined,
    reason: one.reason || undefined,
    task: one.revokeTaskId || undefined,
    denied: one.createdAt,
    requested: one.requestedAt,
    due: one.dueAt,
    claimed: one.claimedAt,
    'claimed by': claimerOf(one) || undefined,
    proof: one.syncId || undefined,
    'last seen': one.lastSeenAt,
    note: one.note || undefined,
  });
}

/** The columns of the export, and what stands in them. */
const exported: readonly CsvColumn<RevocationJson>[] = [
  ['id', (one) => one.id],
  ['state', (one) => stateOf(one.state)],
  ['outcome', (one) => one.outcome],
  ['unknown', (one) => one.unknown],
  ['also_held', residualOf],
  ['app', (one) => one.appDisplayName],
  ['resource', (one) => one.resourceDisplayName],
  ['entitlement', (one) => one.entitlementDisplayName],
  ['account', (one) => one.account],
  ['owner', (one) => one.userDisplayName],
  ['review', (one) => one.accessReviewId],
  ['review_name', (one) => one.accessReviewDisplayName],
  ['reviewer', reviewerOf],
  ['reason', (one) => one.reason],
  ['denied_at', (one) => one.createdAt],
  ['requested_at', (one) => one.requestedAt],
  ['due_at', (one) => one.dueAt],
  ['overdue', (one) => String(one.isOverdue ?? false)],
  ['claimed_at', (one) => one.claimedAt],
  ['claimed_by', claimerOf],
  ['state_changed_at', (one) => one.stateChangedAt],
  ['sync', (one) => one.syncId],
  ['revision', (one) => one.revision],
  ['last_seen_sync', (one) => one.lastSeenSyncId],
  ['last_seen_at', (one) => one.lastSeenAt],
  ['note', (one) => one.note],
  ['owner_id', (one) => one.userId],
  ['reviewer_id', (one) => nameBy(one.reviewerUserId ?? '', one.reviewerIssuerId ?? '')],
  ['claimed_by_id', (one) => nameBy(one.claimedByUserId ?? '', one.claimedIssuerId ?? '')],
];
