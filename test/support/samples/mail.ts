/** Sample requests of the operations about mail, and about what mails depend on. */
import { newId } from '../../../src/wire/ids.ts';
import type { World } from '../world.ts';
import type { MakeSample } from './sample.ts';

/** Mails about the open review, as the jobs write them; returns the id of the last. */
async function makeMails(world: World, count: number): Promise<string> {
  const { db, tenantId, now } = world.tenant.system();
  let id = '';
  for (let n = 0; n < count; n++) {
    id = newId(now);
    await db.run(
      "INSERT INTO mails (tenant_id, id, person_id, subject, state, created_at, updated_at) VALUES ($1, $2, $3, 'World', 'SENT', $4, $4)",
      [tenantId, id, world.userId, now],
    );
    await db.run(
      `INSERT INTO mail_outbox (tenant_id, id, kind, subject_id, person_id, slot, review_id, due_at, mail_id, created_at)
       VALUES ($1, $2, 'REMINDER', $3, $4, $2, $3, $5, $6, $5)`,
      [tenantId, newId(now), world.openId, world.userId, now, id],
    );
  }
  return id;
}

/** By the name of the operation. */
export const samples: Readonly<Record<string, MakeSample>> = {
  'MailService.list': async (world) => {
    await makeMails(world, 12);
    return {};
  },
  'MailService.get': async (world) => ({ path: { id: await makeMails(world, 1) } }),
  'MailService.listNotices': async (world) => {
    await makeMails(world, 12);
    return { path: { access_review_id: world.openId } };
  },
  'OrgNotificationSettingsService.get': () => ({}),
  'OrgNotificationSettingsService.update': () => ({ fields: { channelSettings: { email: { enabled: true } } } }),
  'UserNotificationSettingsService.get': () => ({}),
  'UserNotificationSettingsService.update': () => ({ fields: { channelSettings: { email: { enabled: true } } } }),
  'TenantEmailProviderService.get': () => ({}),
  'TenantEmailProviderService.getEmailCapabilities': () => ({}),
  'TenantEmailProviderService.searchAuditEvents': async (world) => {
    await makeMails(world, 12);
    return {};
  },
  // The server of these tests sends no mail.
  'TenantEmailProviderService.test': () => ({ fields: { testRecipientEmail: 'world@world.example' } }),
  'TenantEmailProviderService.update': () => ({ fields: { emailProvider: { fromName: 'World' } } }),
  'TenantSettingsService.get': () => ({}),
  'TenantSettingsService.update': () => ({ fields: { settings: { timeZone: 'Europe/Berlin' } } }),
};
