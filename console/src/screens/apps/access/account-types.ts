/** The kinds of accounts as the service has them. */
import type { AccountKind } from '~/screens/apps/tabs.ts';

export const accountTypes = {
  user: 'APP_USER_TYPE_USER',
  service: 'APP_USER_TYPE_SERVICE_ACCOUNT',
  system: 'APP_USER_TYPE_SYSTEM_ACCOUNT',
} as const satisfies Record<AccountKind, string>;
