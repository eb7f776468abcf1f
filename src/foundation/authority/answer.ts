/**
 * Right to decide, attest, confirm, acknowledge or answer: people, through what they sign in with themselves. What somebody else issued to them
 * answers as the tenant allows. Pure; what the tenant allows is asked by the stores that know who acts.
 */
import type { Actor } from '../../context.ts';
import { AppError } from '../../errors.ts';

const noProgram = 'Only people decide, attest, confirm, acknowledge and answer: a service principal, and what it issued, cannot.';
const notIssued =
  'Somebody else issued what you act through, and this tenant lets that not answer: sign in yourself, with your identity provider or a link by mail. A Super Administrator can change it in the settings (issuedAnswers).';

/** Returns the reason this actor may answer nothing; undefined where they may. The system answers as policies say. */
export function refuseAnswer(actor: Actor): string | undefined {
  switch (actor.kind) {
    case 'session':
    case 'credential':
    case 'system':
      return undefined;
    case 'issued_session':
    case 'issued_credential':
      return actor.issuedMayAnswer === true ? undefined : notIssued;
    default:
      return noProgram;
  }
}

/** PERMISSION_DENIED for an actor who may answer nothing. */
export function requireAnswer(actor: Actor): void {
  const message = refuseAnswer(actor);
  if (message !== undefined) {
    throw new AppError('PERMISSION_DENIED', message);
  }
}
