/**
 * Choosing what the reviews of a template look at, entitlement by entitlement and resource type by resource type. Both lists are replaced whole, and
 * each review gets a copy when it is made; ids are stored as sent and checked at its preview and prepare.
 */
import { isDeepStrictEqual } from 'node:util';
import { type Context, inTransaction } from '../../../context.ts';
import { recordEvent } from '../../../foundation/audit/index.ts';
import { findDefaultPolicy } from '../../policies/index.ts';
import {
  type ChosenEntitlement,
  type ChosenResourceType,
  isShorter,
  listEntitlementViolations,
  listEntryViolations,
  listResourceTypeViolations,
  listWiderInTemplate,
  listWiderLists,
  maxListLength,
  refuseViolations,
  refuseWider,
  type ScopeLists,
} from '../../reviews/index.ts';
import { listScopeEntries, type Replaced, type ScopeEntry, type SetupEntitlementRow, updateScopeEntries } from '../../snapshots/index.ts';
import { templateDocument } from './document.ts';
import type { TemplateSettings } from './members.ts';
import { requireLockedTemplate, requireTemplate } from './permit.ts';
import { type TemplateRow, updateTemplate } from './store.ts';
import {
  listChosenEntitlements,
  listChosenResourceTypes,
  listEntitlements,
  updateEntitlements,
  updateResourceTypes,
} from './store-setup.ts';
import { listViolations } from './validate-template.ts';

/** Choices made, with the scope beside them. */
export interface TemplateSetup {
  readonly template: TemplateRow;
  readonly list: SetupEntitlementRow[];
}

async function listSetup(
  context: Context,
  { id, document }: TemplateRow,
  after: readonly [string, string],
  limit: number,
): Promise<SetupEntitlementRow[]> {
  const policyId = document.policyId || (await findDefaultPolicy(context)).id;
  return listEntitlements(context, id, { policyId, usePolicyOverride: document.usePolicyOverride === true }, after, limit);
}

/** The template and its chosen entitlements after these ids, up to `limit`; the whole list where no limit is given. */
export async function readSetup(
  context: Context,
  templateId: string,
  after: readonly [string, string],
  limit = maxListLength,
): Promise<TemplateSetup> {
  const template = await requireTemplate(context, templateId, 'read');
  return { template, list: await listSetup(context, template, after, limit) };
}

/** Replaces a list and the scope beside it in one change, with its event. */
async function replaceSetup(
  context: Context,
  templateId: string,
  scope: TemplateSettings['scope'],
  replace: () => Promise<Replaced>,
  what: string,
): Promise<TemplateRow> {
  const template = await requireLockedTemplate(context, templateId);
  const document = scope === undefined ? template.document : templateDocument({ ...template.document, scope });
  refuseViolations(listViolations(document, '').filter(({ field }) => field === 'scope' || field.startsWith('scope.')));
  refuseWider(context.actor, listWiderInTemplate(template.document, document));
  const replaced = await replace();
  const scopeChanged = !isDeepStrictEqual(document.scope, template.document.scope);
  if (replaced.added + replaced.removed === 0 && !scopeChanged) {
    return template;
  }
  await updateTemplate(context, templateId, { document });
  await recordEvent(context, {
    kind: 'template.scope_changed',
    targetId: templateId,
    data: { what, ...replaced, ...(scopeChanged ? { scope: document.scope ?? null } : {}) },
  });
  return { ...template, document, updatedAt: context.now };
}

/** Makes these the chosen entitlements of a template, and `scope` its scope where it is given; returns both. */
export function setEntitlements(
  context: Context,
  templateId: string,
  chosen: readonly ChosenEntitlement[],
  scope: TemplateSettings['scope'],
): Promise<TemplateSetup> {
  return inTransaction(context, async (inside) => {
    const violations = listEntitlementViolations(chosen);
    const replace = async () => {
      refuseViolations(violations);
      refuseWider(inside.actor, isShorter(await listChosenEntitlements(inside, templateId), chosen) ? [] : ['entitlements']);
      return updateEntitlements(inside, templateId, chosen);
    };
    const template = await replaceSetup(inside, templateId, scope, replace, 'entitlements');
    return { template, list: await listSetup(inside, template, ['', ''], maxListLength) };
  });
}

/** Makes these the chosen resource types of a template, and `scope` its scope where it is given. */
export async function setResourceTypes(
  context: Context,
  templateId: string,
  chosen: readonly ChosenResourceType[],
  scope: TemplateSettings['scope'],
): Promise<void> {
  const violations = listResourceTypeViolations(chosen);
  await inTransaction(context, (inside) => {
    const replace = async () => {
      refuseViolations(violations);
      refuseWider(inside.actor, isShorter(await listChosenResourceTypes(inside, templateId), chosen) ? [] : ['resourceTypeSelections']);
      return updateResourceTypes(inside, templateId, chosen);
    };
    return replaceSetup(inside, templateId, scope, replace, 'resourceTypes');
  });
}

/** The lists behind markers of a template's scope, if the caller may read it. */
export async function readScopeLists(context: Context, templateId: string): Promise<ScopeLists> {
  await requireTemplate(context, templateId, 'read');
  return listAll(context, templateId);
}

async function listAll(context: Context, templateId: string): Promise<ScopeLists> {
  return { entries: await listScopeEntries(context, templateId), resourceTypes: await listChosenResourceTypes(context, templateId) };
}

/** Makes these the lists of a template and returns them. INVALID_ARGUMENT with everything that is wrong with their form. */
export function setScopeLists(context: Context, templateId: string, entries: readonly ScopeEntry[]): Promise<ScopeLists> {
  return inTransaction(context, async (inside) => {
    const replace = async () => {
      refuseViolations(listEntryViolations(entries));
      refuseWider(inside.actor, listWiderLists(await listScopeEntries(inside, templateId), entries));
      return updateScopeEntries(inside, templateId, entries);
    };
    await replaceSetup(inside, templateId, undefined, replace, 'scopeLists');
    return listAll(inside, templateId);
  });
}
