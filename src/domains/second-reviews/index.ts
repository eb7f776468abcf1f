/** The public interface of the module second-reviews: its services. */
export { services } from './service.ts';
