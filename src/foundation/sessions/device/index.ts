/** The public interface of the part device: signing in from a program that has no browser (RFC 8628). */
export { answerDevice, type ShownDevice, showDevice } from './answer.ts';
export { type DeviceError, deviceError } from './errors.ts';
export { exchangeDevice } from './exchange.ts';
export { type BegunDevice, beginDevice, deviceIntervalSeconds, deviceSeconds, longOver } from './request.ts';
export { hasOldDeviceGrants, removeOldDeviceGrants } from './store.ts';
