/** Parts of a resource people may write, and faults in them. */
import { type FieldViolation, refuseInvalid } from '../../../errors.ts';
import { type AppResourceJson, AppResourceSchema } from '../../../gen/c1/api/app/v1/app_pb.js';
import { canonicalise } from '../../../wire/canonical.ts';

/** The members a client writes. The traits of agents and secrets are reported by sources alone, and none reports them yet. */
const writable = [
  'accessConfigId',
  'annotations',
  'customDescription',
  'description',
  'displayName',
  'matchBatonId',
  'parentAppResourceId',
  'parentAppResourceTypeId',
] as const;

/** Longest texts, in characters. */
const limits = [
  ['displayName', 1000],
  ['description', 10_000],
  ['customDescription', 10_000],
] as const;

/** The writable members of what was sent; the others are echoes of what the server says. */
export function pickWritable(sent: AppResourceJson): AppResourceJson {
  return Object.fromEntries(writable.flatMap((name) => (sent[name] === undefined ? [] : [[name, sent[name]]])));
}

/** The mask, `*` left as it is; INVALID_ARGUMENT for each path that leads where only the server writes. */
export function checkResourceMask(mask: readonly string[] | undefined): readonly string[] | undefined {
  const known = new Map(
    AppResourceSchema.fields.map((field) => [field.jsonName, (writable as readonly string[]).includes(field.jsonName)]),
  );
  const violations = [...new Set(mask)]
    .filter((path) => known.get(path.split('.')[0] ?? '') === false)
    .map((path) => ({ field: 'updateMask', description: `${JSON.stringify(path)} is set by the server alone` }));
  refuseInvalid(violations);
  return mask;
}

/** Contents of a resource: its name, and its other writable members as one document. */
export interface ResourceText {
  readonly displayName: string;
  readonly document: AppResourceJson;
}

/** Splits the members; those that are as they were before are not held to the limits, since sources have none. */
export function readResource(wanted: AppResourceJson, before: AppResourceJson, prefix: string): ResourceText {
  const content = pickWritable(canonicalise(AppResourceSchema, wanted));
  const displayName = (content.displayName ?? '').trim();
  const violations: FieldViolation[] = displayName === '' ? [{ field: `${prefix}displayName`, description: 'must not be empty' }] : [];
  for (const [name, limit] of limits) {
    const text = (content[name] ?? '').trim();
    if (text.length > limit && content[name] !== before[name]) {
      violations.push({ field: `${prefix}${name}`, description: `must not be longer than ${limit} characters` });
    }
  }
  refuseInvalid(violations);
  const { displayName: _name, ...document } = content;
  return { displayName, document };
}

/** The same as one object, which can be compared member by member. */
export function resourceJson({ displayName, document }: ResourceText): AppResourceJson {
  return { ...document, displayName };
}
