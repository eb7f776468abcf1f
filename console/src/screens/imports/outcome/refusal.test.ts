/** Reading of a refusal by the page: figures of the guard, values to explain, dates to settle. */
import { describe, expect, it } from 'vitest';
import { ClientError } from '../../../../../src/client/error.ts';
import { asksForDates, asksForMeaning, readTooMuch, readUnknown } from './refusal.ts';

const guard = (message: string) =>
  new ClientError(message, { status: 400, code: 'FAILED_PRECONDITION', violations: [{ field: 'allowRemovals', description: message }] });

describe('a refusal', () => {
  it('of a file that takes too much away has its figures', () => {
    const ofGrants =
      'Nothing was imported: the file would end 41 of the 63 grants of the app "Wiki (old)" (65 %), which is more than 20 %. If that is right, send it again with allow_removals=true.';
    expect(readTooMuch(guard(ofGrants))).toEqual({ removed: 41, total: 63, found: 65, share: 20 });
    const uneven =
      'Nothing was imported: the file would end 14 of the 32 grants of the app "A (5 %), which is more than 1 %" (43.7 %), which is more than 20 %.';
    expect(readTooMuch(guard(uneven))).toEqual({ removed: 14, total: 32, found: 43.7, share: 20 });
    const ofPeople =
      'Nothing was imported: the file would disable 30 of the 79 people of the source "people" (38 %), which is more than 5 %. If that is right, send it again with allow_removals=true.';
    expect(readTooMuch(guard(ofPeople))).toEqual({ removed: 30, total: 79, found: 38, share: 5 });
  });
  it('of a file that removes all of it has no way out where the guard says nothing of removals', () => {
    expect(readTooMuch(new ClientError('the file has no rows', { status: 400, code: 'INVALID_ARGUMENT' }))).toBeUndefined();
    expect(readTooMuch(new Error('something else'))).toBeUndefined();
  });
  it('stays a refusal of removals where its words are others', () => {
    expect(readTooMuch(guard('Too much.'))).toEqual({ removed: 0, total: 0, found: 0, share: 0 });
  });
  it('names each value once whose meaning is not known', () => {
    const said = [
      '"BAR" is none of ENABLED, DISABLED, and its meaning is not known; give it, such as "account_status:BAR=ENABLED"',
      '"BAR" is none of ENABLED, DISABLED, and its meaning is not known; give it, such as "account_status:BAR=ENABLED"',
      '"a=b" is none of USER, and its meaning is not known; give it, such as "account_type:a=b=USER"',
      'must not be empty',
    ];
    expect(readUnknown(said)).toEqual([
      { column: 'account_status', value: 'BAR' },
      { column: 'account_type', value: 'a=b' },
    ]);
  });
  it('asks for a meaning where it gives one as an example', () => {
    expect(asksForMeaning('"BAR" has no known meaning; give it, such as "account_status:BAR=ENABLED"')).toBe(true);
    expect(asksForMeaning('must not be empty')).toBe(false);
  });
  it('asks for the order of dates where it names both', () => {
    expect(asksForDates(['03/04/2026 may be both: pass dates=DMY or dates=MDY'])).toBe(true);
    expect(asksForDates(['dates=DMY was used', ''])).toBe(false);
  });
});
