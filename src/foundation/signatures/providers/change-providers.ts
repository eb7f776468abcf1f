/** Adding, changing and removing step-up providers. Their client secrets go in, and never come out again. */
import {
  type CreateStepUpProviderRequestJson,
  CreateStepUpProviderRequestSchema,
  type StepUpProviderJson,
  StepUpProviderSchema,
} from '../../../gen/c1/api/stepup/v1/stepup_pb.js';
import { AppError, type FieldViolation, invalidField, refuseInvalid } from '../../../errors.ts';
import { type Context, inTransaction } from '../../../context.ts';
import { compareDocuments } from '../../../lib/compare-documents.ts';
import { openText, sealText } from '../../../lib/log/seal-text.ts';
import { newId } from '../../../wire/ids.ts';
import { applyUpdate } from '../../../wire/mask.ts';
import { recordEvent, refuseStale } from '../../audit/index.ts';
import { readTenantSecret } from '../../tenants/index.ts';
import { signatureSlot } from './slots.ts';
import { findProblems, isEnabled, type ProviderDocument, stepUpSettings } from './provider-document.ts';
import { findProvider, insertProvider, lockProvider, removeProvider, type StepUpProviderRow, updateProvider } from './store-providers.ts';

const purpose = 'step-up client secret';
const maxSecretLength = 2000;

/** Returns the client secret of a provider; empty for none. */
export function openClientSecret(tenantSecret: Uint8Array, row: Pick<StepUpProviderRow, 'id' | 'clientSecret'>): string {
  return row.clientSecret === '' ? '' : (openText(tenantSecret, purpose, row.id, row.clientSecret) ?? '');
}

async function seal(context: Context, id: string, secret: string): Promise<string> {
  if (secret.length > maxSecretLength) {
    throw invalidField('clientSecret', `must not be longer than ${maxSecretLength} characters`);
  }
  return secret === '' ? '' : sealText(await readTenantSecret(context), purpose, id, secret);
}

function requireGood(violations: readonly FieldViolation[]): void {
  refuseInvalid(violations);
}

function requireRow(row: StepUpProviderRow | undefined): StepUpProviderRow {
  if (row === undefined) {
    throw new AppError('NOT_FOUND', 'There is no such step-up provider.');
  }
  return row;
}

/** Returns the provider; NOT_FOUND for none. */
export async function requireProvider(context: Context, id: string): Promise<StepUpProviderRow> {
  return requireRow(await findProvider(context, id));
}

/** Adds a provider. INVALID_ARGUMENT with all that is wrong with it. */
export function createProvider(context: Context, sent: CreateStepUpProviderRequestJson, allowsLocal: boolean): Promise<StepUpProviderRow> {
  return inTransaction(context, async (inside) => {
    const { clientSecret: secret = '', ...said }: CreateStepUpProviderRequestJson = applyUpdate(
      CreateStepUpProviderRequestSchema,
      {},
      sent,
      undefined,
    );
    const document = { ...said, enabled: true };
    requireGood(findProblems(document, '', allowsLocal));
    const id = newId(inside.now);
    const clientSecret = await seal(inside, id, secret);
    await insertProvider(inside, { id, document, clientSecret });
    const { issuer } = stepUpSettings(document);
    const data = { displayName: String(said.displayName), issuer, hasSecret: clientSecret !== '' };
    await recordEvent(inside, { kind: 'step_up_provider.created', targetId: id, data });
    return requireProvider(inside, id);
  });
}

/**
 * Changes a provider by a mask. For another issuer or client its secret is dropped: it would be sent to whoever that is. INVALID_ARGUMENT with all
 * that is wrong.
 */
export function changeProvider(
  context: Context,
  id: string,
  change: { sent: StepUpProviderJson; mask: readonly string[] | undefined },
  allowsLocal: boolean,
): Promise<StepUpProviderRow> {
  return inTransaction(context, async (inside) => {
    const row = requireRow(await lockProvider(inside, id));
    const document: ProviderDocument = applyUpdate(StepUpProviderSchema, row.document, change.sent, change.mask);
    requireGood(findProblems(document, 'stepUpProvider.', allowsLocal));
    const { fields, from, to } = compareDocuments(row.document, document);
    if (fields.length === 0) {
      return row;
    }
    await refuseStale(inside, {
      member: 'stepUpProvider',
      targetId: id,
      kinds: ['step_up_provider.updated'],
      before: row.document,
      fields,
    });
    const [before, after] = [stepUpSettings(row.document), stepUpSettings(document)];
    const keepsSecret = before.issuer === after.issuer && before.clientId === after.clientId;
    await updateProvider(inside, { id, document, clientSecret: keepsSecret ? row.clientSecret : '' });
    await recordEvent(inside, { kind: 'step_up_provider.updated', targetId: id, data: { fields, from, to, newSecret: false } });
    return requireProvider(inside, id);
  });
}

/** Returns the provider with this id; undefined where it is removed or disabled. */
export async function findEnabledProvider(context: Context, id: string): Promise<StepUpProviderRow | undefined> {
  const row = await findProvider(context, id);
  return row !== undefined && isEnabled(row.document) ? row : undefined;
}

/** Replaces the client secret; an empty one takes it away. */
export function changeProviderSecret(context: Context, id: string, secret: string): Promise<StepUpProviderRow> {
  return inTransaction(context, async (inside) => {
    const { document } = requireRow(await lockProvider(inside, id));
    await updateProvider(inside, { id, document, clientSecret: await seal(inside, id, secret) });
    const data = { fields: [], from: {}, to: {}, newSecret: true };
    await recordEvent(inside, { kind: 'step_up_provider.updated', targetId: id, data });
    return requireProvider(inside, id);
  });
}

/** Removes a provider. NOT_FOUND for none, CONFLICT while a review that is prepared or open asks for it. */
export function deleteProvider(context: Context, id: string): Promise<void> {
  return inTransaction(context, async (inside) => {
    const { document } = requireRow(await lockProvider(inside, id));
    if (await signatureSlot.get().isInUse(inside, id)) {
      throw new AppError('CONFLICT', 'A review that is prepared or open asks for signatures by this provider. Close or change it first.');
    }
    await removeProvider(inside, id);
    const data = { displayName: String(document.displayName), issuer: stepUpSettings(document).issuer };
    await recordEvent(inside, { kind: 'step_up_provider.deleted', targetId: id, data });
  });
}
