/** The public interface of the part settings: mails as a tenant and a person set them. */
export { readSender } from './provider.ts';
export { mailService } from './service-mail.ts';
export { createProviderService } from './service-provider.ts';
export { orgSettingsService, userSettingsService } from './service-settings.ts';
export { tenantSettingsService } from './service-tenant-settings.ts';
export { readWishes } from './settings.ts';
