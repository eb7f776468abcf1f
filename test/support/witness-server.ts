/** A witness behind HTTP (C2SP tlog-witness), which remembers what it saw and holds each checkpoint against that, with code of its own where it judges. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { verifyConsistency } from '../../src/lib/log/merkle-proof.ts';
import { createWitness } from './witness.ts';

/** The witness, and what tests change of it. */
export interface WitnessService {
  readonly url: string;
  readonly vkey: string;
  /** Leaves of the checkpoint it saw last. */
  seen: number;
  /** The status it answers everything with; 0: it works. */
  status: number;
  /** True if it signs something else than what it was asked for. */
  lies: boolean;
  close(): Promise<void>;
}

/** Starts one on a free port. */
export async function startWitness(): Promise<WitnessService> {
  const { key, cosign } = createWitness('witness.example.com/w1', 7);
  let root = Buffer.alloc(0);
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      const { status, answer } = judge(request.url ?? '', body);
      response.writeHead(status, { 'content-type': status === 409 ? 'text/x.tlog.size' : 'text/plain' }).end(answer);
    });
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const service: WitnessService = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/w`,
    vkey: key.vkey,
    seen: 0,
    status: 0,
    lies: false,
    close: () => new Promise((closed) => server.close(() => closed())),
  };
  return service;

  function judge(path: string, body: string): { readonly status: number; readonly answer: string } {
    if (service.status !== 0) {
      return { status: service.status, answer: '<html>' };
    }
    const [head = '', ...rest] = body.split('\n');
    const end = rest.indexOf('');
    const note = rest.slice(end + 1).join('\n');
    const lines = note.slice(0, note.lastIndexOf('\n\n') + 1);
    const [, size = '', encoded = ''] = lines.split('\n');
    const old = Number(/^old (\d+)$/.exec(head)?.[1]);
    if (path !== '/w/add-checkpoint' || !Number.isSafeInteger(old)) {
      return { status: 404, answer: '' };
    }
    if (old !== service.seen) {
      return { status: 409, answer: `${service.seen}\n` };
    }
    const next = Buffer.from(encoded, 'base64');
    const proof = rest.slice(0, end).map((line) => Buffer.from(line, 'base64'));
    if (old > 0 && !verifyConsistency(old, Number(size), root, next, proof)) {
      return { status: 422, answer: '' };
    }
    root = next;
    service.seen = Number(size);
    return { status: 200, answer: cosign(service.lies ? `${lines}x` : lines, Math.floor(Date.now() / 1000)) };
  }
}
