/** Tables of commands: what they send of what was typed, and what they print of the answer. The server is a function of a few lines. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Command } from 'commander';
import { PassThrough, Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { ConflictAlertService } from '../../gen/countersign/v1/conflicts_pb.js';
import { DeliveryService } from '../../gen/countersign/v1/deliveries_pb.js';
import { RevocationService } from '../../gen/countersign/v1/revocations_pb.js';
import { Commands, formatFacts, formatRows } from './commands.ts';
import type { CommandIo } from './io.ts';

interface Ran {
  readonly asked: readonly string[];
  readonly printed: string;
}

const jwk = {
  kty: 'OKP',
  crv: 'Ed25519',
  x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo',
  d: 'nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A',
};
const secret = `secret-token:test:v1:${Buffer.from(JSON.stringify(jwk)).toString('base64url')}`;

/** Runs a command that `add` describes against a server that gives `answer`. */
async function run(add: (group: Commands) => void, typed: readonly string[], answer: unknown): Promise<Ran> {
  const asked: string[] = [];
  const server = createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray()).toString();
    if (request.url === '/auth/v1/token') {
      response.end(JSON.stringify({ access_token: 't', token_type: 'Bearer', expires_in: 3600 }));
      return;
    }
    asked.push([request.method, request.url, body].filter(Boolean).join(' '));
    response.setHeader('content-type', 'application/json').end(JSON.stringify(answer));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const stdout = new PassThrough();
  const env = {
    COUNTERSIGN_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    COUNTERSIGN_CLIENT_ID: 'calm-otter-1@example.com/pcc',
    COUNTERSIGN_CLIENT_SECRET: secret,
  };
  const io: CommandIo = { env, stdin: Readable.from([]), stdout, stderr: new PassThrough(), signal: new AbortController().signal };
  const program = new Command().exitOverride();
  try {
    add(new Commands(program, io));
    await program.parseAsync(typed, { from: 'user' });
  } finally {
    server.closeAllConnections();
    server.close();
  }
  return { asked, printed: String(stdout.read() ?? '') };
}

describe('call', () => {
  const add = (group: Commands): void =>
    group.call('exempt', {
      description: 'accept an alert',
      operands: { '<alert>': 'id of the alert' },
      options: { '--reason <text>': { text: 'why', needed: true }, '--until <time>': 'when that ends', '--csv': 'no field of the request' },
      method: ConflictAlertService.method.exempt,
      text: ({ principalDisplayName = '' }, { alert }) => `${alert} of ${principalDisplayName}`,
    });
  const answer = { conflictAlert: { id: 'a1', principalDisplayName: 'Ann' } };

  it('fills the path with the operand and the fields with the options of their names; a time is sent in UTC', async () => {
    const { asked, printed } = await run(
      add,
      ['exempt', 'a1', '--reason', 'known', '--until', '2030-01-31T09:00:00+01:00', '--csv'],
      answer,
    );
    expect(asked).toEqual(['POST /api/v1/conflict_alerts/a1/action/exempt {"reason":"known","until":"2030-01-31T08:00:00.000Z"}']);
    expect(printed).toBe('a1 of Ann\n');
  });
  it('prints the one record of a reply with --json', async () => {
    const { printed } = await run(
      (group) =>
        group.call('show', {
          description: 'show',
          operands: { '<id>': 'id' },
          options: { '--json': 'print JSON' },
          shared: (command) => command,
          method: DeliveryService.method.get,
          text: () => 'text',
        }),
      ['show', 'd1', '--json'],
      { delivery: { id: 'd1' } },
    );
    expect(JSON.parse(printed)).toEqual({ id: 'd1' });
  });
  it('refuses what is no time before anything is sent', async () => {
    await expect(run(add, ['exempt', 'a1', '--reason', 'x', '--until', 'soon'], answer)).rejects.toThrow('--until must be a time');
  });
});

describe('list', () => {
  const add = (group: Commands): void =>
    group.list('list', {
      description: 'list',
      options: {
        '--state <state...>': { text: 'states', choices: ['still_present', 'held'], field: 'states' },
        '--limit <number>': { text: 'so many', fallback: '2' },
      },
      method: RevocationService.method.list,
      columns: { ID: 'id', STATE: { lower: 'state' }, DUE: ['dueAt', 'never'], LATE: 'isOverdue', ACCESS: ({ account }) => account },
    });
  const list = [
    { id: 'r1', state: 'REVOCATION_STATE_HELD', account: 'ann' },
    { id: 'r2', state: 'REVOCATION_STATE_CLAIMED', isOverdue: true, dueAt: '2030' },
    { id: 'r3' },
  ];

  it('sends whole names of enums, and makes cells of the fields as the contract describes them', async () => {
    const { asked, printed } = await run(add, ['list', '--state', 'still_present', 'held'], { list });
    expect(asked.join()).toMatch(/REVOCATION_STATE_STILL_PRESENT.*REVOCATION_STATE_HELD/);
    expect(printed.split('\n').map((line) => line.split(/ {2,}/))).toEqual([
      ['ID', 'STATE', 'DUE', 'LATE', 'ACCESS'],
      ['r1', 'held', 'never', 'no', 'ann'],
      ['r2', 'claimed', '2030', 'yes'],
      [''],
    ]);
  });
  it('says that there is none, and wants a limit that is a number', async () => {
    expect((await run(add, ['list'], { list: [] })).printed).toBe('None.\n');
    await expect(run(add, ['list', '--limit', 'few'], { list })).rejects.toThrow('--limit must be a whole number from 1 on');
  });
});

describe('facts', () => {
  it('are aligned, and left out where they have no value', () => {
    expect(formatFacts({ id: '1', 'last seen': undefined, name: 'Ann' })).toEqual(['id         1', 'name       Ann']);
  });

  it('and tables show what nobody sees in a name', () => {
    expect(formatFacts({ name: 'A\u200bnn' })).toEqual(['name  AU+200Bnn']);
    expect(formatRows(['NAME', 'ID'], [['A\u200bnn', '1']])).toBe('NAME       ID\nAU+200Bnn  1');
  });
});
