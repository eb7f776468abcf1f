/**
 * The approved text of each kind of mail: both parts as they are sent, over sample data, in test/mails. Whoever changes words changes these files beside,
 * with `npx vitest run FILE -u`, so that others read them. Nothing is sent here.
 */
import { readdirSync } from 'node:fs';
import type { JsonObject } from '@bufbuild/protobuf';
import { describe, expect, it } from 'vitest';
import type { ReviewRow } from '../../governance/reviews/index.ts';
import type { Facts } from './notices/facts.ts';
import { type NoticeKind, noticeKinds } from './notices/notices.ts';
import type { Recipient } from './notices/store-facts.ts';
import type { NoticeRow } from './notices/store-notices.ts';
import type { Counted } from './notices/store-subject-notices.ts';
import type { RenderedMail } from './mailers/render-mail.ts';
import { renderAddressMail } from './address-mail.ts';
import { renderSignInMail } from './sign-in-mail.ts';
import { writeMail } from './write-mail.ts';

const now = new Date('2026-06-24T09:00:00Z');
const folder = new URL('../../../test/mails/', import.meta.url);

/** Parts of a sample; names are as somebody wrote them. */
interface Sample {
  readonly kind: NoticeKind;
  readonly data?: readonly JsonObject[];
  /** Number of what the mail is about; 2 unless given. */
  readonly count?: number;
  readonly subjectId?: string;
  readonly reviewId?: string;
  readonly onBehalfId?: string;
  readonly review?: JsonObject;
  /** Items in submissions that nobody signed. */
  readonly unsigned?: number;
  /** What the close left of it. */
  readonly closed?: Partial<Pick<ReviewRow, 'closeDecision' | 'ownerIds' | 'arrived'>>;
  readonly name?: string;
  readonly person?: string;
  readonly recipient?: string;
}

const person = (id: string, displayName: string): Recipient => ({
  id,
  displayName,
  email: `${id}@sample.example`,
  status: 'ENABLED',
  userType: 'HUMAN',
});

/** The mail that says this. */
function mailOf(sample: Sample): RenderedMail {
  if (sample.kind === 'ADDRESS_CHANGED') {
    const name = sample.name ?? 'robin.new';
    const change = {
      userId: '0u',
      changedAt: new Date('2026-06-24T09:10:00Z'),
      oldAddress: 'robin@sample.example',
      newAddress: `${name}@sample.example`,
    };
    const host = 'access.sample.example';
    return renderAddressMail(sample.recipient ?? 'Robin Sample', change, { base: `https://${host}/`, host });
  }
  if (sample.kind === 'SIGN_IN_LINK') {
    const link = { token: `${'0'.repeat(27)}${'x'.repeat(43)}`, expiresAt: new Date('2026-06-24T09:10:00Z') };
    const host = 'access.sample.example';
    return renderSignInMail(sample.recipient ?? 'Robin Sample', link, { base: `https://${host}`, host });
  }
  const { kind, count = 2, data = [{}], onBehalfId = '', name = 'Sample ledger', person: somebody = 'Pat Sample' } = sample;
  const reviewId = sample.reviewId ?? '0r';
  const document = { displayName: 'Sample review', completionDate: '2026-06-30T12:00:00Z', ...sample.review };
  const state = kind === 'CLOSED' || kind === 'REPORT_READY' || kind.startsWith('REMOVALS') ? 'CLOSED' : 'OPEN';
  const counted: Counted = {
    count,
    names: Array.from({ length: Math.min(count, 10) }, (_, at) => `${somebody}${at === 0 ? '' : ` ${at + 1}`}`),
  };
  const facts: Facts = {
    recipient: person('rob', sample.recipient ?? 'Robin Sample'),
    now,
    timeZone: 'Europe/Berlin',
    people: new Map([['max', person('max', sample.recipient ?? 'Max Sample')]]),
    reviews: new Map([
      [
        '0r',
        {
          id: '0r',
          state,
          closing: false,
          ownerIds: [],
          closeDecision: '',
          arrived: 0,
          document,
          ...sample.closed,
        } as unknown as ReviewRow,
      ],
    ]),
    open: () => count,
    undecided: () => count,
    unsigned: () => sample.unsigned ?? 0,
    asks: () => true,
    subjects: {
      nameOf: () => name,
      conflictsOf: () => counted,
      removalsOf: () => counted,
      troubleOf: (sourceId) => ({
        sourceId,
        failures: kind === 'SOURCE_FAILING' ? 4 : 0,
        error: 'The host name db.sample.example cannot be found.',
        heldReason: 'The file would take 21 of 100 grants away, which is more than 20 %.',
        staleSince: new Date('2026-06-22T09:00:00Z'),
      }),
      disputed: count,
    },
    linkTo: (path) => `https://access.sample.example${path}`,
  };
  const notices = data.map(
    (one, at): NoticeRow => ({ id: `0n${at}`, kind, subjectId: sample.subjectId ?? '0r', onBehalfId, slot: `${at}`, reviewId, data: one }),
  );
  const written = writeMail(notices, facts, 'access.sample.example');
  if (written === undefined) {
    throw new Error(`nothing is said of ${kind}`);
  }
  return written;
}

