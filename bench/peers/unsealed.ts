/**
 * Loaded before the server (`--import`): the same program without codes of events and without a sealer, which it is measured beside. What it changes is
 * looked for word by word, so that a change of those files is noticed here.
 */
import { registerHooks } from 'node:module';

/** By the end of a module's address: what stands there, and what is run in its place. */
const changes: Readonly<Record<string, readonly (readonly [from: RegExp, to: string])[]>> = {
  '/src/foundation/audit/record-event.ts': [
    [/const content = commitmentOfText\([^;]*;\s*const mac = eventMac\([^;]*;/, 'const mac = Buffer.alloc(32);'],
  ],
  '/src/foundation/audit/sealer.ts': [[/working \?\?= stopping \? undefined : work\(\);/, 'working ??= Promise.resolve();']],
};

registerHooks({
  load(url, context, nextLoad) {
    const loaded = nextLoad(url, context);
    const [, wanted = []] = Object.entries(changes).find(([end]) => url.endsWith(end)) ?? [];
    let source = wanted.length === 0 ? loaded.source : String(loaded.source);
    for (const [from, to] of wanted) {
      if (!from.test(String(source))) {
        throw new Error(`${url} is no longer what the bench takes apart: ${from.source}`);
      }
      source = String(source).replace(from, to);
    }
    return { ...loaded, source };
  },
});
