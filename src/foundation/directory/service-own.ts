/** The contract's methods about what people set for themselves: each calls one rule and shapes the reply. */
import { timestampDate } from '@bufbuild/protobuf/wkt';
import { MyDelegationService, PreferenceService, Theme } from '../../gen/countersign/v1/preferences_pb.js';
import { invalidField } from '../../errors.ts';
import type { Context } from '../../context.ts';
import { type BoundService, implement } from '../../wire/service.ts';
import { readOwnDelegation, setOwnDelegation } from './own-delegation.ts';
import { type ThemeName, readPreferences, setPreferences } from './preferences/index.ts';
import { directorySlot } from './slots.ts';
import type { OwnDelegationRow } from './store-delegations.ts';

const themes: Readonly<Record<Theme, ThemeName>> = {
  [Theme.UNSPECIFIED]: 'SYSTEM',
  [Theme.SYSTEM]: 'SYSTEM',
  [Theme.LIGHT]: 'LIGHT',
  [Theme.DARK]: 'DARK',
};

async function shapePreferences(context: Context) {
  const { preferences, tenantTimeZone } = await readPreferences(context);
  return { preferences: { ...preferences, letterKeysOff: !preferences.letterKeys }, tenantTimeZone };
}

const preferenceService = implement(PreferenceService, {
  get: async (context) => shapePreferences(context),
  set: async (context, { preferences }) => {
    if (preferences === undefined) {
      throw invalidField('preferences', 'must be set');
    }
    const { theme, language, timeZone, letterKeysOff, keys } = preferences;
    await setPreferences(context, { theme: themes[theme], language, timeZone, letterKeys: !letterKeysOff, keys });
    return shapePreferences(context);
  },
});

function shapeDelegation({ startsAt, expiresAt, ...person }: OwnDelegationRow, now: Date) {
  return {
    ...person,
    startAt: startsAt,
    expireAt: expiresAt,
    isActive: (startsAt === null || startsAt <= now) && (expiresAt === null || expiresAt > now),
  };
}

const myDelegationService = implement(MyDelegationService, {
  get: async (context) => {
    const { delegate, inPlaceOf } = await readOwnDelegation(context);
    return {
      delegate: delegate && shapeDelegation(delegate, context.now),
      inPlaceOf: inPlaceOf.map((row) => shapeDelegation(row, context.now)),
      noDelegation: await directorySlot.get().findNoDelegation(context),
    };
  },
  set: async (context, { delegatedUserId, delegationStartAt, delegationExpireAt }) => {
    const delegate = await setOwnDelegation(context, {
      delegatedUserId,
      startsAt: delegationStartAt === undefined ? null : timestampDate(delegationStartAt),
      expiresAt: delegationExpireAt === undefined ? null : timestampDate(delegationExpireAt),
    });
    return {
      delegate: delegate && shapeDelegation(delegate, context.now),
      noDelegation: await directorySlot.get().findNoDelegation(context),
    };
  },
});

/** Services of people's own settings. */
export const ownServices: readonly BoundService[] = [preferenceService, myDelegationService];