const ofApp = { subjectId: '0a', reviewId: '' };
const ofMonitor = { subjectId: '0m', reviewId: '', name: 'Pays and approves' };
const ofTemplate = { subjectId: '0t', reviewId: '', name: 'Quarterly sample' };
const ofSource = { subjectId: '0s', reviewId: '', name: 'Sample ledger: nightly' };
const dates = [{ occursAt: '2026-05-01T08:00:00Z' }, { occursAt: '2026-04-01T08:00:00Z' }];
const removal = { person: 'Sample ledger: pay, account p.sample, Pat Sample' };

/** A sample of each kind, and of what differs within one. */
const samples: Readonly<Record<string, Sample>> = {
  kickoff: {
    kind: 'KICKOFF',
    review: { reviewInstructions: 'Look *closely* at:\n\n- old access\n- [this list](https://list.sample.example)' },
  },
  'kickoff-signed': {
    kind: 'KICKOFF',
    review: {
      signatureConfig: { requireSignature: true, meaningOfSignature: 'I looked at each of these rights.', stepUpProviderId: '0p' },
    },
  },
  'reminder-signed': { kind: 'REMINDER', review: { signatureConfig: { requireSignature: true, meaningOfSignature: 'I looked.' } } },
  'reminder-unsigned': {
    kind: 'REMINDER',
    unsigned: 1,
    review: { signatureConfig: { requireSignature: true, meaningOfSignature: 'I looked.' } },
  },
  'kickoff-delegate': { kind: 'KICKOFF', onBehalfId: 'max', count: 1 },
  reminder: { kind: 'REMINDER' },
  'reminder-today': { kind: 'REMINDER', review: { completionDate: '2026-06-24T12:00:00Z' } },
  'reminder-tomorrow': { kind: 'REMINDER', count: 1, review: { completionDate: '2026-06-25T12:00:00Z' } },
  'reminder-without-date': { kind: 'REMINDER', review: { completionDate: '' } },
  overdue: { kind: 'REMINDER', count: 1, review: { completionDate: '2026-06-23T12:00:00Z' } },
  'overdue-several': { kind: 'REMINDER', review: { completionDate: '2026-06-20T12:00:00Z' } },
  'review-reminded': { kind: 'REVIEW_REMINDED' },
  'task-reminded': { kind: 'TASK_REMINDED', count: 1 },
  assigned: { kind: 'ASSIGNED' },
  'handed-over': { kind: 'HANDED_OVER' },
  escalated: { kind: 'ESCALATED' },
  closed: { kind: 'CLOSED', count: 0 },
  'closed-undecided': { kind: 'CLOSED', closed: { closeDecision: 'SKIP' } },
  'closed-of-owner': { kind: 'CLOSED', count: 1, closed: { closeDecision: 'REVOKED', ownerIds: ['rob'], arrived: 3 } },
  'closed-unsigned': { kind: 'CLOSED', unsigned: 2, closed: { closeDecision: 'SKIP' } },
  'closed-unsigned-of-owner': { kind: 'CLOSED', count: 3, unsigned: 1, closed: { closeDecision: 'REVOKED', ownerIds: ['rob'] } },
  'report-ready': { kind: 'REPORT_READY' },
  'prepare-failed': { kind: 'PREPARE_FAILED', data: [{ error: 'No access is in scope.' }] },
  'start-failed': { kind: 'START_FAILED', data: [{ error: 'The due date has passed.' }] },
  'start-held': { kind: 'START_HELD' },
  'acknowledgement-missing': { kind: 'ACKNOWLEDGEMENT_MISSING' },
  unassigned: { kind: 'UNASSIGNED' },
  'conflict-active': { kind: 'CONFLICT_ACTIVE', count: 12, ...ofMonitor },
  'conflict-active-one': { kind: 'CONFLICT_ACTIVE', count: 1, ...ofMonitor },
  'occurrence-missed': { kind: 'OCCURRENCE_MISSED', data: dates, ...ofTemplate },
  'occurrence-skipped': { kind: 'OCCURRENCE_SKIPPED', data: dates.slice(0, 1), ...ofTemplate },
  'trigger-failed': { kind: 'TRIGGER_FAILED', data: [{ error: 'line 1, column 5: there is no such key "level".' }], ...ofTemplate },
  'second-review': { kind: 'SECOND_REVIEW_ASKED', reviewId: '', name: 'Sample review' },
  'removals-to-approve': { kind: 'REMOVALS_TO_APPROVE', ...ofApp, ...removal },
  'removals-to-approve-one': { kind: 'REMOVALS_TO_APPROVE', count: 1, ...ofApp, ...removal },
  'removals-requested': { kind: 'REMOVALS_REQUESTED', ...ofApp, ...removal },
  'removals-requested-one': { kind: 'REMOVALS_REQUESTED', count: 1, ...ofApp, ...removal },
  'removals-overdue': { kind: 'REMOVALS_OVERDUE', ...ofApp, ...removal },
  'removals-overdue-of-review': { kind: 'REMOVALS_OVERDUE', count: 1, ...removal },
  'removals-reappeared': { kind: 'REMOVALS_REAPPEARED', ...ofApp, ...removal },
  'source-failing': { kind: 'SOURCE_FAILING', ...ofSource },
  'source-held': { kind: 'SOURCE_HELD', ...ofSource },
  'source-stale': { kind: 'SOURCE_STALE', ...ofSource },
  'source-recovered': { kind: 'SOURCE_RECOVERED', data: [{ failures: 4 }], ...ofSource },
  'source-credential-ends': {
    kind: 'SOURCE_CREDENTIAL_ENDS',
    data: [{ clientId: 'brave-otter-12345678@access.sample.example/ccc', endsAt: '2026-06-25T09:00:00Z' }],
    ...ofSource,
  },
  'source-credential-unused': {
    kind: 'SOURCE_CREDENTIAL_UNUSED',
    data: [{ clientId: 'brave-otter-12345678@access.sample.example/ccc' }],
    ...ofSource,
  },
  'records-disputed': { kind: 'RECORDS_DISPUTED', subjectId: '0t', reviewId: '' },
  'records-disputed-one': { kind: 'RECORDS_DISPUTED', count: 1, subjectId: '0t', reviewId: '' },
  'sign-in-link': { kind: 'SIGN_IN_LINK' },
  'address-changed': { kind: 'ADDRESS_CHANGED' },
  'removals-reappeared-of-review': { kind: 'REMOVALS_REAPPEARED', count: 1, ...removal },
};

