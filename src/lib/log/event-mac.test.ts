/** The code of an event: nobody makes it without the key, and each half says which part was changed. */
import { describe, expect, it } from 'vitest';
import { checkMac, deriveMacKey, eventMac, type MacHeader } from './event-mac.ts';

const key = deriveMacKey(Buffer.alloc(32, 1), 'tenant', 1);
const content = Buffer.alloc(32, 7);
const header: MacHeader = {
  tenantId: 'tenant',
  id: 'event',
  occurredAt: new Date('2026-03-01T12:00:00.123Z'),
  kind: 'review.closed',
  actorKind: 'user',
  actorId: 'ada',
  credentialId: 'credential',
  issuerId: '',
  requestId: 'request',
  targetType: 'access_review',
  targetId: 'review',
  reviewId: 'review',
};
const mac = eventMac(key, header, content);

describe('the code of an event', () => {
  it('is the same for the same event, and 32 bytes', () => {
    expect(mac).toHaveLength(32);
    expect(eventMac(key, { ...header }, Buffer.from(content))).toEqual(mac);
    expect(checkMac(key, header, content, mac)).toEqual({ header: true, content: true });
  });

  it('is what it was in the logs that are there', () => {
    expect(mac.toString('hex')).toBe('1ee12b6ee23858bdf175ba61d34c3d1d33d2b0a84d7c4b146be8ecb39fcb2505');
  });

  it.each(Object.keys(header).filter((name) => name !== 'tenantId' && name !== 'id'))('says that the header is another one: %s', (name) => {
    const value = name === 'occurredAt' ? new Date('2026-03-01T12:00:00.124Z') : 'other';
    expect(checkMac(key, { ...header, [name]: value }, content, mac)).toEqual({ header: false, content: true });
  });

  it('says that the content is another one', () => {
    expect(checkMac(key, header, Buffer.alloc(32, 8), mac)).toEqual({ header: true, content: false });
  });

  it.each(['tenantId', 'id'])('holds for no other event: %s', (name) => {
    expect(checkMac(key, { ...header, [name]: 'other' }, content, mac)).toEqual({ header: false, content: false });
  });

  it('takes the key of this tenant, secret and generation', () => {
    for (const other of [
      deriveMacKey(Buffer.alloc(32, 2), 'tenant', 1),
      deriveMacKey(Buffer.alloc(32, 1), 'other', 1),
      deriveMacKey(Buffer.alloc(32, 1), 'tenant', 2),
    ]) {
      expect(checkMac(other, header, content, mac)).toEqual({ header: false, content: false });
    }
    expect(checkMac(key, header, content, mac.subarray(0, 16))).toEqual({ header: false, content: false });
  });

  it('does not confuse members that stand beside each other', () => {
    expect(eventMac(key, { ...header, actorId: 'ad', credentialId: 'acredential' }, content)).not.toEqual(mac);
  });
});
