/** What written types tell of values that only a run of the program would know. */
import type { Sources } from './sources.ts';
import type { Node, Typed } from './values.ts';

/** Types that say nothing of their own: what they are about is their first argument. */
const wrappers = new Set(['Readonly', 'ReadonlyDeep', 'Partial', 'Required', 'NonNullable', 'Promise', 'Awaited']);

/** The type behind aliases and what only wraps it. */
export function resolve(sources: Sources, type: Typed | undefined, depth = 0): Typed | undefined {
  if (type === undefined || depth > 8) {
    return type;
  }
  const { node, path } = type;
  const follow = (inner: Node, at = path) => resolve(sources, { node: inner, path: at }, depth + 1);
  if (node.type === 'TSTypeAnnotation') {
    return follow(node['typeAnnotation']);
  }
  if (node.type === 'TSTypeOperator' || node.type === 'TSParenthesizedType') {
    return follow(node['typeAnnotation']);
  }
  if (node.type === 'TSTypeAliasDeclaration') {
    return follow(node['typeAnnotation']);
  }
  if (node.type === 'TSTypeReference') {
    const name: string = node['typeName'].name ?? '';
    const args: Node[] = node['typeArguments']?.params ?? [];
    if ((wrappers.has(name) || name === 'Pick' || name === 'Omit') && args[0] !== undefined) {
      return follow(args[0]);
    }
    const found = sources.type(path, name);
    return found === undefined ? type : resolve(sources, found, depth + 1);
  }
  return type;
}

function unionOf(sources: Sources, type: Typed | undefined): Typed[] {
  const resolved = resolve(sources, type);
  if (resolved === undefined) {
    return [];
  }
  return resolved.node.type === 'TSUnionType'
    ? (resolved.node['types'] as Node[]).flatMap((node) => unionOf(sources, { node, path: resolved.path }))
    : [resolved];
}

/** True if the type is, or may be, a piece of SQL. */
export function isSql(sources: Sources, type: Typed | undefined): boolean {
  return unionOf(sources, type).some(({ node }) => node.type === 'TSTypeReference' && node['typeName'].name === 'Sql');
}

/** The texts that a type lists; undefined where it is another one. */
export function literalsOf(sources: Sources, type: Typed | undefined): readonly string[] | undefined {
  const texts = unionOf(sources, type)
    .filter(({ node }) => node.type !== 'TSUndefinedKeyword' && node.type !== 'TSNullKeyword')
    .map(({ node }) => (node.type === 'TSLiteralType' ? node['literal'].value : undefined));
  return texts.length > 0 && texts.every((text) => typeof text === 'string') ? texts : undefined;
}

/** True if the type leaves it open whether there is a value. */
export function mayBeMissing(sources: Sources, type: Typed | undefined): boolean {
  return type === undefined || unionOf(sources, type).some(({ node }) => /^TS(?:Undefined|Null|Unknown|Any)Keyword$/.test(node.type));
}

/** The type of what may be left out. */
export function optional(type: Typed, isOptional: boolean): Typed {
  const missing: Node = { type: 'TSUndefinedKeyword', start: 0, end: 0 };
  return isOptional ? { ...type, node: { type: 'TSUnionType', start: 0, end: 0, types: [type.node, missing] } } : type;
}

/** The type of a member. */
export function memberOf(sources: Sources, type: Typed | undefined, name: string): Typed | undefined {
  for (const { node, path } of unionOf(sources, type)) {
    const found = memberOfOne(sources, { node, path }, name);
    if (found !== undefined) {
      return found;
    }
  }
  return undefined;
}

function memberOfOne(sources: Sources, { node, path }: Typed, name: string): Typed | undefined {
  if (node.type === 'TSIntersectionType') {
    return (node['types'] as Node[]).map((one) => memberOf(sources, { node: one, path }, name)).find((one) => one !== undefined);
  }
  const members: Node[] = node.type === 'TSTypeLiteral' ? node['members'] : node.type === 'TSInterfaceDeclaration' ? node['body'].body : [];
  const member = members.find((one) => one['key']?.name === name);
  if (member?.type === 'TSPropertySignature' && member['typeAnnotation']) {
    return optional({ node: member['typeAnnotation'], path }, member['optional']);
  }
  for (const one of (node['extends'] ?? []) as Node[]) {
    const base = sources.type(path, one['expression']?.name ?? '');
    const found = base === undefined ? undefined : memberOf(sources, base, name);
    if (found !== undefined) {
      return found;
    }
  }
  return undefined;
}

/** The type of the elements of a list. */
export function elementOf(sources: Sources, type: Typed | undefined): Typed | undefined {
  for (const { node, path } of unionOf(sources, type)) {
    if (node.type === 'TSArrayType') {
      return { node: node['elementType'], path };
    }
    if (node.type === 'TSTypeReference' && /^(?:Readonly)?(?:Array|Set)$/.test(node['typeName'].name ?? '')) {
      const [first] = node['typeArguments']?.params ?? [];
      return first === undefined ? undefined : { node: first, path };
    }
  }
  return undefined;
}
