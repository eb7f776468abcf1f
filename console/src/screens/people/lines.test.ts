/** Grants as lines over time: what is one line, when it begins and ends, and what is said of it now. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { PersonGrant } from '~/data/inventory/person-grants.ts';
import { timeTicks } from '~/parts/drawings/lifelines.tsx';
import { loadLanguage } from '~/text/text.ts';
import { linesOf } from './lines.ts';

const now = Date.parse('2026-11-23T10:00:00Z');
const grant = (parts: PersonGrant): PersonGrant => ({
  appId: 'a',
  appDisplayName: 'Ledger',
  appEntitlementId: 'e',
  entitlement: 'Payments Release',
  appUserId: 'u',
  grantedAt: '2024-02-01T00:00:00Z',
  ...parts,
});

beforeEach(async () => {
  vi.stubGlobal('document', { documentElement: { lang: '' } });
  await loadLanguage(['en-GB']);
});
afterEach(() => {
  vi.unstubAllGlobals();
});

describe('lines', () => {
  it('put all periods of a right into one line, those that stand before those that ended', () => {
    const { groups, first } = linesOf(
      [
        grant({ grantedAt: '2022-05-01T00:00:00Z', endedAt: '2023-01-01T00:00:00Z' }),
        grant({}),
        grant({ appEntitlementId: 'f', entitlement: 'A first', endedAt: '2025-01-01T00:00:00Z' }),
      ],
      now,
    );
    expect(groups).toHaveLength(1);
    expect(groups[0]?.lines.map(({ name, isEnded, periods }) => [name, isEnded, periods.length])).toEqual([
      ['Payments Release', false, 2],
      ['A first', true, 1],
    ]);
    expect(groups[0]?.lines[0]?.periods.map(({ tone, to }) => [tone, to])).toEqual([
      ['ended', Date.parse('2023-01-01T00:00:00Z')],
      ['held', now],
    ]);
    expect(first).toBe(Date.parse('2022-05-01T00:00:00Z'));
  });
  it('begin when the right appeared where the source does not say', () => {
    const { first } = linesOf([{ appId: 'a', appEntitlementId: 'e', appearedAt: '2025-03-04T00:00:00Z' }], now);
    expect(first).toBe(Date.parse('2025-03-04T00:00:00Z'));
  });
  it('say what the right allows where somebody wrote it down', () => {
    const { groups } = linesOf([grant({ entitlementDescription: 'Release payments to the bank' })], now);
    expect(groups[0]?.lines[0]).toMatchObject({ name: 'Release payments to the bank', hint: 'Payments Release' });
  });
  it('carry each decision as a mark', () => {
    const decisions = [
      { taskId: '1', outcome: 'CERTIFIED', decidedAt: '2025-07-14T09:00:00Z', reviewDisplayName: 'Q3' },
      { taskId: '2', outcome: 'DECERTIFIED', decidedAt: '2026-07-14T09:00:00Z', reviewDisplayName: 'Q3' },
    ];
    const { groups } = linesOf([grant({ decisions })], now);
    expect(groups[0]?.lines[0]?.marks.map(({ kind, at }) => [kind, at])).toEqual([
      ['certified', Date.parse('2025-07-14T09:00:00Z')],
      ['denied', Date.parse('2026-07-14T09:00:00Z')],
    ]);
  });
  it.each<[string, PersonGrant, string]>([
    ['a conflict stands out', { inConflict: true }, 'no'],
    ['a right long unused stands out', { lastUsedAt: '2023-01-01T00:00:00Z' }, 'warn'],
    ['a right used of late does not', { lastUsedAt: '2026-11-20T00:00:00Z' }, 'quiet'],
    ['nor one whose use is not known', {}, 'quiet'],
    ['nor one that ended', { endedAt: '2026-01-01T00:00:00Z', inConflict: true }, 'quiet'],
  ])('%s', (_, parts, tone) => {
    expect(linesOf([grant(parts)], now).groups[0]?.lines[0]?.stateTone).toBe(tone);
  });
  it('are none for nothing', () => {
    expect(linesOf([], now)).toEqual({ groups: [], first: now });
  });
});

describe('the years above the lines', () => {
  it('are the beginnings of years within a long span, and of quarters within a short one', () => {
    const years = timeTicks(Date.parse('2022-03-01T12:00:00Z'), now);
    expect(years.map(({ label }) => label)).toEqual(['2023', '2024', '2025', '2026']);
    const months = timeTicks(Date.parse('2025-11-23T12:00:00Z'), now);
    expect(months.length).toBeGreaterThanOrEqual(3);
    expect(months.length).toBeLessThanOrEqual(5);
  });
  it('are no more than have room', () => {
    expect(timeTicks(Date.parse('1990-01-02T12:00:00Z'), now).length).toBeLessThanOrEqual(10);
  });
});
