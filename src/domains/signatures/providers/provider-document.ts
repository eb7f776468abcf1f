/** Documents of step-up providers: their settings, and what may be wrong with them. Pure; they are the JSON of the contract's message. */
import type { JsonObject } from '@bufbuild/protobuf';
import type { FieldViolation } from '../../../errors.ts';
import { asObject, asTexts } from '../../../lib/json.ts';
import { isIssuer } from '../../sessions/index.ts';

/** Ways in which Microsoft is asked: by an authentication context, or as any other provider. */
type Validation = 'ACRS' | 'OIDC';

/** Settings of a provider whose document was checked. */
export interface StepUpSettings {
  readonly kind: 'OAUTH2' | 'MICROSOFT';
  readonly issuer: string;
  readonly clientId: string;
  /** Values of which the token has to name one, in `acr` or, of Microsoft, in `acrs`; empty: none is asked for. */
  readonly acrValues: readonly string[];
  readonly claim: 'acr' | 'acrs';
  /** Directory of Microsoft Entra that the token has to be of (`tid`); empty for any. */
  readonly directory: string;
}

const longestText = 500;
const directoryId = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const maxValues = 20;

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** The settings in a document. */
export function stepUpSettings(document: JsonObject): StepUpSettings {
  const issuer = textOf(document.issuerUrl);
  const clientId = textOf(document.clientId);
  if (document.microsoft === undefined) {
    return { kind: 'OAUTH2', issuer, clientId, acrValues: asTexts(asObject(document.oauth2).acrValues), claim: 'acr', directory: '' };
  }
  const own = asObject(document.microsoft);
  // Whoever names contexts and no way of asking means them.
  const validation: Validation = own.validationMode === 'MICROSOFT_VALIDATION_MODE_OIDC' ? 'OIDC' : 'ACRS';
  const acrValues = validation === 'ACRS' ? asTexts(own.conditionalAccessIds) : [];
  // Names of directories were kept before their ids were asked for; no token has them.
  const directory = directoryId.test(textOf(own.tenant)) ? textOf(own.tenant).toLowerCase() : '';
  return { kind: 'MICROSOFT', issuer, clientId, acrValues, claim: 'acrs', directory };
}

/** True if people may sign by it. */
export function isEnabled(document: JsonObject): boolean {
  return document.enabled !== false;
}

/** All that is wrong with a document; `at` is what its fields are named under. */
export function findProblems(document: JsonObject, at: string, allowsLocal: boolean): FieldViolation[] {
  const problems: FieldViolation[] = [];
  const add = (field: string, description: string): void => void problems.push({ field: `${at}${field}`, description });
  const isName = (value: unknown): boolean => textOf(value).trim() !== '' && textOf(value).length <= longestText;
  if (!isName(document.displayName)) {
    add('displayName', `must be a name of at most ${longestText} characters`);
  }
  if (!isName(document.clientId)) {
    add('clientId', 'must be the client id that the provider gave you');
  }
  if (textOf(document.issuerUrl).length > longestText || !isIssuer(textOf(document.issuerUrl), allowsLocal)) {
    add('issuerUrl', 'must be an https URL without query and fragment');
  }
  if (document.microsoft === undefined && document.oauth2 === undefined) {
    add('oauth2', 'is missing: say how the provider is asked, with oauth2 or microsoft');
  }
  const own = asObject(document.microsoft ?? document.oauth2);
  const field = document.microsoft === undefined ? 'oauth2.acrValues' : 'microsoft.conditionalAccessIds';
  const values = asTexts(own.acrValues ?? own.conditionalAccessIds);
  if (values.length > maxValues || values.some((value) => !/^[\x21-\x7e]{1,200}$/.test(value))) {
    add(field, `must be at most ${maxValues} values without spaces`);
  }
  if (own.validationMode === 'MICROSOFT_VALIDATION_MODE_ACRS' && values.length === 0) {
    add(field, 'must name an authentication context of Conditional Access, such as c1');
  }
  if (textOf(own.tenant) !== '' && !directoryId.test(textOf(own.tenant))) {
    add('microsoft.tenant', 'must be the ID of the directory (tenant), such as 72f988bf-86f1-41af-91ab-2d7cd011db47');
  }
  return problems;
}
