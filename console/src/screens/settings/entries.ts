/** The pages of the settings, in order, each with the permission that shows it. */
import type { PagePath } from '~/app/navigation.ts';
import type { PlainTextKey } from '~/text/text.ts';

export interface SettingsEntry {
  readonly label: PlainTextKey;
  readonly to: PagePath;
  readonly needs?: string;
}

/** Everybody's pages. */
export const ownEntries: readonly SettingsEntry[] = [
  { label: 'settings.profile', to: '/settings/profile' },
  { label: 'settings.sessions', to: '/settings/sessions', needs: 'credentials.own' },
  { label: 'settings.credentials', to: '/settings/credentials', needs: 'credentials.own' },
  { label: 'settings.mails', to: '/settings/mails' },
  { label: 'settings.display', to: '/settings/display' },
];

/** Pages of the company. */
export const tenantEntries: readonly SettingsEntry[] = [
  { label: 'settings.nameAndZone', to: '/settings/tenant/company', needs: 'settings.read' },
  { label: 'settings.providers', to: '/settings/tenant/providers', needs: 'settings.read' },
  { label: 'settings.stepUp', to: '/settings/step-up', needs: 'settings.read' },
  { label: 'settings.roles', to: '/settings/tenant/roles', needs: 'roles.read' },
  { label: 'settings.allCredentials', to: '/settings/tenant/credentials', needs: 'credentials.read' },
  { label: 'settings.principals', to: '/settings/tenant/principals', needs: 'principals.read' },
  { label: 'settings.signedIn', to: '/settings/tenant/signed-in', needs: 'credentials.read' },
  { label: 'settings.networks', to: '/settings/tenant/sessions', needs: 'settings.read' },
  { label: 'settings.notifications', to: '/settings/tenant/notifications', needs: 'settings.read' },
  { label: 'settings.retention', to: '/settings/tenant/retention', needs: 'settings.read' },
];
