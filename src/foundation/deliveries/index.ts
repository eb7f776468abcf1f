/** The public interface of deliveries: adding them, what a kind is, how the queue makes them, and the service for administrators. */
export { cleanDeliveries } from './clean-deliveries.ts';
export { enqueueDelivery } from './enqueue-delivery.ts';
export { createDeliveryEffects } from './make-deliveries.ts';
export { services } from './service.ts';
export { stopDeliveries } from './stop-deliveries.ts';
export type { DeliveryKind } from './types.ts';
export { eraseDeliveryTexts } from './store-erase.ts';
