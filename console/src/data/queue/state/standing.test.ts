/** State of a task, what may be decided together, and what a right is called. */
import { describe, expect, it } from 'vitest';
import type { Draft } from '~/data/queue/drafts.ts';
import type { QueueRow } from '~/data/queue/queue-rows.ts';
import { searchWords } from '~/data/name-key.ts';
import { holderOf, isPlain, matches, nameOf, phraseOf, placeOf, reasonAlone, rightOf, standingOf } from './standing.ts';

const row = (more: Partial<QueueRow> = {}): QueueRow => ({ taskId: 't', state: 'OPEN', actions: ['APPROVE', 'DENY'], ...more });
const draft = (more: Partial<Draft> = {}): Draft => ({
  taskId: 't',
  choice: 'certify',
  comment: '',
  until: '',
  at: 1,
  amend: false,
  refused: '',
  ...more,
});
const stand = (of: QueueRow, with_?: Draft, passed?: string) => {
  const { mark, kind, isDecided } = standingOf(of, with_, 'me', passed);
  return `${mark} ${kind} ${isDecided}`;
};

describe('a task', () => {
  it('is open, or not mine to decide', () => {
    expect(stand(row())).toBe('undecided open false');
    expect(stand(row({ actions: [] }))).toBe('undecided forbidden false');
  });

  it('is as it is meant', () => {
    expect(stand(row(), draft())).toBe('certified draft true');
    expect(stand(row(), draft({ until: '2026-12-31' }))).toBe('until draft true');
    expect(stand(row(), draft({ choice: 'deny' }))).toBe('denied draft true');
    expect(stand(row(), draft({ choice: 'none' }))).toBe('undecided open false');
    expect(stand(row(), draft({ refused: 'gone' }))).toBe('undecided conflict true');
  });

  it('is as it was submitted, by me or by others', () => {
    const closed = { state: 'CLOSED', outcome: 'DECERTIFIED' };
    expect(stand(row({ ...closed, decidedByUserId: 'me' }))).toBe('denied mine true');
    expect(stand(row({ ...closed, decidedByUserId: 'farid' }))).toBe('denied others true');
    expect(stand(row({ ...closed, decidedByUserId: 'farid' }), draft())).toBe('denied conflict true');
    expect(stand(row({ ...closed, decidedByUserId: 'me' }), draft({ amend: true }))).toBe('certified draft true');
    expect(stand(row({ state: 'CLOSED', outcome: 'CANCELLED' }))).toBe('gone gone true');
  });

  it('went to somebody else', () => {
    expect(stand(row(), undefined, 'Farid')).toBe('reassigned reassigned true');
  });

  it('is decided by itself where it breaks a rule, and is not plain where it is risky', () => {
    expect(reasonAlone(row({ terms: ['CONFLICT'] }))).toBe('conflict');
    expect(reasonAlone(row({ actions: [] }))).toBe('forbidden');
    expect(['RISK', 'LEAVER', 'ORPHAN', 'NEW'].map((term) => isPlain(row({ terms: [term] })))).toEqual([false, false, false, true]);
  });
});

describe('a right', () => {
  it('is named by resource and entitlement, neither of them twice', () => {
    expect(nameOf(row({ resource: 'Payments', entitlement: 'Payments Release' }))).toBe('Payments · Release');
    expect(nameOf(row({ resource: 'Payments', entitlement: 'Release' }))).toBe('Payments · Release');
    expect(nameOf(row({ resource: 'Payments', entitlement: 'Payments' }))).toBe('Payments');
    expect(placeOf(row({ resource: 'Payments', entitlement: 'Release', entitlementDescription: 'Pays.' }))).toBe('Payments · Release');
  });

  it('has a name to be seen, and so has who holds it', () => {
    expect([holderOf(row({ person: '\u3164' })), rightOf(row({ entitlement: '\u200b' }))]).toEqual(['U+3164', 'U+200B']);
  });

  it('does not repeat the app, and nothing beneath that stands above', () => {
    const imported = row({ appDisplayName: 'Salesforce', resource: 'Salesforce', entitlement: 'API Enabled' });
    expect([rightOf(imported), nameOf(imported), placeOf(imported)]).toEqual(['API Enabled', 'API Enabled', '']);
    const stored = row({ appDisplayName: 'Salesforce', resource: 'Salesforce', entitlement: 'Salesforce API Enabled' });
    expect([rightOf(stored), nameOf(stored), placeOf(stored)]).toEqual(['API Enabled', 'API Enabled', '']);
    expect(placeOf(row({ resource: 'Payments', entitlement: 'Release' }))).toBe('');
  });

  it('is spoken where its description is short', () => {
    const phrase = (entitlementDescription: string) => phraseOf(row({ entitlementDescription }));
    expect(phrase('Release payments to the bank.')).toBe('release payments to the bank');
    expect(phrase('SAP administration')).toBe('SAP administration');
    expect(phrase('')).toBeUndefined();
    expect(phrase('Sends payments. Nobody looks again.')).toBeUndefined();
    expect(phrase('x'.repeat(200))).toBeUndefined();
  });

  it('is found by every word of the filter', () => {
    const jonas = row({ person: 'Jonas Sample', entitlement: 'Release', resource: 'Payments' });
    expect([matches(jonas, []), matches(jonas, ['jonas', 'pay']), matches(jonas, ['jonas', 'mail'])]).toEqual([true, true, false]);
  });

  it.each([
    ['Österle', 'osterle'],
    ['Osterle', 'ÖSTERLE'],
    ['Zoe\u0308 Sample', 'zoë'],
    ['Zoë Sample', 'zoe sam'],
    ['Jonas Groß', 'GROSS'],
    ['Işık', 'ISIK'],
  ])('%s is found by %s, as the server finds it', (person, query) => {
    expect(matches(row({ person }), searchWords(query))).toBe(true);
  });
});
