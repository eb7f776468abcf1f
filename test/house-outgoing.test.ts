/** Proves that the rule about connections to others can fail, and that it leaves alone what is right. */
import { describe, expect, it } from 'vitest';
import { connectionsPastOutgoing } from './house/outgoing.ts';

const file = (path: string, text: string) => ({ path, text });

describe('a file of the service', () => {
  it.each([
    "import * as http from 'node:http';",
    "import { isIP, connect } from 'node:net';",
    "import { lookup } from 'node:dns';",
    "import https from 'https';",
    'const answer = await fetch(url);',
    'const answer = await globalThis.fetch(url);',
    "const net = await import('node:net');",
    "import { request } from 'undici';",
  ])('%s reaches others past outgoing.ts', (text) => {
    expect(connectionsPastOutgoing([file('src/foundation/signatures/sign.ts', text)])).toHaveLength(1);
    expect(connectionsPastOutgoing([file('src/lib/outgoing.ts', text), file('src/db/pool.ts', text), file('src/x.test.ts', text)])).toEqual(
      [],
    );
  });
  it.each(["import { BlockList, isIP } from 'node:net';", "import type { Socket } from 'node:net';", 'await records.fetch(url);'])(
    '%s reaches nobody',
    (text) => {
      expect(connectionsPastOutgoing([file('src/foundation/signatures/sign.ts', text)])).toEqual([]);
    },
  );
});
