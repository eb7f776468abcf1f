import { describe, expect, it } from 'vitest';
import { forms, startText } from './connector-start.ts';

describe('what starts a connector', () => {
  const start = { program: 'baton-demo', clientId: 'a-b-1@access.example/ccc', clientSecret: 'secret-token:l:v1:abc' };
  it.each(forms)('has program, client id and secret as %s', (form) => {
    const text = startText(form, start);
    for (const part of Object.values(start)) {
      expect(text).toContain(part);
    }
  });
});
