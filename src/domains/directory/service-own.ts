/** The contract's methods about what people set for themselves: each calls one rule and shapes the reply. */
import { timestampDate } from '@bufbuild/protobuf/wkt';
import {
  MyDelegationSchema,
  MyDelegationService,
  MyDelegationServiceGetResponseSchema,
  MyDelegationServiceSetResponseSchema,
  PreferenceService,
  PreferenceServiceGetResponseSchema,
  PreferenceServiceSetResponseSchema,
  PreferencesSchema,
  Theme,
} from '../../gen/countersign/v1/preferences_pb.js';
import { invalidField } from '../../errors.ts';
import type { Context } from '../../context.ts';
import { shape, timestamp } from '../../wire/reply.ts';
import { type BoundService, implement } from '../../wire/service.ts';
import { readOwnDelegation, setOwnDelegation } from './own-delegation.ts';
import { readPreferences, setPreferences } from './preferences.ts';
import type { OwnDelegationRow } from './store-delegations.ts';
import type { ThemeName } from './store-preferences.ts';

const themes: Readonly<Record<Theme, ThemeName>> = {
  [Theme.UNSPECIFIED]: 'SYSTEM',
  [Theme.SYSTEM]: 'SYSTEM',
  [Theme.LIGHT]: 'LIGHT',
  [Theme.DARK]: 'DARK',
};

async function shapePreferences(context: Context) {
  const { preferences, tenantTimeZone } = await readPreferences(context);
  const { theme, language, timeZone, letterKeys, keys, updatedAt } = preferences;
  const shaped = { theme: `THEME_${theme}` as const, language, timeZone, letterKeysOff: !letterKeys, keys: { ...keys } };
  return { preferences: shape(PreferencesSchema, { ...shaped, updatedAt: timestamp(updatedAt) }), tenantTimeZone };
}

const preferenceService = implement(PreferenceService, {
  get: async (context) => shape(PreferenceServiceGetResponseSchema, await shapePreferences(context)),
  set: async (context, { preferences }) => {
    if (preferences === undefined) {
      throw invalidField('preferences', 'must be set');
    }
    const { theme, language, timeZone, letterKeysOff, keys } = preferences;
    await setPreferences(context, { theme: themes[theme], language, timeZone, letterKeys: !letterKeysOff, keys });
    return shape(PreferenceServiceSetResponseSchema, await shapePreferences(context));
  },
});

function shapeDelegation({ startsAt, expiresAt, ...person }: OwnDelegationRow, now: Date) {
  return shape(MyDelegationSchema, {
    ...person,
    startAt: timestamp(startsAt),
    expireAt: timestamp(expiresAt),
    isActive: (startsAt === null || startsAt <= now) && (expiresAt === null || expiresAt > now),
  });
}

const myDelegationService = implement(MyDelegationService, {
  get: async (context) => {
    const { delegate, inPlaceOf } = await readOwnDelegation(context);
    return shape(MyDelegationServiceGetResponseSchema, {
      ...(delegate === undefined ? {} : { delegate: shapeDelegation(delegate, context.now) }),
      inPlaceOf: inPlaceOf.map((row) => shapeDelegation(row, context.now)),
    });
  },
  set: async (context, { delegatedUserId, delegationStartAt, delegationExpireAt }) => {
    const delegate = await setOwnDelegation(context, {
      delegatedUserId,
      startsAt: delegationStartAt === undefined ? null : timestampDate(delegationStartAt),
      expiresAt: delegationExpireAt === undefined ? null : timestampDate(delegationExpireAt),
    });
    return shape(MyDelegationServiceSetResponseSchema, delegate === undefined ? {} : { delegate: shapeDelegation(delegate, context.now) });
  },
});

/** What people set for themselves. */
export const ownServices: readonly BoundService[] = [preferenceService, myDelegationService];
