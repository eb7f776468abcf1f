// Writes docs/authority.md: who may do what, from the contract and from the module authority. A test holds the page to them.
// `npm run generate` runs it, on the Node that runs our sources as they are.
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { getOption } from '@bufbuild/protobuf';
import { root } from './steps.js';

/** The page. */
export const authorityPage = join(root, 'docs', 'authority.md');

/** Verb and path of a route. */
const requestOf = ({ pattern }) => `${pattern.case?.toUpperCase()} ${pattern.value}`;

/** The operations of the contract with what each says of who may. */
export async function listAuthorities() {
  const generated = join(root, 'src', 'gen');
  const load = (name) => import(pathToFileURL(join(generated, name)).href);
  const { comments } = await load('comments.js');
  const { http } = await load('google/api/annotations_pb.js');
  const { Act, act, fresh_sign_in, Object$, object$, permission } = await load('countersign/options_pb.js');
  const names = readdirSync(generated, { recursive: true }).filter((name) => name.endsWith('_pb.js'));
  const modules = await Promise.all(names.map(load));
  // Services without a route are gRPC of connectors, and no operations.
  const hasRoute = (method) => getOption(method, http).pattern.case !== undefined;
  const services = modules.flatMap((module) => Object.values(module)).filter((value) => value?.kind === 'service');
  return services.flatMap((service) =>
    service.methods.filter(hasRoute).map((method) => ({
      name: `${service.name}.${method.localName}`,
      // The first sentence of its comment, as in the OpenAPI document.
      title: comments[`${service.typeName}.${method.name}`]?.replace(/\.(?: .*)?$/s, '') ?? '',
      request: requestOf(getOption(method, http)),
      permission: getOption(method, permission),
      act: Act[getOption(method, act)],
      object: Object$[getOption(method, object$)],
      needsFreshSignIn: getOption(method, fresh_sign_in),
    })),
  );
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const { renderAuthority } = await import('../src/foundation/authority/matrix.ts');
  writeFileSync(authorityPage, renderAuthority(await listAuthorities()));
}