/** Addresses that links of mails may have; the server has a page at each. */
const addresses =
  /^https:\/\/access\.sample\.example\/(reviews\/0r|templates\/0t|conflicts\/0m|revocations\?app=0a|sources\/0s|quality\/disputed|sign-in#link=0{27}x{43})?$/;

describe('the mail', () => {
  it.each(Object.entries(samples))('%s says what was approved', async (name, sample) => {
    const { subject, text, html } = mailOf(sample);
    await expect(`Subject: ${subject}\n\n${text}\n${html}`).toMatchFileSnapshot(new URL(`${name}.txt`, folder).pathname);
    expect(subject).not.toMatch(/\b1 \w+s\b|\b1 (people|are|wait)\b|\b0 /);
    expect(text).not.toMatch(/\b1 (items|removals|dates|days|people|are|wait|grants)\b|undefined|null|NaN|\bTODO\b/);
    const links = [...text.matchAll(/https:\S+/g)].map(([link]) => link).filter((link) => !link.startsWith('https://list.'));
    expect(links.length).toBeGreaterThan(0);
    expect(links.filter((link) => !addresses.test(link))).toEqual([]);
    for (const href of [...html.matchAll(/href="([^"]*)"/g)].map(([, link]) => link)) {
      expect(text).toContain(href);
    }
    // No section is empty: behind each heading there is a sentence.
    expect(text.match(/^-{3,}\n\n\S/gm)).toHaveLength((html.match(/<h2>/g) ?? []).length);
    expect(html).not.toMatch(/<(p|ul|li|h2|div[^>]*)>\s*<\/(p|ul|li|h2|div)>/);
  });

  it('has approved texts of every kind, and none of any other', () => {
    expect([...new Set(Object.values(samples).map(({ kind }) => kind))].sort()).toEqual(Object.keys(noticeKinds).sort());
    // What a sample lacks was written by the run itself, or failed above.
    expect(readdirSync(folder).filter((name) => !Object.hasOwn(samples, name.replace(/\.txt$/, '')))).toEqual([]);
  });

  it.each(Object.entries(samples))('%s shows hostile names as they are, in one line', (_name, sample) => {
    const hostile = '<b onclick="x()">Eve</b>\r\nBcc: eve@evil.example\u2028\u202e';
    const data = (sample.data ?? [{}]).map((one) => ('error' in one ? { error: `<i>${hostile}` } : one));
    const { subject, text, html } = mailOf({
      ...sample,
      data,
      name: hostile,
      person: hostile,
      recipient: hostile,
      review: { ...sample.review, displayName: hostile },
    });
    expect(html).not.toMatch(/<b |<i>/);
    for (const part of [subject, text, html]) {
      expect(part).not.toMatch(/^Bcc:/m);
      expect(part).not.toMatch(/[\u2028\u202e]/);
    }
  });
});
