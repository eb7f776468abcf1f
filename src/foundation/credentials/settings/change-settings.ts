/**
 * Reading and changing the session settings of a tenant, and trying an address against a list of blocks. Whoever changes them cannot lock
 * themselves out with it.
 */
import { isIP } from 'node:net';
import { type SessionSettingsJson, SessionSettingsSchema } from '../../../gen/c1/api/settings/v1/settings_pb.js';
import { type FieldViolation, invalidField, refuseInvalid } from '../../../errors.ts';
import { compareDocuments } from '../../../lib/compare-documents.ts';
import { unmapAddress } from '../../../lib/ip-groups.ts';
import { inTransaction, type Context } from '../../../context.ts';
import { applyUpdate } from '../../../wire/mask.ts';
import { recordEvent, refuseStale } from '../../audit/index.ts';
import { isBySession } from '../../authority/index.ts';
import { isAdministrator } from '../../directory/index.ts';
import { compileCidrs, findCidrProblems } from '../record/index.ts';
import {
  sourceBlocks,
  compileSource,
  maxSessionSeconds,
  maxTokenSeconds,
  minSessionSeconds,
  sourceOf,
  sources,
} from './session-settings.ts';
import { findHolder, findSettings, lockSettings, updateSettings } from './store-settings.ts';

/** The settings as they were set; members that never were are absent. */
export function getSettings(context: Context): Promise<SessionSettingsJson> {
  return findSettings(context);
}

function checkDocument(document: SessionSettingsJson): void {
  const violations: FieldViolation[] = [];
  for (const source of sources) {
    const { sourceCidr = [] } = document[source] ?? {};
    const field = `sessionSettings.${source}.sourceCidr`;
    violations.push(...findCidrProblems(field, sourceCidr));
    if (sourceBlocks(document, source)?.length === 0) {
      violations.push({
        field,
        description: 'must name at least one block if the restriction is enabled; without one, every address would be refused',
      });
    }
  }
  const seconds = maxTokenSeconds(document);
  if (document.maxSessionLength !== undefined && !(seconds >= minSessionSeconds && seconds <= maxSessionSeconds)) {
    violations.push({
      field: 'sessionSettings.maxSessionLength',
      description: `must be ${minSessionSeconds}s to ${maxSessionSeconds}s (5 minutes to 30 days); leave it out to use the server's setting`,
    });
  }
  if ((document.clientIdApprovalRequestPolicyId ?? '').length > 64) {
    violations.push({ field: 'sessionSettings.clientIdApprovalRequestPolicyId', description: 'must not be longer than 64 characters' });
  }
  refuseInvalid(violations);
}

/** INVALID_ARGUMENT where the caller's next request from where they are would be refused. */
async function refuseLockout(context: Context, document: SessionSettingsJson): Promise<void> {
  const { credentialId, sourceIp } = context.actor;
  const isSession = isBySession(context.actor);
  const holder = credentialId === '' || isSession ? undefined : await findHolder(context, credentialId);
  if (holder === undefined && !isSession) {
    return;
  }
  // Whoever changes settings in a browser is an administrator.
  const source = holder === undefined ? 'ssoAdminSource' : sourceOf(holder.kind, isAdministrator(holder.roleIds));
  if (!compileSource(document, source)(sourceIp)) {
    throw invalidField(
      `sessionSettings.${source}`,
      `would block your own address ${unmapAddress(sourceIp)}: none of its blocks holds it. Add one that does, or make the change from an allowed address.`,
    );
  }
}

/**
 * Changes the members the mask names, or those that were sent where there is none, and returns the settings. They act within 5 s in every
 * process. INVALID_ARGUMENT for blocks that cannot be read, a length out of bounds, and what would lock the caller out.
 */
export function changeSettings(
  context: Context,
  sent: SessionSettingsJson,
  mask: readonly string[] | undefined,
): Promise<SessionSettingsJson> {
  return inTransaction(context, async (inside) => {
    const before = await lockSettings(inside);
    const after = applyUpdate(SessionSettingsSchema, before, sent, mask);
    checkDocument(after);
    const { fields, from, to } = compareDocuments(before, after);
    if (fields.length === 0) {
      return before;
    }
    await refuseStale(inside, {
      member: 'sessionSettings',
      targetId: inside.tenantId,
      kinds: ['session_settings.updated'],
      before,
      fields,
    });
    await refuseLockout(inside, after);
    await updateSettings(inside, after);
    await recordEvent(inside, {
      kind: 'session_settings.updated',
      targetId: inside.tenantId,
      data: { fields, from, to },
    });
    return after;
  });
}

/** Tests an address (the caller's where none is given) against a list of blocks; an empty list lets everybody pass. */
export function testSource(context: Context, blocks: readonly string[], sourceIp: string): { allowed: boolean; checkedIp: string } {
  const given = sourceIp.trim() === '' ? context.actor.sourceIp : sourceIp.trim();
  const violations = findCidrProblems('allowCidr', blocks);
  if (isIP(unmapAddress(given)) === 0) {
    violations.push({ field: 'sourceIp', description: 'must be an IPv4 or IPv6 address' });
  }
  refuseInvalid(violations);
  return { allowed: compileCidrs(blocks)(given), checkedIp: unmapAddress(given) };
}
