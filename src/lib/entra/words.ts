/** Answers of Microsoft as parts of sentences. */
import { FetchFault } from '../tables/fetch-fault.ts';
import { asObject } from '../json.ts';

const maxWordsLength = 300;

/** Returns what JSON says; undefined for a text that is none. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** Returns words of Microsoft as a sentence of their own, without control characters and cut; '' for none. */
export function quoteWords(words: string): string {
  const plain = words.replace(/\p{Cc}+/gu, ' ').trim();
  const cut = plain.length > maxWordsLength ? `${plain.slice(0, maxWordsLength)}...` : plain;
  return cut === '' ? '' : ` Microsoft says: ${cut}`;
}

/** The error in the body of an answer. */
export interface GraphError {
  readonly code: string;
  readonly message: string;
}

/** Returns the error that a body says; '' where it says none. */
export function readGraphError(body: unknown): GraphError {
  const { code, message } = asObject(asObject(body).error);
  return { code: typeof code === 'string' ? code : '', message: typeof message === 'string' ? message : '' };
}

/** Answers that no other try changes. */
const sentences: Readonly<Record<number, string>> = {
  400: 'Microsoft Graph does not understand the request',
  401: 'Microsoft Graph does not take the token of the app',
  404: 'Microsoft Graph does not know what was asked for',
  501: 'Microsoft Graph does not know one of the properties; check attributes',
};

/** Returns the failure that an answer is. `permission` is what the app needs for the task. */
export function describeAnswer(task: string, permission: string, status: number, body: unknown): FetchFault {
  const { code, message } = readGraphError(body);
  const text =
    status === 403
      ? `the app may not read this; give it the application permission ${permission}, with admin consent`
      : (sentences[status] ?? `Microsoft Graph answered ${status}`);
  const kind = status === 400 || status === 501 ? 'SETTINGS' : status === 404 ? 'UNREACHED' : 'REFUSED';
  return new FetchFault(kind, `${task} failed: ${text}.${quoteWords([code, message].filter((part) => part !== '').join(': '))}`);
}
