/** The public interface of the module notifications: the mails that people get, and the settings they depend on. */
import type { JobKind } from '../../jobs/index.ts';
import type { MailConfig } from '../../lib/mail-config.ts';
import type { BoundService } from '../../wire/service.ts';
import type { DeliveryKind } from '../../foundation/deliveries/index.ts';
import { addressChangesJobKind, createAddressChangesJob } from './address-mail.ts';
import { createNotifyJob } from './compose-mails.ts';
import { type MailSettings, mailDeliveryKind, openMailer } from './mailers/index.ts';
import { createProviderService, mailService, orgSettingsService, tenantSettingsService, userSettingsService } from './settings/index.ts';
import { createNoticeJobs } from './notice-jobs.ts';
import { notifyKind } from './notices/index.ts';
import { informOfRemovalTask } from './removal-jobs.ts';
import { createSubjectJobs } from './subject-jobs.ts';
import { createRecordsJob, recordsJobKind } from './record-jobs.ts';
import { remindersJob, remindersKind } from './remind.ts';
import { createSourceJob, sourceJobKind } from './source-jobs.ts';
import { createMailDelivery } from './send-mail.ts';
import { signInLinkJob, signInLinkJobKind } from './sign-in-mail.ts';

/** Work of the module with the mail of a configuration. */
export interface Notifications {
  readonly jobKinds: ReadonlyMap<string, JobKind>;
  readonly deliveryKinds: ReadonlyMap<string, DeliveryKind>;
  /** The contract's services this module offers. */
  readonly services: readonly BoundService[];
  /** Way mails leave, for the log; undefined: not at all. */
  readonly way: string | undefined;
}

const defaultPerMinute = 300;

/** The mails of an installation; what its configuration names is read now. Without a configuration they are written down and wait. */
export async function openNotifications(
  config: MailConfig | undefined,
  publicUrl: string | undefined,
  plainPort?: number,
): Promise<Notifications> {
  const mailer = config === undefined ? undefined : await openMailer(config);
  const settings = config === undefined || mailer === undefined ? undefined : { mailer, from: config.from, publicUrl, plainPort };
  return {
    jobKinds: new Map([
      ...createNoticeJobs(async () => mailer !== undefined, informOfRemovalTask),
      ...createSubjectJobs(async () => mailer !== undefined),
      [sourceJobKind, createSourceJob(async () => mailer !== undefined)],
      [recordsJobKind, createRecordsJob(async () => mailer !== undefined)],
      [remindersKind, remindersJob],
      [signInLinkJobKind, signInLinkJob],
      [addressChangesJobKind, createAddressChangesJob(async () => mailer !== undefined, config?.perMinute ?? defaultPerMinute)],
      [notifyKind, createNotifyJob(config?.perMinute ?? defaultPerMinute)],
    ]),
    deliveryKinds: settings === undefined ? new Map() : new Map([[mailDeliveryKind, createMailDelivery(settings)]]),
    services: createServices(settings),
    way: mailer?.description,
  };
}

/** The contract's services this module offers, with the way out of the installation; undefined where no mail leaves. */
export function createServices(settings: MailSettings | undefined): readonly BoundService[] {
  return [tenantSettingsService, mailService, orgSettingsService, userSettingsService, createProviderService(settings)];
}

export { countUnsureMails } from './mailers/index.ts';
export { mailReactions } from './reactions.ts';
export { countReminders } from './reads.ts';
export { emptyMailsOfReview, erasePersonMails } from './store-erase.ts';
