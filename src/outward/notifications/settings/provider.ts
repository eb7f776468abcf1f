/** Sender of the mails of a tenant. They leave by the server of the installation, which its operator configures: a tenant names no server. */
import type { JsonObject } from '@bufbuild/protobuf';
import { compareDocuments } from '../../../lib/compare-documents.ts';
import { TenantEmailProviderSchema } from '../../../gen/c1/api/settings/v1/tenant_email_provider_service_pb.js';
import { type FieldViolation, invalidField, refuseInvalid } from '../../../errors.ts';
import { inTransaction, type Context } from '../../../context.ts';
import { newId } from '../../../wire/ids.ts';
import { applyUpdate } from '../../../wire/mask.ts';
import { lockChanges, recordEvent, refuseStale } from '../../../foundation/audit/index.ts';
import { type MailSettings, buildMessage, isUsableAddress, renderMail } from '../mailers/index.ts';
import { findProvider, updateProvider } from './store-provider.ts';

const others = ['awsSes', 'googleWorkspace', 'microsoftGraph', 'sendgrid'] as const;
const longestName = 200;

/** Sender of mails, with the installation's own address where none was set. */
export interface Sender {
  readonly fromName: string;
  readonly fromAddress: string;
  readonly replyToAddress: string;
}

function textOf(document: JsonObject, member: string): string {
  const value = document[member];
  return typeof value === 'string' ? value : '';
}

/** Reads the current sender of the tenant's mails; `fallback` is the address of the installation. */
export async function readSender(context: Context, fallback: string): Promise<Sender> {
  const document = (await findProvider(context))?.document ?? {};
  return {
    fromName: textOf(document, 'fromName') || 'Countersign',
    fromAddress: textOf(document, 'fromAddress') || fallback,
    replyToAddress: textOf(document, 'replyToAddress'),
  };
}

function check(document: JsonObject): void {
  const violations: FieldViolation[] = [
    ...others
      .filter((provider) => document[provider] !== undefined)
      .map((provider) => ({
        field: `emailProvider.${provider}`,
        description:
          'cannot be set: mails leave by the server of the installation. Its operator can name the SMTP server of this provider.',
      })),
    ...['fromAddress', 'replyToAddress']
      .filter((member) => textOf(document, member) !== '' && !isUsableAddress(textOf(document, member)))
      .map((member) => ({ field: `emailProvider.${member}`, description: 'must be a mail address, or empty' })),
    ...(textOf(document, 'fromName').length > longestName
      ? [{ field: 'emailProvider.fromName', description: `must not be longer than ${longestName} characters` }]
      : []),
  ];
  refuseInvalid(violations);
}

/**
 * Sets whom mails come from; `fallback` is the address of the installation. INVALID_ARGUMENT for another provider and for what is no address, with all that
 * is wrong.
 */
export function changeProvider(context: Context, sent: JsonObject, mask: readonly string[] | undefined, fallback: string): Promise<void> {
  return inTransaction(context, async (inside) => {
    await lockChanges(inside, 'email_provider');
    const before = (await findProvider(inside))?.document ?? {};
    const document = applyUpdate(TenantEmailProviderSchema, before, sent, mask);
    check(document);
    const kept = {
      fromName: textOf(document, 'fromName'),
      fromAddress: textOf(document, 'fromAddress'),
      replyToAddress: textOf(document, 'replyToAddress'),
    };
    const { fields } = compareDocuments({ fromName: '', fromAddress: '', replyToAddress: '', ...before }, kept);
    // As it is read, with the address of the installation where none was set.
    const shown = { ...(await readSender(inside, fallback)) };
    await refuseStale(inside, {
      member: 'emailProvider',
      targetId: inside.tenantId,
      kinds: ['email_provider.updated'],
      before: shown,
      fields,
    });
    await updateProvider(inside, kept);
    await recordEvent(inside, { kind: 'email_provider.updated', targetId: inside.tenantId, data: kept });
  });
}

/** Sends a mail to somebody, and what came of it. INVALID_ARGUMENT for no address. */
export async function testProvider(
  context: Context,
  settings: MailSettings | undefined,
  address: string,
): Promise<{ success: boolean; message: string }> {
  if (!isUsableAddress(address)) {
    throw invalidField('testRecipientEmail', 'must be a mail address');
  }
  if (settings === undefined) {
    return { success: false, message: 'No mail leaves this installation: its operator has named no server (COUNTERSIGN_SMTP_URL).' };
  }
  const { fromName, fromAddress, replyToAddress } = await readSender(context, settings.from);
  const { subject, text, html } = renderMail({
    subject: 'A test of mail from Countersign',
    greeting: 'Hello,',
    sections: [{ heading: 'A test', lines: ['An administrator tests whether mail arrives. It does.'], markdown: '', link: undefined }],
    footer: ['Nothing has to be done about this mail.'],
  });
  const mail = {
    ...{ id: newId(context.now), subject, text, html, date: context.now, replyTo: replyToAddress },
    from: { name: fromName, address: fromAddress },
    to: { name: '', address },
  };
  const message = (await buildMessage(mail)) ?? Buffer.alloc(0);
  const result = await settings.mailer.send(mail, message, AbortSignal.timeout(25_000));
  const success = result.outcome === 'sent';
  await inTransaction(context, (inside) =>
    recordEvent(inside, {
      kind: 'email_provider.tested',
      targetId: inside.tenantId,
      data: { address, outcome: result.outcome, answer: result.answer },
    }),
  );
  return { success, message: result.answer };
}
