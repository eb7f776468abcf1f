/** Steps on the way to another system, for whoever tries settings out. Noting them changes nothing of a fetch. */
import type { Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';

/** A step that worked: its name was found, its address was reached, the connection is encrypted, somebody is signed in. */
export type FetchStep = 'NAME' | 'ADDRESS' | 'TLS' | 'SIGN_IN';

/** Takes a step that worked, and what was found by it. */
export type NoteStep = (step: FetchStep, found: string) => void;

/** Notes name and address of a connection as it comes to stand. */
export function noteConnection(socket: Socket, noteStep: NoteStep | undefined): void {
  socket.once('lookup', (error: Error | null, address: string) => {
    if (error === null) {
      noteStep?.('NAME', address);
    }
  });
  socket.once('connect', () => {
    const { remoteAddress = '', remotePort = 0 } = socket;
    noteStep?.('ADDRESS', `${remoteAddress.includes(':') ? `[${remoteAddress}]` : remoteAddress}:${remotePort}`);
  });
}

/** Notes the protocol of an encrypted connection and its certificate; nothing for one that is not, or whose certificate is not trusted. */
export function noteTls(socket: Socket, noteStep: NoteStep | undefined): void {
  const { authorized, getProtocol, getPeerCertificate } = socket as Partial<TLSSocket>;
  if (noteStep === undefined || authorized !== true || getProtocol === undefined || getPeerCertificate === undefined) {
    return;
  }
  const { subject, valid_to: until } = (socket as TLSSocket).getPeerCertificate();
  const ends = Number.isNaN(Date.parse(until)) ? '' : new Date(until).toISOString().slice(0, 10);
  const parts = [(socket as TLSSocket).getProtocol() ?? '', [subject?.CN ?? []].flat().join(', '), ends];
  noteStep('TLS', parts.filter((part) => part !== '').join(', '));
}
